import {
  aCustomerWorld,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  type CustomerWorld,
  check,
  expect,
  table,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { HOUR_MS, moved } from './shared/times.ts';

/** The same instant, with an offset and as it is returned. */
const LOCAL = '2026-03-20T14:00:00.000+02:00';
const UTC = '2026-03-20T12:00:00.000Z';
/** A millisecond before and after it, with another offset. */
const BEFORE = '2026-03-20T05:59:59.999-06:00';
const AFTER = '2026-03-20T06:00:00.001-06:00';

/** The end of a rate that begins then; and instants before it, at its start and at its last millisecond. */
const NEXT_DAY = '2026-03-22T00:00:00.000+11:00';
const QUOTED_AT = [
  '2026-03-20T13:59:59.999+02:00',
  '2026-03-20T06:00:00.000-06:00',
  '2026-03-21T23:59:59.999+11:00',
];

const GRANTS = 'default:USD';

const grantsOf = ({ call, path }: CustomerWorld, query = {}) =>
  call('listGrants', { path: { ...path, accountId: GRANTS }, query });

async function subscriptionWith(world: CustomerWorld, terms: object) {
  const product = await world.product({ prices: [aFixedPrice()] });
  const { id } = await world.subscribe([product], terms);
  await world.settle(id);
  return world.subscription(id);
}

/** Sends one date-time with an offset and returns what is shown of it. */
const SENT: Readonly<Record<string, (world: CustomerWorld) => Promise<unknown>>> = {
  'starts_at of a subscription': async (world) =>
    (await subscriptionWith(world, { starts_at: LOCAL })).started_at,
  'renews_at of a subscription': async (world) =>
    (await subscriptionWith(world, { renews_at: LOCAL })).renews_at,
  'renews_at of an update': async (world) => {
    const { id } = await subscriptionWith(world, {});
    // Half an hour ago, though it reads later.
    await world.update(id, { renews_at: '2026-03-01T13:30:00+02:00' }, [422]);
    await world.update(id, { renews_at: LOCAL });
    return (await world.subscription(id)).renews_at;
  },
  'effective_at of an adjustment': async (world) => {
    await world.adjust({ amount: 5, reason: 'gift', effective_at: LOCAL });
    return (await grantsOf(world)).items[0].effective_at;
  },
  'expires_at of an adjustment': async (world) => {
    await world.adjust({ amount: 5, reason: 'gift', expires_at: LOCAL });
    return (await grantsOf(world)).items[0].expires_at;
  },
  'credit_expires_at of a top-up': async (world) => {
    const { id } = await world.topUp({ credit_expires_at: LOCAL });
    await world.settle(id);
    return (await grantsOf(world)).items[0].expires_at;
  },
  'occurred_at of an event': async ({ call, path, until }) => {
    await until(UTC);
    const { id, ...event } = usageEvent('call', { occurred_at: LOCAL });
    const body = { customer_id: path.customerId, events: [{ id, ...event }] };
    await call('submitEvents', { body });
    return (await call('getEvent', { path: { eventId: id } })).occurred_at;
  },
};

table(
  'X-91',
  { requirement: 'R-CONV-21', effect: 'E4', assumes: 'A-302 A-605', needs: 'clock.movable' },
  'a date-time sent with an offset → shown as the same instant in UTC',
  SENT,
  async (send, t) => expect(await send(await aCustomerWorld(t))).toBe(UTC),
);

/** Filters by a date-time, and what each finds a millisecond before the instant, at it, and after. */
const FILTERS = [
  ['grants', 'effective_from', [1, 1, 0]],
  ['grants', 'effective_to', [1, 2, 2]],
  ['grants', 'expired_from', [1, 1, 0]],
  ['grants', 'expired_to', [0, 1, 1]],
  ['log', 'time_gte', [1, 1, 0]],
  ['log', 'time_lte', [0, 1, 1]],
] as const;

check(
  'X-92',
  {
    requirement: 'R-CONV-21 R-WAL-24 R-WAL-25 R-WHK-27',
    effect: 'E4',
    assumes: 'A-302 A-704',
    needs: 'clock.movable',
  },
  'filters by an instant with an offset from UTC → what is at the bound is found, what is a millisecond beyond is not; credit that ends now has ended for exclude_expired',
  async (t) => {
    // A grant that begins and another that ends at the instant, and a webhook event of it.
    const world = await aCustomerWorld(t);
    await world.adjust({ amount: 5, reason: 'gift', effective_at: UTC });
    await world.adjust({ amount: 5, reason: 'gift', expires_at: UTC });
    await world.until(UTC);
    const { items: left } = await grantsOf(world, { exclude_expired: true });
    expect(left, 'credit that does not end now').toMatchObject([{ expires_at: null }]);
    await subscriptionWith(world, {});
    for (const [list, name, counts] of FILTERS) {
      const found: number[] = [];
      for (const at of [BEFORE, LOCAL, AFTER]) {
        const query = { [name]: at };
        const { items } =
          list === 'grants'
            ? await grantsOf(world, query)
            : await world.call('listWebhookEvents', { query });
        found.push(items.length);
      }
      expect(found, `${name} of the ${list}`).toEqual(counts);
    }
  },
);

check(
  'AST-54',
  {
    requirement: 'R-CONV-21 R-AST-21 R-AST-36 R-AST-43',
    effect: 'E4',
    assumes: 'A-302 A-403',
    needs: 'clock.movable',
  },
  'valid_from and valid_to of a rate and exchange_at of a quote with offsets → the rate of that instant; none after the end; one that ends before or as it begins, or after the next began, is rejected',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const path = { assetCode: 'POINTS' };
    const rates = [{ source: 'USD', rate: 1 }];
    await call('createAsset', { body: { name: 'Points', code: 'POINTS', precision: 2, rates } });
    const later = { source: 'USD', rate: 2, valid_from: LOCAL, valid_to: NEXT_DAY };
    await call('setAssetRate', { path, body: later });
    for (const [valid_from, valid_to] of [
      [undefined, AFTER],
      [LOCAL, LOCAL],
      [LOCAL, BEFORE],
    ])
      await call('setAssetRate', { path, body: { ...later, valid_from, valid_to } }, [422]);
    const quoted: number[] = [];
    for (const exchange_at of QUOTED_AT) {
      const body = { source: 'USD', amount: 10, exchange_at };
      quoted.push((await call('quoteAsset', { path, body })).rate);
    }
    expect(quoted).toEqual([1, 2, 2]);
    await until(NEXT_DAY);
    await call('quoteAsset', { path, body: { source: 'USD', amount: 10 } }, [422]);
  },
);

