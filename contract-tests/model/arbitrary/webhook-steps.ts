import fc from 'fast-check';
import { type LogQuery, SECOND, WebhookLog, type WebhookMove } from '../webhook-log.ts';
import { chosen } from './chosen-histories.ts';

/** A move, and the seconds that pass before it; what is logged afterwards is asked for by `query`. */
export interface WebhookStep {
  readonly after: number;
  readonly move: WebhookMove;
  readonly query: LogQuery;
  /** What the query is limited to: events that are at most, or at least, as many seconds old. */
  readonly within?: number | undefined;
  readonly before?: number | undefined;
}

const move = fc.oneof<fc.Arbitrary<Omit<WebhookMove, 'of'>>[]>(
  fc.record({ do: fc.constant('dispatch'), toAll: fc.boolean(), ofAccount: fc.boolean() }),
  fc.record({ do: fc.constant('redirect'), to: fc.constantFrom(0, 1, 2, null, null) }),
  fc.record({ do: fc.constant('respond'), status: fc.constantFrom(204, 200, 500, 302, 410) }),
  fc.record({ do: fc.constantFrom('switch', 'switch', 'switch', 'remove', 'wait') }),
);

const TO_ALL: WebhookMove = { do: 'dispatch', of: 0, toAll: true, ofAccount: false };

/** First steps by which deliveries of two events wait for a retry while a page of failures is read. */
const FAILING: readonly WebhookStep[] = [
  { after: 1, move: { do: 'respond', of: 0, status: 500 }, query: {} },
  { after: 1, move: TO_ALL, query: {} },
  { after: 4, move: TO_ALL, query: { status: 'Failed' } },
];

/** How histories begin: with failures that last while the destination is off for a second, or of which the later ends first. */
const OPENINGS: readonly (readonly WebhookStep[])[] = [
  [
    ...FAILING,
    { after: 2, move: { do: 'switch', of: 0 }, query: {} },
    { after: 1, move: { do: 'switch', of: 0 }, query: {} },
  ],
  [
    ...FAILING,
    { after: 2, move: { do: 'respond', of: 0, status: 204 }, query: {} },
    { after: 4, move: { do: 'wait', of: 0 }, query: { status: 'Success' } },
  ],
];

/** Last steps, which end what waits at each destination. */
const REMOVALS: readonly WebhookStep[] = [
  { after: 1, move: { do: 'remove', of: 0 }, query: { status: 'Failed' } },
  { after: 1, move: { do: 'remove', of: 1 }, query: {} },
  { after: 40_000, move: { do: 'remove', of: 2 }, query: {} },
];

const webhookStep: fc.Arbitrary<WebhookStep> = fc.record({
  after: fc.constantFrom(1, 1, 2, 3, 5, 5, 300, 1800, 40_000),
  // Most of it happens at one destination.
  move: fc
    .tuple(fc.constantFrom(0, 0, 0, 1, 2), move)
    .map(([of, given]) => ({ of, ...given }) as WebhookMove),
  query: fc.constantFrom<LogQuery[]>(
    {},
    ...[{ status: 'Failed' } as const, { status: 'Success' } as const, { to: [0] }],
    ...[{ to: [1, 2] }, { to: [0], status: 'Failed' } as const],
  ),
  within: fc.constantFrom(undefined, undefined, 5, 10),
  before: fc.constantFrom(undefined, undefined, 1, 5),
});

/** The history of those of a length that meets the most between one of the openings and the removals. */
export function chosenSteps(opening: number, length: number, seed: number) {
  const first = OPENINGS[opening] ?? [];
  const size = { minLength: length - first.length, maxLength: length - first.length };
  const steps = fc.array(webhookStep, size).map((others) => [...first, ...others]);
  const [most = []] = chosen(fc.sample(steps, { seed, numRuns: CANDIDATES }), metBy, 1);
  return { steps: most, removals: REMOVALS };
}

const CANDIDATES = 200;

function metBy(steps: readonly WebhookStep[]): readonly string[] {
  const log = new WebhookLog();
  for (const { after, move: made } of [...steps, ...REMOVALS]) {
    log.advance(log.now + after * SECOND);
    if (log.canMake(made)) log.make(made);
  }
  return [...log.met];
}
