import { type Account, accountId, NEVER } from '../account.ts';
import { act, settledBy } from '../act.ts';
import { periodOf } from '../calendar.ts';
import { type Action, DAY, type History, type Step } from '../history.ts';
import type { TopUpRecord, UsageRecord } from '../records.ts';
import type { Subscription } from '../subscription.ts';
import { customerOf, ModelWorld, onTheirWay, versionOf } from '../world.ts';

/** How rare the states are that some histories meet, among those that no chosen one has met. */
export class Rarity {
  readonly #counts = new Map<string, number>();

  constructor(histories: readonly ReadonlySet<string>[]) {
    for (const met of histories)
      for (const each of met) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
  }

  /** How much a history would add to the chosen ones: the rarer its states, the more. */
  gainOf(met: ReadonlySet<string>): number {
    return [...met].reduce((gain, each) => gain + 1 / (this.#counts.get(each) ?? Infinity), 0);
  }

  /** Chooses a history: what it has met counts no more. */
  choose(met: ReadonlySet<string>): void {
    for (const each of met) this.#counts.delete(each);
  }
}

/** A kind of step with each fact of the state before it, and with each two of them. */
function inPairs(kind: string, facts: readonly string[]): string[] {
  const sorted = [...new Set(facts)].sort();
  return sorted.flatMap((fact, place) =>
    sorted.slice(place).map((other) => `${kind}, ${fact}, ${other}`),
  );
}

/** What the steps of a history meet: each kind of step with each two facts of the state before it. */
export function metBy(history: History): readonly string[] {
  const world = new ModelWorld(history);
  const met: string[] = [];
  for (const step of history.steps) {
    act(world, { ...step, action: { do: 'wait' } }, world.now + step.after);
    const general = factsOf(world, step);
    const plans = world.subscriptions.map((each) => factsOfSubscription(world, each));
    const outcome = act(world, step, world.now);
    if (!outcome) continue;
    const { events = [], subscription } = outcome;
    // What one subscription was matters for what is done to it.
    const own = plans[subscription ?? -1];
    const facts = own ?? [...general, ...plans.flat()];
    for (const kind of kindsOf(step.action)) met.push(...inPairs(kind, facts));
    met.push(...events.flatMap((event) => pricesMet(world, event)));
  }
  return met;
}

/** The kinds of fees, and of the prices by which usage had them, with the month in which it counts. */
function pricesMet(world: ModelWorld, { event_type, fees, at }: UsageRecord): string[] {
  const kinds = fees.map(({ price_name, usage_type, unit_price, volume_rate }) => {
    const isOfRows = unit_price === null && volume_rate === null;
    return `a fee by ${usage_type} of ${price_name}${isOfRows ? ' of several rows' : ''}`;
  });
  const prices = fees
    .flatMap((fee) => versionOf(world, fee).prices)
    .flatMap((price) => {
      if (price.type !== 'usage_based') return [];
      const { pricing_model, usage_calculation, tiering = {}, pricing } = price;
      if (usage_calculation.event_type !== event_type) return [];
      const kind = [pricing_model, usage_calculation.usage_type, ...Object.values(tiering)].join();
      const groups = pricing.map(({ values }) => values.map(({ dimensions }) => dimensions));
      const isAlike = new Set(groups.map((each) => JSON.stringify(each))).size === 1;
      return [
        `${kind} in ${periodOf(at, 'monthly')}`,
        `${kind} in ${pricing.length} assets${isAlike ? '' : ' of other dimensions'}`,
      ];
    });
  return [...kinds, ...prices];
}

/** An action without its numbers; usage as each of its events. */
function kindsOf(action: Action): string[] {
  if (action.do === 'events')
    return action.events.map(({ event_type, ago }) => `${event_type} ${Math.sign(ago)}`);
  const said = Object.entries(action).filter(([name]) => name !== 'pick' && name !== 'version');
  const kind = (value: unknown) =>
    typeof value === 'number' ? Math.sign(value) : Array.isArray(value) ? value.length : value;
  return [said.map(([, value]) => kind(value)).join(' ')];
}

/** The account that an action names, if any. */
interface Targeted {
  readonly asset?: string;
  readonly account_name?: string;
}

function factsOf(world: ModelWorld, { customer, action }: Step): string[] {
  const { accounts, saved } = customerOf(world, customer);
  const { asset, account_name } = action as Targeted;
  return [
    `saved ${saved}`,
    ...(action.do === 'settle' ? factsOfTopUp(world, settledBy(world, action)) : []),
    ...[...accounts.values()]
      .filter(({ id }) => asset === undefined || id === accountId(asset, account_name))
      .flatMap((account) => factsOfAccount(world, account)),
    ...world.rates.flatMap(({ periods }) =>
      periods.flatMap(({ from, to }) => [
        ...(from > world.history.start && from <= world.now ? ['another rate'] : []),
        ...(to <= world.now ? ['a rate that ended'] : []),
      ]),
    ),
  ];
}

function factsOfAccount(world: ModelWorld, account: Account): string[] {
  const { credits, debt } = account;
  return [
    ...(debt.sign > 0 ? ['debt'] : []),
    ...(onTheirWay(world, account).length > 0 ? ['money on its way'] : []),
    ...(world.automatic.some((rule) => rule.account === account) ? ['an automatic top-up'] : []),
    ...credits.flatMap(({ left, isEffective, purpose, priority, rolls, from, countsAlways }) =>
      left.sign === 0
        ? []
        : [
            isEffective ? purpose : 'credit to come',
            ...(Number.isFinite(priority) ? ['priority'] : []),
            ...(rolls ? ['credit that rolls over'] : []),
            ...(from && countsAlways ? ['a share of a fee'] : []),
          ],
    ),
  ];
}

function factsOfTopUp({ now }: ModelWorld, record: TopUpRecord | undefined): string[] {
  if (!record) return [];
  const { status, creditEndsAt = NEVER } = record;
  return [status, ...(creditEndsAt <= now ? ['credit that ended before'] : [])];
}

function factsOfSubscription(world: ModelWorld, subscription: Subscription): string[] {
  const { now } = world;
  const { status, plans, phases, isPastDue, isPaidAhead, oneTimes, shares } = subscription;
  const { customer, startedAt, arrivesAt, nextRenewal, countedFrom, span } = subscription;
  const versions = new Set(phases.map((each) => each.plans.map(({ version }) => version).join()));
  return [
    status,
    `saved ${customerOf(world, customer).saved}`,
    ...(startedAt === NEVER ? ['never begun'] : []),
    ...(plans.length > 1 ? [`${plans.length} products`] : []),
    ...(versions.size > 1 ? ['another version'] : []),
    ...(phases.some(({ to }) => to === now) ? ['changed now'] : []),
    ...(isPastDue ? ['past due'] : []),
    ...(arrivesAt !== NEVER ? ['a payment on its way'] : []),
    ...(isPaidAhead ? ['paid ahead'] : []),
    ...(isPastDue && now - nextRenewal > 28 * DAY ? ['past due for weeks'] : []),
    ...(countedFrom ? ['renewals on other days'] : []),
    ...(span === undefined ? [] : ['renewals without a fee']),
    ...(oneTimes.size > 0 ? ['a one-time fee'] : []),
    ...(shares.size > 0 ? ['shares to come'] : []),
  ];
}
