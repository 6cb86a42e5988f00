import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { deriveFraction } from '../src/store/ids.ts';
import type { PriceSketch } from '../src/testing/catalog.ts';
import type { TestClient } from '../src/testing/client.ts';
import { aUser, type User } from '../src/testing/story.ts';
import { collectGarbage } from './process.ts';

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

/** A customer with credit whose events have three fees each. */
export async function aMeteredUser(client: TestClient): Promise<User> {
  const user = await aUser(client, { prices });
  await user.credit('USD', 1_000_000);
  return user;
}

let drawn = 0;

/** Submits events. Their volumes are random, so that they share no amounts. */
export async function submitEvents(user: User, events: number): Promise<void> {
  for (let sent = 0; sent < events; sent += BATCH)
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
export async function heldBytes(): Promise<number> {
  for (let held = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage();
    await setTimeout(100);
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > held - 10_000) return Math.min(held, heapUsed + external);
    held = heapUsed + external;
  }
}