/** Milliseconds between an event and the clock. */
const AGES = {
  '34 days old': { milliseconds: -34 * 86_400_000, status: 204 },
  'a millisecond older': { milliseconds: -34 * 86_400_000 - 1, status: 422 },
  '5 minutes ahead': { milliseconds: 300_000, status: 204 },
  'a millisecond further ahead': { milliseconds: 300_001, status: 422 },
};

table(
  'EVT-103',
  { requirement: 'R-LIM-12 R-LIM-13', effect: 'E4', assumes: 'A-803', needs: 'clock.movable' },
  'an event of exactly 34 days ago and of exactly 5 minutes ahead → accepted; a millisecond beyond → rejected',
  AGES,
  async ({ milliseconds, status }, t) => {
    const { call, path } = await aCustomerWorld(t, UTC);
    const occurred_at = new Date(Date.parse(UTC) + milliseconds).toISOString();
    const body = { customer_id: path.customerId, events: [usageEvent('call', { occurred_at })] };
    await call('submitEvents', { body }, [status]);
  },
);

const EDGES = ['00:00:00.000', '00:00:00.001', '23:59:59.000', '23:59:59.999'];

/**
 * Days around the ends of years and of February. The ISO year differs from the calendar year on 1 to 3 January 2021 and
 * on 30 and 31 December 2024.
 */
const TURNS = [
  ['2020-12-30', '2020-12-31', '2021-01-01', '2021-01-02', '2021-01-03'],
  ['2024-02-28', '2024-02-29', '2024-03-01'],
  ['2024-12-30', '2024-12-31', '2025-01-01'],
  ['2025-02-28', '2025-03-01'],
];

/** Days on either side of a turn, and whole years. */
const PERIODS: readonly (readonly [string, string])[] = [
  ...['2020-12-31', '2021-01-01', '2021-01-03', '2024-02-29', '2024-12-31', '2025-02-28'].map(
    (day) => [day, day] as const,
  ),
  ['2024-01-01', '2024-12-31'],
];

