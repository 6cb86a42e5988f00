import { instant } from './calls.ts';
import { START } from './history.ts';

export const SECOND = 1000;

/** The waits before the retries of a delivery, in seconds. */
const RETRY_WAITS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The number of events on a page. */
export const LIMIT = 1;

/** The destinations by whether they receive events of connected accounts. Each begins with a receiver of its own. */
export const DESTINATIONS = [false, false, true] as const;

/** What happens at one of the destinations, or at the receiver it began with: `of` is the index of both. */
export type WebhookMove = { readonly of: number } & (
  | { readonly do: 'dispatch'; readonly toAll: boolean; readonly ofAccount: boolean }
  | { readonly do: 'respond'; readonly status: number }
  /** Another URL: that of a receiver, or one that refuses connections. */
  | { readonly do: 'redirect'; readonly to: number | null }
  /** A switch disables or enables the destination. */
  | { readonly do: 'switch' | 'remove' | 'wait' }
);

export interface LogQuery {
  readonly status?: 'Success' | 'Failed';
  readonly to?: readonly number[];
  /** Events of this instant and later, or earlier. */
  readonly since?: number;
  readonly until?: number;
}

interface Delivery {
  readonly to: number;
  /** When it is tried next; undefined once it has ended. */
  dueAt: number | undefined;
}

interface Attempt {
  readonly to: number;
  readonly at: number;
  /** The receiver that was asked; null for one that nobody received, as its destination was disabled, removed or refused. */
  readonly by: number | null;
  readonly status: number | null;
}

export interface LoggedEvent {
  readonly at: number;
  readonly ofAccount: boolean;
  readonly deliveries: readonly Delivery[];
  readonly attempts: Attempt[];
}

/** The destinations, which receive every topic, and what the log of webhook events says of them. */
export class WebhookLog {
  now = START;
  readonly events: LoggedEvent[] = [];
  /** Which moves were made and attempts ended in which states. */
  readonly met = new Set<string>();
  #reads = 0;
  /** A page that was read before, if another follows it, by its query and the place of its last event. */
  #former: { readonly query: LogQuery; readonly last: number } | undefined;
  /** What each receiver responds with. */
  readonly #statuses = DESTINATIONS.map(() => 204);
  readonly destinations = DESTINATIONS.map((isConnect, index) => ({
    ...{ isConnect, isEnabled: true, isRemoved: false },
    /** The receiver that its URL leads to. */
    receiver: index as number | null,
    updatedAt: START,
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

  readonly isEnabled = (of: number): boolean => this.#at(of).isEnabled;

  make(made: WebhookMove): void {
    const { of, ...kind } = made;
    const destination = this.#at(of);
    const waiting = this.#waiting().filter(({ delivery }) => delivery.to === of);
    this.met.add(`${Object.values(kind)} ${destination.isEnabled} ${waiting.length}`);
    if (made.do === 'respond') this.#statuses[of] = made.status;
    if (made.do === 'redirect') destination.receiver = made.to;
    if (made.do === 'switch') destination.isEnabled = !destination.isEnabled;
    if (made.do === 'redirect' || made.do === 'switch') destination.updatedAt = this.now;
    if (made.do === 'dispatch') this.#dispatch(made);
    if (made.do !== 'remove') return;
    Object.assign(destination, { isRemoved: true, isEnabled: false });
    for (const { event, delivery } of waiting) this.#attempt(event, delivery);
  }

  /** The items of the log that a query finds, newest first, by the places of their events. */
  items(query: LogQuery) {
    return [...this.events.keys()].reverse().flatMap((place) => {
      const { at, deliveries, attempts } = this.events[place] as LoggedEvent;
      if (at < (query.since ?? 0) || at > (query.until ?? this.now)) return [];
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

  /** The first page of a query, whether it is kept, and the page that now follows the one kept before. */
  read(query: LogQuery) {
    const first = this.items(query);
    const { query: former, last = 0 } = this.#former ?? {};
    const second = former && this.items(former).filter(({ place }) => place < last);
    const edge = first[LIMIT - 1];
    const isFollowed = first.length > LIMIT;
    this.#reads += 1;
    // Kept for three steps, to read the page after it again while the log changes.
    const isKept = this.#reads % 3 === 0;
    if (isKept) this.#former = isFollowed && edge ? { query, last: edge.place } : undefined;
    return {
      first: first.slice(0, LIMIT),
      isFollowed,
      isKept,
      second: second?.slice(0, LIMIT),
    };
  }

  readonly #at = (of: number) => this.destinations[of] as (typeof this.destinations)[number];

  #waiting() {
    return this.events.flatMap((event) =>
      event.deliveries.flatMap((delivery) =>
        delivery.dueAt === undefined ? [] : [{ event, delivery, dueAt: delivery.dueAt }],
      ),
    );
  }

  #dispatch({ of, toAll, ofAccount }: Extract<WebhookMove, { do: 'dispatch' }>): void {
    const deliveries = [...this.destinations.entries()]
      .filter(([, { isEnabled, isConnect }]) => isEnabled && isConnect === ofAccount)
      .filter(([each]) => toAll || each === of)
      .map(([each]) => ({ to: each, dueAt: this.now }));
    this.events.push({ at: this.now, ofAccount, deliveries, attempts: [] });
    this.advance(this.now);
  }

  #attempt({ attempts }: LoggedEvent, delivery: Delivery): void {
    const destination = this.#at(delivery.to);
    const by = destination.isEnabled ? destination.receiver : null;
    const status = by === null ? null : (this.#statuses[by] ?? null);
    const tries = attempts.filter(({ to }) => to === delivery.to).length;
    const isElsewhere = by !== delivery.to;
    this.met.add(`${status} ${isElsewhere} after ${tries} tries of ${attempts.length}`);
    attempts.push({ to: delivery.to, at: this.now, by, status });
    delivery.dueAt = undefined;
    if (status === 410) Object.assign(destination, { isEnabled: false, updatedAt: this.now });
    else if (destination.isEnabled && !isGood(status)) {
      const wait = RETRY_WAITS[tries];
      if (wait !== undefined) delivery.dueAt = this.now + wait * SECOND;
    }
  }
}

/** When the last of some deliveries was acknowledged, or when an attempt at one of them failed last. */
function outcomeOf(deliveries: readonly Delivery[], attempts: readonly Attempt[]) {
  const ends = deliveries.map(
    (delivery) => attempts.find(({ to, status }) => to === delivery.to && isGood(status))?.at,
  );
  const isDone = ends.length > 0 && ends.every((end) => end !== undefined);
  const failures = attempts
    .filter(({ to, status }) => deliveries.some((each) => each.to === to) && !isGood(status))
    .map(({ at }) => at);
  return {
    successful_at: isDone ? instant(Math.max(...(ends as number[]))) : null,
    failed_at: isDone || failures.length === 0 ? null : instant(Math.max(...failures)),
  };
}

/** Whether a receiver acknowledged with a status. */
export const isGood = (status: number | null): boolean => status === 200 || status === 204;
