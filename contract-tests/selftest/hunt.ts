import type { GatheredCheck } from '../kit/gather.ts';
import { isRed } from '../kit/outcome.ts';
import { nameOfCheck } from '../kit/trial.ts';
import type { ShapeMutant } from './shape-mutants.ts';
import type { SpoiledEmulator } from './spoiled-emulator.ts';

/** A check with the responses that it uses, from one run against a correct target. */
export interface ObservedCheck {
  readonly check: GatheredCheck;
  readonly name: string;
  readonly milliseconds: number;
  /** Operations with status that it receives, and those that it asserts. */
  readonly sees: ReadonlySet<string>;
  readonly insists: ReadonlySet<string>;
}

export type MutantResult = 'killed' | 'survived' | 'void';

/** The number of checks tried on a mutant before it counts as survived. */
const MAX_CHECKS = 20;
/** The number of mutants tried on a check before it counts as vacuous. */
const MAX_MUTANTS = 60;
/** Slower checks come last, because they take too long to repeat a thousand times. */
const SLOW_MS = 1_500;

const cellOf = ({ operation, status }: Pick<ShapeMutant, 'operation' | 'status'>): string =>
  `${operation.id} ${status}`;

/** Runs every check once to record the responses that it uses. Checks that do not pass are left out. */
export async function learn(checks: readonly GatheredCheck[]): Promise<readonly ObservedCheck[]> {
  const observed: ObservedCheck[] = [];
  for (const check of checks) {
    const { exchanges, milliseconds, outcome } = await check.run();
    if (outcome !== 'pass') continue;
    const cells = (wanted: typeof exchanges) =>
      new Set(wanted.map(({ operation, status }) => `${operation} ${status}`));
    observed.push({
      ...{ check, name: nameOfCheck(check), milliseconds },
      sees: cells(exchanges),
      insists: cells(exchanges.filter(({ asserted }) => asserted)),
    });
  }
  return observed;
}

/**
 * Whether some check fails when the mutant changes responses; `void` when it could change none.
 *
 * @param killed collects the names of the checks that fail
 */
export async function mutantResultOf(
  mutant: ShapeMutant,
  observed: readonly ObservedCheck[],
  emulator: Pick<SpoiledEmulator, 'set' | 'spoiled'>,
  killed: Set<string>,
): Promise<MutantResult> {
  const cell = cellOf(mutant);
  const rank = ({ insists, milliseconds }: ObservedCheck) =>
    (insists.has(cell) ? 0 : 1e9) + (milliseconds > SLOW_MS ? 1e6 : 0) + milliseconds;
  const candidates = observed
    .filter(({ sees }) => sees.has(cell))
    .toSorted((left, right) => rank(left) - rank(right));
  let tries = 0;
  for (const { check, name } of candidates) {
    const isFound = await isFoundBy(check, mutant, emulator);
    if (isFound) {
      killed.add(name);
      return 'killed';
    }
    if (isFound === false) tries += 1;
    if (tries >= MAX_CHECKS) break;
  }
  return tries > 0 ? 'survived' : 'void';
}

/** Whether no mutant of the responses that a check uses makes it fail. */
export async function isVacuous(
  { check, sees, insists }: ObservedCheck,
  mutants: readonly ShapeMutant[],
  emulator: Pick<SpoiledEmulator, 'set' | 'spoiled'>,
): Promise<boolean> {
  const near = mutants.filter((mutant) => sees.has(cellOf(mutant)));
  const first = near.filter((mutant) => insists.has(cellOf(mutant)));
  const others = near.filter((mutant) => !insists.has(cellOf(mutant)));
  for (const mutant of [...first, ...others].slice(0, MAX_MUTANTS))
    if (await isFoundBy(check, mutant, emulator)) return false;
  return true;
}

/** Whether a check fails when the mutant changes responses; undefined when it changed none. */
async function isFoundBy(
  check: GatheredCheck,
  mutant: ShapeMutant,
  emulator: Pick<SpoiledEmulator, 'set' | 'spoiled'>,
): Promise<boolean | undefined> {
  emulator.set(mutant);
  const record = await check.run();
  return emulator.spoiled > 0 ? isRed(record) : undefined;
}
