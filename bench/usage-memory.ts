import { createTestClient } from '../src/testing/client.ts';
import { aMeteredUser, heldBytes, submitEvents } from './metered-usage.ts';
import { count, operands, publish } from './publish.ts';

/**
 * `npm run bench -- memory [events]`: measures the memory of an event with three fees, including its row, fees,
 * transactions and indexes, at every power of ten up to the given number. The request log is off, because it is bounded.
 */
const EVENTS = Number(operands()[0] ?? 1_000_000);

const user = await aMeteredUser(createTestClient({ limits: { MAX_LOGGED_REQUESTS: 0 } }));
await submitEvents(user, 5_000);
const before = await heldBytes();
const figures = [{ events: 0, held: before }];
for (let events = 0, next = 1_000; next <= EVENTS; events = next, next *= 10) {
  await submitEvents(user, next - events);
  figures.push({ events: next, held: await heldBytes() });
}
const lines = figures.map(({ events, held }) => {
  const each = events === 0 ? '' : `${count((held - before) / events)} bytes`;
  return `| ${count(events)} | ${count(held / 1e6)} MB | ${each} |`;
});
publish(
  'memory',
  ['| events with three fees | memory | per event |', '|---|---|---|', ...lines],
  figures,
);
