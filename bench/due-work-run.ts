import { after } from '../src/domain/instant.ts';
import { createEmulator } from '../src/emulator.ts';
import { completePayment } from '../src/resources/payments/payments.ts';
import type { World } from '../src/state/world.ts';

/** Runs ten years of due work once and tells the parent what it took. */
const SUBSCRIPTIONS = 1_000;
const start = '2026-01-31T10:00:00.000Z';
const settings = { clock: 'frozen', clock_now: start, fixture: '', log_level: 'silent' };
const emulator = createEmulator({ settings });
const { worlds, targetOf, clocks } = emulator;
const world = worlds.find('key_test_bench') as World;
const target = targetOf(world);

interface Answer {
  readonly id: string;
}

function send(call: string, body: object, path = {}): Answer {
  const reply = target.send({ call, body, path }) as { status: number; body: Answer };
  if (reply.status >= 300) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

send('createAsset', { code: 'CREDIT', name: 'Credits' });
const refresh = { strategy: 'expire_and_replace' };
send('createProduct', {
  name: 'Plan',
  code: 'plan',
  publish: true,
  prices: [
    {
      name: 'Fee',
      type: 'fixed',
      billing_model: { type: 'recurring', recurring: { interval: 'month' } },
      pricing: [{ asset: 'USD', values: [{ unit_price: 20 }] }],
    },
  ],
  entitlements: [
    {
      name: 'Credits',
      asset: 'CREDIT',
      amount: 1000,
      purpose: 'bundled',
      lifecycle: { duration: 'month', refresh },
    },
  ],
});
const urls = { return_url: 'https://example.com/done', failure_url: 'https://example.com/no' };
for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
  const { id: customerId } = send('createCustomer', { name: `Customer ${count}` });
  const path = { customerId };
  send('createSubscription', { products: [{ code: 'plan' }], ...urls }, path);
}
payAll();

const before = memory();
const [first, second] = [await travelYears(5), await travelYears(5)];
const grown = memory() - before;
const items = first.items + second.items;
process.send?.({
  items,
  seconds: first.seconds + second.seconds,
  slowdown: second.seconds / first.seconds,
  megabytesBefore: before / 1e6,
  megabytesAfter: (before + grown) / 1e6,
  bytesPerItem: grown / items,
});
process.disconnect?.();

function payAll(): void {
  const { accountId: owner, tables, now } = world;
  const context = { world, tables, owner, now, settings: emulator.settings, baseUrl: '' };
  for (const { id } of [...tables.subscriptions.values()])
    world.commit(() => completePayment(context, id, { outcome: 'succeeded' }));
}

async function travelYears(years: number): Promise<{ items: number; seconds: number }> {
  const started = process.cpuUsage();
  const { count } = await clocks.advance(world, after(world.now, `${years}y`), 'by');
  const { user, system } = process.cpuUsage(started);
  return { items: count, seconds: (user + system) / 1e6 };
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
