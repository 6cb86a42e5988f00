import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import type { ActionContents } from './history.ts';
import { type ModelWorld, ratesOf, tryWithRate } from './world.ts';

/**
 * A new rate ends the one in force as it begins, and lasts until the next one if it has no end of its own. Returns
 * false for one that would last beyond the next.
 */
export function setRate(world: ModelWorld, given: ActionContents['rate']): boolean {
  const { asset, source, lasts } = given;
  const schedule = ratesOf(world, asset, source);
  const from = world.now + (given.from ?? 0);
  const next = schedule.find((period) => period.from > from)?.from ?? NEVER;
  const to = lasts === undefined ? next : from + lasts;
  if (to > next) return false;
  for (const period of schedule) if (period.from <= from && from < period.to) period.to = from;
  const all = [...schedule, { from, to, rate: Rational.of(given.rate) }];
  const periods = all.sort((one, other) => one.from - other.from);
  const others = world.rates.filter((each) => each.asset !== asset || each.source !== source);
  world.rates = [...others, { asset, source, periods }];
  tryWithRate(world, asset);
  return true;
}
