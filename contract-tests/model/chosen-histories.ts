import fc from 'fast-check';
import { type Account, NEVER } from './account.ts';
import { act } from './act.ts';
import { type Action, type History, START, type Step } from './history.ts';
import type { Subscription } from './subscription.ts';
import { customerOf, ModelWorld } from './world.ts';

/**
 * The histories of many that together meet the most: each meets more than any other that no chosen one has met. To look at
 * one takes its model alone, to play one takes dozens of requests.
 *
 * @param metBy the states that a history comes upon, as texts
 */
export function chosen<Story>(
  histories: readonly Story[],
  metBy: (history: Story) => readonly string[],
  count: number,
): readonly Story[] {
  const candidates = histories.map((history) => ({ history, met: new Set(metBy(history)) }));
  const known = new Set<string>();
  return Array.from({ length: count }, () => {
    const gains = candidates.map(({ met }) => [...met].filter((each) => !known.has(each)).length);
    const [best] = candidates.splice(gains.indexOf(Math.max(...gains)), 1);
    for (const each of best?.met ?? []) known.add(each);
    return best?.history as Story;
  });
}

/** A kind of step with each fact of the state before it, and with each two of them. */
function inPairs(kind: string, facts: readonly string[]): string[] {
  const sorted = [...new Set(facts)].sort();
  return sorted.flatMap((fact, place) =>
    sorted.slice(place).map((other) => `${kind}, ${fact}, ${other}`),
  );
}

/** Random histories that together meet the most, by the model alone. */
export const chosenHistories = (arbitrary: fc.Arbitrary<History>, seed: number, count: number) =>
  chosen(fc.sample(arbitrary, { seed, numRuns: count * CANDIDATES }), metBy, count);

/** How many histories are looked at for each that is chosen. */
const CANDIDATES = 15;

/** What the steps of a history meet: each kind of step with each two facts of the state before it. */
function metBy(history: History): readonly string[] {
  const world = new ModelWorld(history);
  const met: string[] = [];
  for (const step of history.steps) {
    act(world, { ...step, action: { do: 'wait' } }, world.now + step.after);
    const facts = factsOf(world, step);
    const { isDone } = act(world, step, world.now);
    if (!isDone) continue;
    for (const kind of kindsOf(step.action)) met.push(...inPairs(kind, facts));
  }
  return met;
}

/** An action without its numbers; usage as each of its events. */
function kindsOf(action: Action): string[] {
  if (action.do === 'events')
    return action.events.map(({ event_type, ago }) => `${event_type} ${Math.sign(ago)}`);
  const said = Object.entries(action).filter(([name]) => name !== 'pick' && name !== 'version');
  return [
    said.map(([, value]) => (typeof value === 'number' ? Math.sign(value) : value)).join(' '),
  ];
}

/** The account that an action names, if any. */
interface Targeted {
  readonly asset?: string;
  readonly account_name?: string;
}

function factsOf(world: ModelWorld, { customer, action }: Step): string[] {
  const { accounts, saved } = customerOf(world, customer);
  const { asset, account_name = 'default' } = action as Targeted;
  return [
    `saved ${saved}`,
    ...[...accounts.values()]
      .filter(({ id }) => asset === undefined || id === `${account_name}:${asset}`)
      .flatMap((account) => factsOfAccount(world, account)),
    ...world.subscriptions
      .filter((each) => each.customer === customer)
      .flatMap((each) => factsOfSubscription(world, each)),
    ...[...world.rates.values()].flatMap((schedule) =>
      schedule.flatMap(({ from, to }) => [
        ...(from > START && from <= world.now ? ['another rate'] : []),
        ...(to <= world.now ? ['a rate that ended'] : []),
      ]),
    ),
  ];
}

function factsOfAccount(world: ModelWorld, account: Account): string[] {
  const { credits, debt } = account;
  return [
    ...(debt.sign > 0 ? ['debt'] : []),
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

function factsOfSubscription({ now }: ModelWorld, subscription: Subscription): string[] {
  const { status, plans, holdings, isPastDue, isPaidAhead, oneTimes, shares } = subscription;
  const { link, arrivesAt } = subscription;
  const versions = new Set(holdings.map((each) => each.plans.map(({ version }) => version).join()));
  return [
    status,
    ...(plans.length > 1 ? ['two products'] : []),
    ...(versions.size > 1 ? ['another version'] : []),
    ...(holdings.some(({ to }) => to === now) ? ['changed now'] : []),
    ...(isPastDue ? ['past due'] : []),
    ...(arrivesAt !== NEVER ? ['a payment on its way'] : []),
    ...(link && link.endsAt <= now ? ['a link that ended'] : []),
    ...(isPaidAhead ? ['paid ahead'] : []),
    ...(oneTimes.size > 0 ? ['a one-time fee'] : []),
    ...(shares.size > 0 ? ['shares to come'] : []),
  ];
}
