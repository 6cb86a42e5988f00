import fc from 'fast-check';
import { drawn } from './arbitrary-price.ts';
import { DAY, type EventSketch } from './history.ts';

const HOUR = DAY / 24;

/** Volumes of events, valid and invalid for a price by volume. */
const VOLUMES = [0, 1, 1, 2, 3, 5, 0.5, 2.5, 10, 100, -1, 'x', undefined];

/** Events now, in the past and in the near future, with valid and invalid volumes. */
const event: fc.Arbitrary<EventSketch> = drawn({
  event_type: fc.constantFrom('e', 'e', 'e', 'f'),
  ago: fc.constantFrom(0, 0, 0, 1, HOUR, DAY, 7 * DAY, 28 * DAY, 240_000, -240_000),
  data: drawn({
    v: fc.constantFrom(...VOLUMES),
    m: fc.constantFrom(undefined, 'a', 'b'),
    n: fc.constantFrom<(string | number | undefined)[]>(undefined, 1, '2'),
  }),
});

export const events = fc.array(event, { minLength: 1, maxLength: 4 });
