import fc from 'fast-check';
import { drawn } from './arbitrary-price.ts';
import { type CostSketch, DAY, type EventSketch } from './history.ts';

const HOUR = DAY / 24;

/** Volumes of events, valid and invalid for a price by volume. */
const VOLUMES = [0, 1, 1, 2, 3, 5, 0.5, 2.5, 10, 100, -1, 'x', undefined];

const cost: fc.Arbitrary<CostSketch> = drawn({
  vendor: fc.nat(1),
  amount: fc.constantFrom(0, 0.1, 0.3333333333, 2),
  currency: fc.constantFrom(undefined, undefined, 'EUR', 'JPY'),
  category: fc.constantFrom(undefined, 'compute', 'Compute'),
});

/** Events now, in the past and in the near future, with valid and invalid volumes. */
const event: fc.Arbitrary<EventSketch> = drawn({
  event_type: fc.constantFrom('e', 'e', 'e', 'f'),
  ago: fc.constantFrom(0, 0, 0, 1, HOUR, DAY, 7 * DAY, 28 * DAY, 240_000, -240_000),
  data: drawn({
    v: fc.constantFrom(...VOLUMES),
    m: fc.constantFrom(undefined, 'a', 'b'),
    n: fc.constantFrom<(string | number | undefined)[]>(undefined, 1, '2'),
  }),
  subject: fc.constantFrom(undefined, 's', 's', 'S', 's:t'),
  description: fc.constantFrom(undefined, 'said'),
  costs: fc.array(cost, { maxLength: 2 }),
});

export const events = fc.array(event, { minLength: 1, maxLength: 4 });
