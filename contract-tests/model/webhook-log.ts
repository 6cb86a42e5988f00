import fc from 'fast-check';
import { instant } from './calls.ts';
import { START } from './history.ts';

const SECOND = 1000;

/** The waits before the retries of a delivery, in seconds. */
const RETRY_WAITS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The number of destinations, each with a receiver of its own. */
export const DESTINATIONS = 3;

/** What happens at one of the destinations: `of` is its index. */
export type WebhookMove = { readonly of: number } & (
  | { readonly do: 'dispatch'; readonly toAll: boolean }
  | { readonly do: 'respond'; readonly status: number }
  | { readonly do: 'enable'; readonly enabled: boolean }
  | { readonly do: 'remove' | 'wait' }
);

/** A move, and the seconds that pass before it; what is logged afterwards is asked for by `query`. */
export interface WebhookStep {
  readonly after: number;
  readonly move: WebhookMove;
  readonly query: LogQuery;
}

export interface LogQuery {
  readonly status?: 'Success' | 'Failed';
  readonly to?: readonly number[];
}

const move: fc.Arbitrary<WebhookMove> = fc
  .tuple(
    fc.nat(DESTINATIONS - 1),
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('dispatch'), toAll: fc.boolean() }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('respond'),
          status: fc.constantFrom(204, 200, 500, 500, 302, 410),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('enable'), enabled: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant({ do: 'remove' }) },
      { weight: 1, arbitrary: fc.constant({ do: 'wait' }) },
    ),
  )
  .map(([of, given]) => ({ of, ...given }) as WebhookMove);

/** First steps by which deliveries wait for a retry. */
const OPENING: readonly WebhookStep[] = [
  { after: 1, move: { do: 'respond', of: 0, status: 500 }, query: {} },
  { after: 1, move: { do: 'dispatch', of: 0, toAll: true }, query: {} },
];

/** Steps between which as many seconds pass as retries wait, or almost none. */
export const webhookSteps = (length: number): fc.Arbitrary<readonly WebhookStep[]> =>
  fc
    .array(
      fc.record({
        after: fc.constantFrom(1, 1, 1, 4, 5, 300, 1800, 40_000, 4 * 86_400),
        move,
        query: fc.constantFrom<LogQuery[]>(
          {},
          ...[{ status: 'Failed' } as const, { status: 'Success' } as const, { to: [0] }],
          ...[{ to: [1, 2] }, { to: [0], status: 'Failed' } as const],
        ),
      }),
      { minLength: length, maxLength: length },
    )
    .map((steps) => [...OPENING, ...steps]);

interface Delivery {
  readonly to: number;
  tries: number;
  /** When it is tried next; undefined once it has ended. */
  dueAt: number | undefined;
  acknowledgedAt?: number;
}

interface Attempt {
  readonly to: number;
  readonly at: number;
  /** Null for one that was not made, as its destination was disabled or removed. */
  readonly status: number | null;
}

interface LoggedEvent {
  readonly at: number;
  readonly deliveries: readonly Delivery[];
  readonly attempts: Attempt[];
}

/** Three destinations that receive every topic, and what the log of webhook events says of them. */
export class WebhookLog {
  now = START;
  readonly events: LoggedEvent[] = [];
  readonly destinations = Array.from({ length: DESTINATIONS }, () => ({
    status: 204,
    isEnabled: true,
    isRemoved: false,
  }));

  /** Makes every attempt that is due until an instant. */
  advance(to: number): void {
    for (;;) {
      const next = this.#waiting().sort((one, other) => one.dueAt - other.dueAt)[0];
      if (!next || next.dueAt > to) break;
      this.now = next.dueAt;
      this.#attempt(next.event, next.delivery);
    }
    this.now = to;
  }

  /** Whether a move is possible: a removed destination is not found. */
  canMake({ do: kind, of }: WebhookMove): boolean {
    return kind === 'respond' || kind === 'wait' || !this.#at(of).isRemoved;
  }

  make(made: WebhookMove): void {
    const destination = this.#at(made.of);
    if (made.do === 'respond') destination.status = made.status;
    if (made.do === 'enable') destination.isEnabled = made.enabled;
    if (made.do === 'dispatch') this.#dispatch(made.toAll ? undefined : made.of);
    if (made.do !== 'remove') return;
    Object.assign(destination, { isRemoved: true, isEnabled: false });
    for (const { event, delivery } of this.#waiting())
      if (delivery.to === made.of) this.#attempt(event, delivery);
  }

  /** The items of the log that a query finds, newest first, by the places of their events. */
  items(query: LogQuery) {
    return [...this.events.keys()].reverse().flatMap((place) => {
      const { at, deliveries, attempts } = this.events[place] as LoggedEvent;
      const meant = deliveries.filter(({ to }) => query.to?.includes(to) ?? true);
      if (query.to && meant.length === 0) return [];
      const ends = outcomeOf(meant, attempts);
      if (query.status === 'Success' && ends.successful_at === null) return [];
      if (query.status === 'Failed' && ends.failed_at === null) return [];
      return [
        { place, time: instant(at), matched: deliveries.map(({ to }) => to), ...ends, attempts },
      ];
    });
  }

  readonly #at = (of: number) => this.destinations[of] as (typeof this.destinations)[number];

  #waiting() {
    return this.events.flatMap((event) =>
      event.deliveries.flatMap((delivery) =>
        delivery.dueAt === undefined ? [] : [{ event, delivery, dueAt: delivery.dueAt }],
      ),
    );
  }

  #dispatch(to: number | undefined): void {
    const deliveries = [...this.destinations.keys()]
      .filter((each) => this.#at(each).isEnabled && (to === undefined || to === each))
      .map((each) => ({ to: each, tries: 0, dueAt: this.now }));
    this.events.push({ at: this.now, deliveries, attempts: [] });
    this.advance(this.now);
  }

  #attempt({ attempts }: LoggedEvent, delivery: Delivery): void {
    const destination = this.#at(delivery.to);
    const status = destination.isEnabled ? destination.status : null;
    attempts.push({ to: delivery.to, at: this.now, status });
    delivery.tries += 1;
    delivery.dueAt = undefined;
    if (status === 200 || status === 204) delivery.acknowledgedAt = this.now;
    else if (status === 410) destination.isEnabled = false;
    else if (status !== null) {
      const wait = RETRY_WAITS[delivery.tries - 1];
      if (wait !== undefined) delivery.dueAt = this.now + wait * SECOND;
    }
  }
}

/** When the last of some deliveries was acknowledged, or when an attempt at one of them failed last. */
function outcomeOf(deliveries: readonly Delivery[], attempts: readonly Attempt[]) {
  const ends = deliveries.map(({ acknowledgedAt }) => acknowledgedAt);
  const isDone = ends.length > 0 && ends.every((end) => end !== undefined);
  const failures = attempts
    .filter(({ to, status }) => deliveries.some((each) => each.to === to) && !isGood(status))
    .map(({ at }) => at);
  return {
    successful_at: isDone ? instant(Math.max(...(ends as number[]))) : null,
    failed_at: isDone || failures.length === 0 ? null : instant(Math.max(...failures)),
  };
}

const isGood = (status: number | null) => status === 200 || status === 204;
