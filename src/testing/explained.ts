import type { AnyBody, TestClient } from './client.ts';
import { anEvent, aUser, type UsageSetup } from './usage.ts';

/** For tests: a customer whose events are answered with what explains them. */
export async function anExplainedUser(client: TestClient, setup: UsageSetup) {
  const user = await aUser(client, setup);
  const { key } = user;
  const again = (eventId: string): Promise<AnyBody> =>
    client.control('explainEvent', { key, path: { eventId } }, 200);
  return {
    ...user,
    again,
    /** Submits one event and answers its explanation. */
    async explained(given: object = {}): Promise<AnyBody> {
      const event = anEvent(given);
      await user.submit(event);
      return again(event.id);
    },
  };
}
