import { readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { createLogger } from '../src/config/log.ts';
import { readSettings } from '../src/config/settings.ts';
import { createEmulator, type Emulator } from '../src/main.ts';
import { openStorage } from '../src/open-emulator.ts';
import { completePayment } from '../src/resources/payments/payments.ts';
import type { World } from '../src/store/world.ts';
import { seedWorld } from './growth-world.ts';

interface Answer {
  readonly id: string;
}

const PLAN = {
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
      lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
    },
  ],
};
const URLS = { return_url: 'https://example.com/done', failure_url: 'https://example.com/no' };

/**
 * Runs the measured emulator with a data file. Reports to the parent its longest pause for garbage collection, and the
 * longest time that its main thread worked without yielding.
 */
const [events, customers, data] = process.argv.slice(2) as [string, string, string];
const given = {
  port: 0,
  clock: 'frozen',
  clock_now: '2026-01-01T00:00:00Z',
  fixture: '',
  log_level: 'error',
  data,
};
const settings = readSettings(given);
const storage = await openStorage(settings, createLogger(settings));
const emulator = createEmulator({ settings: given, storage });
const size = { events: Number(events), customers: Number(customers) };
const large = await seedWorld(emulator, 'large', size);
await seedWorld(emulator, 'other', { events: 1_000, customers: 10 });
seedDue(emulator, Math.max(1_000, size.customers / 2));

const pauses: { kind: number; ms: number }[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind = 0 } = (entry as { readonly detail?: { readonly kind: number } }).detail ?? {};
    pauses.push({ kind, ms: entry.duration });
  }
}).observe({ entryTypes: ['gc'] });

let [mostInTurn, usedBefore] = [0, mainThreadMs()];
setInterval(() => {
  const used = mainThreadMs();
  mostInTurn = Math.max(mostInTurn, used - usedBefore);
  usedBefore = used;
}, 1);

process.on('message', () => {
  const longest = pauses.splice(0).reduce((most, each) => (each.ms > most.ms ? each : most), {
    kind: 0,
    ms: 0,
  });
  const { heapUsed } = process.memoryUsage();
  process.send?.({ collector: longest, heapUsed, usedInTurn: mostInTurn });
  mostInTurn = 0;
});
const { world, ...seeded } = large;
process.send?.({ url: await emulator.listen(), seeded });

/** Processor time of the main thread, from the kernel's scheduler. */
function mainThreadMs(): number {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** Fills a world with paid subscriptions whose renewals and refreshes are due each month. */
function seedDue(emulator: Emulator, subscriptions: number): void {
  const world = emulator.worlds.find('key_test_due') as World;
  const target = emulator.targetOf(world);
  const send = (call: string, body: object, path = {}): Answer => {
    const reply = target.send({ call, body, path }) as { status: number; body: Answer };
    if (reply.status >= 300) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  send('createAsset', { code: 'CREDIT', name: 'Credits' });
  send('createProduct', PLAN);
  for (let count = 0; count < subscriptions; count += 1) {
    const { id: customerId } = send('createCustomer', { name: `Customer ${count}` });
    send('createSubscription', { products: [{ code: 'plan' }], ...URLS }, { customerId });
  }
  const { accountId: owner, tables, now } = world;
  const context = { world, tables, owner, now, settings: emulator.settings, baseUrl: '' };
  for (const { id } of [...tables.subscriptions.values()])
    world.commit(() => completePayment(context, id, { outcome: 'succeeded' }));
}
