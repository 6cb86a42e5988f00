import fc from 'fast-check';
import { defined } from './arbitrary-price.ts';
import { ASSETS, productArbitrary } from './arbitrary-product.ts';
import {
  type Action,
  type CostSketch,
  DAY,
  type EventSketch,
  type History,
  type Step,
} from './history.ts';
import { TOPIC } from './hooks.ts';

const HOUR = DAY / 24;

const CUSTOMERS = [
  { name: 'Ann', external_id: 'x', email: 'ann@example.org' },
  { name: 'Anna', external_id: 'X', email: null },
];

const cost: fc.Arbitrary<CostSketch> = fc
  .record({
    vendor: fc.nat(1),
    amount: fc.constantFrom(0, 0.1, 0.3333333333, 2),
    currency: fc.constantFrom(undefined, undefined, 'EUR', 'JPY'),
    category: fc.constantFrom(undefined, 'compute', 'Compute'),
  })
  .map((given) => defined(given));

const event: fc.Arbitrary<EventSketch> = fc
  .record({
    event_type: fc.constantFrom('e', 'e', 'e', 'f'),
    ago: fc.constantFrom(0, 0, 0, 1, HOUR, DAY, 7 * DAY, 28 * DAY, 240_000, -240_000),
    data: fc
      .record({
        v: fc.constantFrom<(string | number | undefined)[]>(
          0,
          1,
          1,
          2,
          3,
          5,
          0.5,
          2.5,
          10,
          100,
          -1,
          'x',
          undefined,
        ),
        m: fc.constantFrom(undefined, 'a', 'b'),
        n: fc.constantFrom<(string | number | undefined)[]>(undefined, 1, '2'),
      })
      .map((data) => defined(data)),
    subject: fc.constantFrom(undefined, 's', 's', 'S', 's:t'),
    description: fc.constantFrom(undefined, 'said'),
    costs: fc.array(cost, { maxLength: 2 }),
  })
  .map((given) => defined(given));

const events = fc.array(event, { minLength: 1, maxLength: 4 });
const asset = fc.constantFrom(...ASSETS);
const version = fc.nat(1);
const pick = fc.nat(2);
const accountName = fc.constantFrom(undefined, undefined, undefined, 'other');

const adjust: fc.Arbitrary<Action> = fc
  .record({
    do: fc.constant('adjust' as const),
    asset,
    amount: fc.constantFrom(1, 5, 10, 30, -1, -5, -20),
    account_name: accountName,
    description: fc.constantFrom(undefined, 'said'),
    metadata: fc.constantFrom(undefined, { k: 'v' }),
    reason: fc.constantFrom<'external_topup' | 'external_refund' | 'gift' | 'other'>(
      ...(['external_topup', 'external_refund', 'gift', 'other'] as const),
    ),
    effective: fc.constantFrom(undefined, undefined, 0, -DAY, DAY, 7 * DAY),
    lasts: fc.constantFrom(undefined, undefined, DAY, 7 * DAY, 31 * DAY),
  })
  .map((all) => defined(all))
  .map(({ effective, lasts, ...given }) =>
    given.amount < 0
      ? given
      : { ...given, ...(effective !== undefined && { effective }), ...(lasts && { lasts }) },
  );

