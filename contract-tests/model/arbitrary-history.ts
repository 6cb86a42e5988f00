import fc from 'fast-check';
import { actionArbitrary, type Weights } from './arbitrary-action.ts';
import { productArbitrary } from './arbitrary-product.ts';
import { type Action, DAY, type History, LONG_CODE, type Step } from './history.ts';

const CUSTOMERS = [
  {
    name: 'Ann',
    external_id: 'x',
    email: 'ann@example.org',
    metadata: null,
    external_accounts: [],
  },
  {
    ...{ name: 'Anna', external_id: 'X', email: null, metadata: { k: 'v' } },
    external_accounts: ['1', '2'].map((provider_id) => ({ provider: 'p', provider_id })),
  },
];

/** Alternatives for the subscriptions that a customer is created with. */
const CREATED_WITH = [[], [{ product: 0 }], [{ product: 1, starts: DAY }, { product: 0 }]];

const stepArbitrary = (weights?: Weights): fc.Arbitrary<Step> =>
  fc.record({
    after: fc.constantFrom(0, 0, 1, DAY / 24, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY),
    customer: fc.nat(1),
    product: fc.nat(1),
    action: actionArbitrary(weights),
  });

const SUBSCRIBE: Action = { do: 'subscribe', version: 0 };

const histories = (steps: fc.Arbitrary<Step[]>): fc.Arbitrary<History> =>
  fc
    .record({
      precision: fc.constantFrom(0, 1, 2, 10),
      rate: fc.constantFrom(undefined, 0.3, 0.0000000007),
      created: fc.constantFrom(...CREATED_WITH),
      products: fc.tuple(productArbitrary(), productArbitrary(true)),
      steps,
    })
    .map(({ precision, rate, created, products, steps: taken }) => ({
      assets: [
        { code: 'CR', precision: 0, rate: 0.1 },
        { code: LONG_CODE, precision, ...(rate && { rate }) },
      ],
      products,
      customers: CUSTOMERS.map((customer, index) =>
        index === 1 ? { ...customer, subscriptions: created } : customer,
      ),
      steps: taken,
    }));

/** Histories with few values that often collide: equal instants, ties, zeros, bounds of tiers. */
export const historyArbitrary = histories(
  fc.array(stepArbitrary(), { minLength: 1, maxLength: 30, size: 'max' }),
);

const first = (customer: number, product: number, taken: Action): Step => ({
  after: 0,
  customer,
  product,
  action: taken,
});

/** First steps that activate subscriptions, so that later steps have effects. */
const OPENING: readonly Step[] = [
  ...[first(0, 0, SUBSCRIBE), first(1, 0, SUBSCRIBE), first(0, 1, SUBSCRIBE)],
  ...[0, 1, 0].map((customer) => first(customer, 0, { do: 'pay', pick: 0, declines: false })),
];

/** Long histories in which most steps have an effect, with the usual kinds of steps by default. */
export const busyHistoryArbitrary = (weights?: Weights) =>
  histories(
    fc
      .array(stepArbitrary(weights), { minLength: 24, maxLength: 30 })
      .map((steps) => [...OPENING, ...steps]),
  );
