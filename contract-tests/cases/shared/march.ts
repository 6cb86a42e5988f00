import type { CheckContext } from '../../kit/index.ts';
import { anOwnWorld } from '../../kit/target/own-world.ts';

/** A world of a customer, whose clock stands at noon of a first of March. */
export async function aMarch(t: CheckContext) {
  const call = anOwnWorld(t);
  await call('setClock', { body: { mode: 'frozen', now: '2026-03-01T12:00:00.000Z' } });
  const { id: customerId } = await call('createCustomer', { body: { name: 'Ada' } });
  const until = (to: string) => call('advanceClock', { body: { to } });
  return { call, path: { customerId }, until };
}
