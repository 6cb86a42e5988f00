import { setImmediate as turn } from 'node:timers/promises';
import { instant } from '../src/domain/instant.ts';
import { createEmulator, type Emulator } from '../src/main.ts';
import { rowsOf } from '../src/store/query.ts';
import type { World } from '../src/store/world.ts';

interface WorldSize {
  readonly events: number;
  readonly customers: number;
}

/** A filled world and the ids that the measured requests use. */
export interface SeededWorld {
  readonly world: World;
  /** A customer with few events. `heavy` has a tenth of all. */
  readonly customer: string;
  readonly heavy: string;
  readonly feeId: string;
  readonly eventId: string;
  readonly transaction: string;
  readonly task: string;
  readonly product: string;
}

const BATCH = 100;
const DAYS = 28;

const price = (event_type: string) => ({
  name: event_type,
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type, usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.01 }] }],
});

/** Serves a small and a large world, whose comparison shows growth. */
export async function openSmallAndLarge(size: WorldSize) {
  const settings = {
    port: 0,
    clock: 'frozen',
    clock_now: '2026-01-01T00:00:00Z',
    fixture: '',
    log_level: 'silent',
  };
  const emulator = createEmulator({ settings });
  const url = await emulator.listen();
  const small = await seedWorld(emulator, 'small', { events: 1_000, customers: 100 });
  const large = await seedWorld(emulator, 'large', size);
  return { emulator, url, small, large };
}

/**
 * Fills a world with customers and usage of a month, of which every fourth event has no fee. Each customer has about
 * the same number of events, except one that has a tenth of all.
 */
export async function seedWorld(
  emulator: Emulator,
  name: string,
  { events, customers }: WorldSize,
): Promise<SeededWorld> {
  const world = emulator.worlds.find(`key_test_${name}`) as World;
  const target = emulator.targetOf(world);
  const send: Send = (call, body) => {
    const reply = target.send({ call, body }) as { status: number; body: { readonly id: string } };
    if (reply.status >= 300) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const { product, users, heavy } = createCustomers(send, customers);
  world.clock.state = { mode: 'frozen', at: instant('2026-01-31T12:00:00Z') };
  const few = Math.min(BATCH, Math.max(1, Math.round((events * 0.9) / users.length)));
  let made = 0;
  const batch = (customer_id: string, length: number) => {
    const sent = Array.from({ length }, (_, place) => anEvent(made + place));
    send('submitEvents', { customer_id, events: sent });
    made += length;
  };
  while (made < events / 10) batch(heavy, BATCH);
  for (let place = 0; made < events; place += 1) {
    batch(users[place % users.length] as string, few);
    // Yield, so that the data file is written in between.
    if (place % BATCH === 0) await turn();
  }
  const customer = users[0] as string;
  return { world, heavy, product, customer, ...usageOf(world, customer) };
}

/** One record of each kind that the usage of a customer made. */
function usageOf({ tables }: World, customer_id: string) {
  const event = rowsOf(tables.events, { customer_id }).find(({ fees }) => fees.length > 0);
  if (!event?.fees[0]) throw new Error('The first event has no fee.');
  return {
    eventId: event.event_id,
    feeId: event.fees[0].id,
    transaction: event.fees[0].transaction_id ?? '',
    task: `${customer_id}:task-1`,
  };
}

type Send = (call: string, body: object) => { readonly id: string };

/** Creates customers, of whom every second is idle. Returns the ids of the others. */
function createCustomers(send: Send, customers: number) {
  const prices = ['call', 'chat', 'draw'].map(price);
  const calls = { name: 'Calls', code: 'calls', publish: true, prices };
  const { id: product } = send('createProduct', calls);
  const subscriptions = [{ products: [{ code: 'calls' }] }];
  const users: string[] = [];
  for (let count = 0; count < customers; count += 1) {
    const names = { name: `Customer ${count % 1_000}`, external_id: `customer-${count}` };
    const isUser = count % 2 === 0;
    const { id } = send('createCustomer', { ...names, ...(isUser && { subscriptions }) });
    if (isUser) users.push(id);
  }
  const heavy = send('createCustomer', { name: 'Heavy', external_id: 'heavy', subscriptions }).id;
  return { product, users, heavy };
}

const TYPES = ['call', 'chat', 'draw', 'note'];

function anEvent(number: number) {
  const day = String((number % DAYS) + 1).padStart(2, '0');
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    event_type: TYPES[number % TYPES.length],
    occurred_at: `2026-01-${day}T${String(number % 24).padStart(2, '0')}:00:00Z`,
    subject: `task-${number % 3}`,
    data: { model: 'large', tokens: 1200 },
  };
}
