import { ADDRESSES, aFixedPrice, check, expect, table, usageEvent } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

type World = Awaited<ReturnType<typeof aCustomerWorld>>;

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

const grantsOf = ({ call, path }: World, query = {}) =>
  call('listGrants', { path: { ...path, accountId: GRANTS }, query });

async function subscriptionWith({ call, path, subscription }: World, terms: object) {
  const plan = { name: 'Plan', code: 'plan', prices: [aFixedPrice()], publish: true };
  const { id: product } = await call('createProduct', { body: plan });
  const body = { products: [{ id: product }], ...ADDRESSES, ...terms };
  const { id } = await call('createSubscription', { path, body });
  await call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
  return subscription(id);
}

/** Sends one date-time with an offset and returns what is shown of it. */
const SENT: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'starts_at of a subscription': async (world) =>
    (await subscriptionWith(world, { starts_at: LOCAL })).started_at,
  'renews_at of a subscription': async (world) =>
    (await subscriptionWith(world, { renews_at: LOCAL })).renews_at,
  'renews_at of an update': async (world) => {
    const { id } = await subscriptionWith(world, {});
    const path = { ...world.path, subscriptionId: id };
    await world.call('updateSubscription', { path, body: { renews_at: LOCAL } });
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
    const bought = { customer_id: world.path.customerId, amount: 5, currency: 'USD', ...ADDRESSES };
    const body = { ...bought, credit_expires_at: LOCAL };
    const { id } = await world.call('createTopUp', { body });
    await world.call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
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
  { requirement: 'R-CONV-21', effect: 'E4', assumes: 'A-302', needs: 'clock.movable' },
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
    assumes: 'A-302',
    needs: 'clock.movable',
  },
  'a filter by the instant with an offset → found, with its bound included; a millisecond beyond → not found',
  async (t) => {
    // A grant that begins and another that ends at the instant, and a webhook event of it.
    const world = await aCustomerWorld(t);
    await world.adjust({ amount: 5, reason: 'gift', effective_at: UTC });
    await world.adjust({ amount: 5, reason: 'gift', expires_at: UTC });
    await world.until(UTC);
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
    requirement: 'R-CONV-21 R-AST-21 R-AST-43',
    effect: 'E4',
    assumes: 'A-302 A-403',
    needs: 'clock.movable',
  },
  'valid_from and valid_to of a rate and exchange_at of a quote with offsets → the rate of that instant, ahead of time and as the clock reaches it; none after the end',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const path = { assetCode: 'POINTS' };
    const rates = [{ source: 'USD', rate: 1 }];
    await call('createAsset', { body: { name: 'Points', code: 'POINTS', precision: 2, rates } });
    const later = { source: 'USD', rate: 2, valid_from: LOCAL, valid_to: NEXT_DAY };
    await call('setAssetRate', { path, body: later });
    const quote = async (more: object = {}) => {
      const body = { source: 'USD', amount: 10, ...more };
      return (await call('quoteAsset', { path, body })).rate;
    };
    const quoted: number[] = [];
    for (const exchange_at of QUOTED_AT) quoted.push(await quote({ exchange_at }));
    for (const moment of QUOTED_AT) {
      await until(moment);
      quoted.push(await quote());
    }
    expect(quoted).toEqual([1, 2, 2, 1, 2, 2]);
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