const topUp: fc.Arbitrary<Action> = fc
  .record({
    amount: fc.constantFrom(1, 10, 0.1),
    currency: fc.constantFrom('USD', 'EUR'),
    target: asset,
    exchange_rate: fc.constantFrom(0.05, 0.3, 2),
    account_name: accountName,
    outcome: fc.constantFrom(
      ...([undefined, 'succeeded', 'succeeded', 'failed', 'processing', 'abandoned'] as const),
    ),
  })
  .map((all) => defined(all))
  .map(({ target, exchange_rate, ...given }): Action => {
    const into = given.currency === 'EUR' && target === 'USD' ? 'CR' : target;
    const isSame = into === given.currency;
    return { do: 'top_up', ...given, asset: into, ...(!isSame && { exchange_rate }) };
  });

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Action>({ do: 'wait' }) },
  { weight: 8, arbitrary: events.map((given): Action => ({ do: 'events', events: given })) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('simulate' as const),
      version,
      forCustomer: fc.boolean(),
      events,
    }),
  },
  { weight: 3, arbitrary: adjust },
  { weight: 2, arbitrary: topUp },
  {
    weight: 1,
    arbitrary: fc
      .record({
        asset,
        amount: fc.constantFrom(0, 1, 5, 30),
        account_name: accountName,
        subject: fc.constantFrom(undefined, 's'),
      })
      .map((given): Action => ({ do: 'charge', ...defined(given) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ version, starts: fc.constantFrom(undefined, undefined, DAY, 7 * DAY) })
      .map(
        ({ version: of, starts }): Action => ({
          do: 'subscribe',
          version: of,
          ...(starts && { starts }),
        }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pay' as const), pick, declines: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'resume' as const), pick }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change' as const), pick, version }) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        name: fc.constantFrom(undefined, 'Bob', 'hanna'),
        email: fc.constantFrom(undefined, null, 'ANN@example.org', 'bob@example.org'),
        external_id: fc.constantFrom(undefined, null, 'x0', 'x'),
      })
      .map((given): Action => ({ do: 'update', ...defined(given) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        asset: fc.constantFrom('CR', 'PX', 'EUR'),
        rate: fc.constantFrom(0.1, 0.3, 1.2),
        from: fc.constantFrom(undefined, undefined, -7 * DAY, DAY),
      })
      .map((given): Action => ({ do: 'rate', ...defined(given) })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('hook' as const),
      answers: fc.boolean(),
      topics: fc.constantFrom(['*'], ['*'], ['a.b', TOPIC], ['a.b']),
      connect: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('toggle' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('test' as const), pick: fc.option(pick) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('archive' as const, 'default' as const),
      version,
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.constantFrom(0, 0, 1, HOUR, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY),
  customer: fc.nat(1),
  product: fc.nat(1),
  action,
});

const SUBSCRIBE: Action = { do: 'subscribe', version: 0 };

const histories = (steps: fc.Arbitrary<Step[]>): fc.Arbitrary<History> =>
  fc
    .record({
      precision: fc.constantFrom(0, 1, 2, 10),
      rate: fc.constantFrom(undefined, 0.3, 0.0000000007),
      products: fc.tuple(productArbitrary, productArbitrary),
      steps,
    })
    .map(({ precision, rate, products, steps: taken }) => ({
      assets: [
        { code: 'CR', precision: 0, rate: 0.1 },
        { code: 'PX', precision, ...(rate && { rate }) },
      ],
      products,
      customers: CUSTOMERS,
      steps: taken,
    }));

/** Histories of few, colliding values: same instants, ties, nothing, the ends of rows. */
export const historyArbitrary = histories(
  fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
);

const first = (customer: number, product: number, taken: Action): Step => ({
  after: 0,
  customer,
  product,
  action: taken,
});

const HOOK = { do: 'hook', topics: ['*'], connect: false } as const;

/** What makes sure that much comes of the rest: subscriptions that hold, and destinations that get their events. */
const OPENING: readonly Step[] = [
  ...[true, false].map((answers) => first(0, 0, { ...HOOK, answers })),
  ...[first(0, 0, SUBSCRIBE), first(1, 0, SUBSCRIBE), first(0, 1, SUBSCRIBE)],
  ...[0, 1, 0].map((customer) => first(customer, 0, { do: 'pay', pick: 0, declines: false })),
];

/** Histories as long as there are, in which most steps do something. */
export const busyHistoryArbitrary = histories(
  fc.array(step, { minLength: 24, maxLength: 30 }).map((steps) => [...OPENING, ...steps]),
);