/** Lists that filter by days, what their filters begin with, and the field that has the time of the usage. */
const LISTS = [
  ['listEvents', 'period', 'occurred_at'],
  ['listTasks', 'created', 'subject'],
  ['listTasks', 'last_updated', 'subject'],
] as const;

interface Used {
  readonly id: string;
  readonly at: string;
  readonly cost: number;
}

/** Offsets by which the day differs from that in UTC. */
const ZONES = [
  ['Z', 0],
  ['+14:00', 14],
  ['-12:00', -12],
] as const;

/** An instant as the clocks of one of the zones show it. */
function inZone(at: string, index: number): string {
  const [zone, hours] = ZONES[index % ZONES.length] as (typeof ZONES)[number];
  return moved(at, hours * HOUR_MS).replace('Z', zone);
}

/** A world with usage at the edges of each day, each with its own subject, a fee of 1 and a cost. */
async function aWorldOfTurns(t: CheckContext) {
  const world = await aCustomerWorld(t, '2020-12-01T12:00:00.000Z');
  const { call, path, until } = world;
  await world.subscribe([await world.product({ prices: [aUnitPrice('call', 1)] })]);
  const { id: vendor_id } = await call('createVendor', { body: { name: 'Vendor' } });
  const used: Used[] = [];
  for (const days of TURNS) {
    await until(`${days.at(-1)}T23:59:59.999Z`);
    const first = used.length;
    for (const at of days.flatMap((day) => EDGES.map((time) => `${day}T${time}Z`)))
      used.push({ id: uuid(), at, cost: (used.length + 1) ** 2 });
    const events = used.slice(first).map(({ id, at, cost }, index) => ({
      id,
      event_type: 'call',
      occurred_at: inZone(at, index),
      subject: at,
      data: {},
      costs: [{ id: uuid(), vendor_id, amount: cost }],
    }));
    await call('submitEvents', { body: { customer_id: path.customerId, events } });
  }
  const within = (from: string, to: string) =>
    used.filter(({ at }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to);
  return { call, path, vendor_id, within };
}

check(
  'EVT-87',
  {
    requirement: 'R-EVT-42 R-EVT-54 R-PRF-11 R-PRF-16 R-TSK-12 R-VND-08',
    effect: 'E4',
    partly: 'A-806 A-903 A-904 A-1001',
    needs: 'clock.movable',
  },
  "usage, sent with several offsets from UTC, at both edges of the last and first days of years and of February, in years with and without a 29th and an ISO week across the turn → in the list of events, the tasks by creation and last update, the vendor's stats, the customer's and the summary for the periods of exactly its own day, and of the month so far by default; a 29 February that does not exist → rejected",
  async (t) => {
    const { call, path, vendor_id, within } = await aWorldOfTurns(t);
    const vendor = { vendorId: vendor_id };
    const sums = (some: readonly Used[]) => ({
      total_costs: some.reduce((sum, { cost }) => sum + cost, 0),
      gross_revenue: some.length,
    });
    for (const [first, last] of PERIODS) {
      const name = `${first} to ${last}`;
      const wanted = within(first, last);
      for (const [list, by, field] of LISTS) {
        const query = { limit: 1000, [`${by}_from`]: first, [`${by}_to`]: last };
        const { items } = await call(list, { query: query as never });
        const times = items.map((item: Readonly<Record<string, string>>) => item[field]).sort();
        expect(times, `${list} by ${by}, ${name}`).toEqual(wanted.map(({ at }) => at));
      }
      const query = { period_from: first, period_to: last };
      const stats = await call('getVendorStats', { path: vendor, query });
      const { items, summary } = await call('listCustomerStats', { query });
      expect(stats.total_costs, name).toBe(sums(wanted).total_costs);
      expect(summary, name).toMatchObject(sums(wanted));
      expect(items, name).toMatchObject([{ id: path.customerId, stats: summary }]);
    }
    expect(await call('listCustomerStats', {})).toMatchObject({
      period_from: '2025-03-01',
      period_to: '2025-03-01',
      summary: sums(within('2025-03-01', '2025-03-01')),
    });
    for (const name of ['period_from', 'period_to'])
      await call('getVendorStats', { path: vendor, query: { [name]: '2025-02-29' } }, [400, 422]);
  },
);
