import fc from 'fast-check';
import { ASSETS, productArbitrary } from './arbitrary-product.ts';
import { type Action, DAY, type EventSketch, type History, type Step } from './history.ts';

const HOUR = DAY / 24;

const event: fc.Arbitrary<EventSketch> = fc.record({
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
    .map(
      (data) =>
        Object.fromEntries(
          Object.entries(data).filter(([, value]) => value !== undefined),
        ) as EventSketch['data'],
    ),
});

const events = fc.array(event, { minLength: 1, maxLength: 4 });
const asset = fc.constantFrom(...ASSETS);
const version = fc.nat(1);
const pick = fc.nat(2);

const adjust: fc.Arbitrary<Action> = fc
  .record({
    do: fc.constant('adjust' as const),
    asset,
    amount: fc.constantFrom(1, 5, 10, 30, -1, -5, -20),
    reason: fc.constantFrom<'external_topup' | 'external_refund' | 'gift'>(
      'external_topup',
      'external_refund',
      'gift',
    ),
    effective: fc.constantFrom(undefined, undefined, 0, -DAY, DAY, 7 * DAY),
    lasts: fc.constantFrom(undefined, undefined, DAY, 7 * DAY, 31 * DAY),
  })
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
  })
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
  { weight: 1, arbitrary: topUp },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      asset,
      amount: fc.constantFrom(0, 1, 5, 30),
    }),
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
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      asset: fc.constantFrom('CR', 'PX', 'EUR'),
      rate: fc.constantFrom(0.1, 0.3, 1.2),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.constantFrom(0, 0, 1, HOUR, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY),
  customer: fc.nat(1),
  product: fc.nat(1),
  action,
});

/** Histories of few, colliding values: same instants, ties, nothing, the ends of rows. */
export const historyArbitrary: fc.Arbitrary<History> = fc
  .record({
    precision: fc.constantFrom(0, 1, 2, 10),
    rate: fc.constantFrom(undefined, 0.3, 0.0000000007),
    products: fc.tuple(productArbitrary, productArbitrary),
    steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
  })
  .map(({ precision, rate, products, steps }) => ({
    assets: [
      { code: 'CR', precision: 0, rate: 0.1 },
      { code: 'PX', precision, ...(rate && { rate }) },
    ],
    products,
    customers: 2,
    steps,
  }));
