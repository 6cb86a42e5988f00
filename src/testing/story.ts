import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';
import { freshKey } from './usage.ts';

/** For tests: months of one customer's billing over HTTP, on a frozen clock. */
export type Story = Awaited<ReturnType<typeof aStory>>;

const shared = createTestClient();

/** Opens a world at an instant, with a customer and an asset of whole units. */
export async function aStory(now: string, client: TestClient = shared) {
  const story = { client, key: freshKey(), customerId: '' };
  const calls = callsFor(story);
  const { api, control } = calls;
  /** Sets the clock to an instant without running due jobs. */
  const set = (moment: string) => control('setClock', { body: { mode: 'frozen', now: moment } });
  await set(now);
  await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  story.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  return { ...story, ...calls, set };
}

/** Formats due jobs that ran as lines of instant, kind and outcome. */
export function linesOf({ items }: AnyBody): string[] {
  return items.map(({ at, kind, outcome }: AnyBody) =>
    [at.replace(/:00\.000Z$/, 'Z'), kind, outcome].filter(Boolean).join(' '),
  );
}
