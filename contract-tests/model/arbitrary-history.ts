import fc from 'fast-check';
import { actionArbitrary, type Weights } from './arbitrary-action.ts';
import { productArbitrary } from './arbitrary-product.ts';
import { type Action, DAY, type History, LONG_CODE, type Step } from './history.ts';

/** How much time passes before a step, in milliseconds. */
const PAUSES = [0, 0, 1, DAY / 24, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY] as const;

const stepArbitrary = (weights: Weights | undefined, pauses: readonly number[]) =>
  fc.record<Step>({
    after: fc.constantFrom(...pauses),
    customer: fc.nat(1),
    product: fc.nat(1),
    action: actionArbitrary(weights),
  });

const SUBSCRIBE: Action = { do: 'subscribe', version: 0 };
const PAY: Action = { do: 'pay', pick: 0, outcome: 'succeeded', declines: false };
const SUBSCRIBE_TO_BOTH: Action = { ...SUBSCRIBE, other: 0 };

const first = (customer: number, product: number, taken: Action): Step => ({
  after: 0,
  customer,
  product,
  action: taken,
});

/**
 * First steps that activate subscriptions, so that later steps have effects. The first customer holds both products by one
 * subscription, if their intervals agree; the second holds one product twice, before and after the other.
 */
export const OPENING: readonly Step[] = [
  ...[first(0, 0, SUBSCRIBE_TO_BOTH), first(0, 1, SUBSCRIBE)],
  ...[first(1, 0, SUBSCRIBE), first(1, 1, SUBSCRIBE), first(1, 0, SUBSCRIBE)],
  ...[0, 0, 1, 1, 1].map((customer) => first(customer, 0, PAY)),
];

/**
 * Histories with few values that often collide: equal instants, ties, zeros, bounds of tiers. With the usual kinds of
 * steps by default.
 */
export const historyArbitrary = (
  weights?: Weights,
  minLength = 1,
  maxLength = 30,
  pauses: readonly number[] = PAUSES,
): fc.Arbitrary<History> =>
  fc
    .record({
      precision: fc.constantFrom(0, 1, 2, 10),
      rate: fc.constantFrom(undefined, 0.3, 0.0000000007),
      products: fc.tuple(productArbitrary, productArbitrary),
      steps: fc.array(stepArbitrary(weights, pauses), { minLength, maxLength, size: 'max' }),
    })
    .map(({ precision, rate, products, steps }) => ({
      assets: [
        { code: 'CR', precision: 0, rate: 0.1 },
        { code: LONG_CODE, precision, ...(rate && { rate }) },
      ],
      products,
      steps: [...OPENING, ...steps],
    }));
