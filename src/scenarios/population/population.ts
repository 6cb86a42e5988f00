import { type Instant, toMillis } from '../../domain/instant.ts';
import type { ScenarioStep, StreamedScenario } from '../scenario.ts';
import { drawCatalogue } from './catalogue.ts';
import { type Chance, openChance } from './chance.ts';
import { type Customer, drawCustomer, joinSteps, leaveSteps, topUpSteps } from './customers.ts';
import { type UsageDay, usageSteps } from './usage.ts';

export interface PopulationOptions {
  readonly customers: number;
  readonly days: number;
  readonly seed: number;
  /** The last day. Default: the day of the run. */
  readonly until?: Instant;
}

/** Separate places of random values, so that changes to one kind do not affect another. */
const CATALOGUE = 0;
const PROFILE = 1;
const JOINING = 2;
const USAGE = 3;
const TOP_UP = 4;

/**
 * Generates customers who join, use products, pay and leave over some days. The same options give the same
 * steps on every machine. More customers do not change the existing ones.
 */
export async function drawPopulation(
  options: PopulationOptions,
  tellDay: (day: number) => void = () => {},
): Promise<StreamedScenario> {
  const { customers, days, seed, until } = options;
  const chance = await openChance(seed);
  return {
    about: `${customers} customers over ${days} days, drawn from the seed ${seed}.`,
    teaches: 'What a catalogue, wallets, margins and reports look like with some traffic.',
    ...(until !== undefined && { clock: until }),
    steps: { [Symbol.iterator]: () => drawSteps(chance, options, tellDay) },
  };
}

function* drawSteps(
  chance: Chance,
  { customers: count, days, until }: PopulationOptions,
  tellDay: (day: number) => void,
): Generator<ScenarioStep> {
  const { models, steps } = drawCatalogue(chance.at(CATALOGUE));
  const customers = Array.from({ length: count }, (_, index) =>
    drawCustomer(chance.at(PROFILE, index), index, days),
  );
  for (let day = 0; day <= days; day += 1) {
    const at = day === days ? 'P0D' : `-P${days - day}D`;
    if (day === 0) yield* startingAt(at, steps);
    const weekday = weekdayBefore(day, days, until);
    yield* startingAt(
      day === 0 ? undefined : at,
      drawDay(chance, customers, { day, models, weekday }),
    );
    tellDay(day);
  }
}

/** The first step moves the clock. The others follow at the same time. */
function* startingAt(
  at: string | undefined,
  steps: Iterable<ScenarioStep>,
): Generator<ScenarioStep> {
  let next = at;
  for (const step of steps) {
    yield next === undefined ? step : ({ ...step, at: next } as ScenarioStep);
    next = undefined;
  }
}

type Day = Omit<UsageDay, 'customer'>;

/** The steps of all customers on one day: present customers report the day before, others join. */
function* drawDay(
  chance: Chance,
  customers: readonly Customer[],
  today: Day,
): Generator<ScenarioStep> {
  const { day } = today;
  for (const customer of customers) {
    const { index, joins, leaves, topUpEvery } = customer;
    if (day === joins) yield* joinSteps(chance.at(JOINING, index), customer);
    if (day <= joins || day > leaves) continue;
    yield* usageSteps(chance.at(USAGE, index, day), { ...today, customer });
    if ((day - joins) % topUpEvery === 0)
      yield* topUpSteps(chance.at(TOP_UP, index, day), customer, day);
    if (day === leaves) yield* leaveSteps(customer);
  }
}

/** The weekday before a day of the population, from Monday, which is 0. Without `until` the first day is a Monday. */
function weekdayBefore(day: number, days: number, until: Instant | undefined): number {
  if (until === undefined) return (day + 6) % 7;
  const epochDay = Math.floor(toMillis(until) / 86_400_000) - (days - day) - 1;
  // The first day of 1970 was a Thursday.
  return (epochDay + 3) % 7;
}
