import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { deriveFraction } from '../src/store/ids.ts';
import { createTestClient } from '../src/testing/client.ts';
import { aUser } from '../src/testing/customer.ts';
import type { PriceSketch } from '../src/testing/usage.ts';
import { collectGarbage } from './process.ts';
import { count, operands, publish } from './publish.ts';

/**
 * `npm run bench -- memory [events]`: measures the memory of an event with three fees, including its row, fees,
 * transactions and indexes, at every power of ten up to the given number. Volumes are random, so that events share no
 * interned amounts. The request log is off, because it is bounded.
 */
const EVENTS = Number(operands()[0] ?? 1_000_000);
const BATCH = 100;
const START = Date.parse('2026-01-10T00:00:00Z');

const volume = { usage_type: 'volume', volume_field: 'tokens', billable_dimensions: ['model'] };
const prices: PriceSketch[] = [
  { name: 'Call', values: [{ unit_price: 0.01 }] },
  ...[1, 2].map((volume_rate) => ({
    ...volume,
    name: `Tokens at ${volume_rate}`,
    values: [{ dimensions: { model: '*' }, volume_rate, package_size: 1_000_000 }],
  })),
];

const user = await aUser(createTestClient({ limits: { MAX_LOGGED_REQUESTS: 0 } }), { prices });
await user.credit('USD', 1_000_000);
let drawn = 0;
await submit(50);
const before = await heldBytes();
const figures = [{ events: 0, held: before }];
for (let events = 0, next = 1_000; next <= EVENTS; events = next, next *= 10) {
  await submit((next - events) / BATCH);
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

async function submit(batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1)
    await user.submit(...Array.from({ length: BATCH }, (_, place) => anEvent(place)));
}

/** One of ten events per second. Its volume of up to 10,000 has three decimals, the amounts of both prices nine. */
function anEvent(place: number) {
  drawn += 1;
  const occurred_at = new Date(START + Math.floor(drawn / 10) * 1_000).toISOString();
  const data = {
    model: 'large',
    tokens: Math.round(deriveFraction(['volume', drawn]) * 1e7) / 1e3,
  };
  return { id: randomUUID(), event_type: 'call', occurred_at, subject: `chat-${place % 10}`, data };
}

/** Returns the memory in use after repeated garbage collection, because buffers and finalizers need several turns. */
async function heldBytes(): Promise<number> {
  for (let held = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage();
    await setTimeout(100);
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > held - 10_000) return Math.min(held, heapUsed + external);
    held = heapUsed + external;
  }
}
