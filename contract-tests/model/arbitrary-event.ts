import fc from 'fast-check';
import { defined } from './arbitrary-price.ts';
import { type CostSketch, DAY, type EventSketch } from './history.ts';

const HOUR = DAY / 24;

const cost: fc.Arbitrary<CostSketch> = fc
  .record({
    vendor: fc.nat(1),
    amount: fc.constantFrom(0, 0.1, 0.3333333333, 2),
    currency: fc.constantFrom(undefined, undefined, 'EUR', 'JPY'),
    category: fc.constantFrom(undefined, 'compute', 'Compute'),
  })
  .map((given) => defined(given));

/** Events now, before and a little ahead, with usable and unusable volumes. */
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

export const events = fc.array(event, { minLength: 1, maxLength: 4 });
