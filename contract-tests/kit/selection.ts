import type { Effect } from 'billing-emulator/spec';
import { exceeds, type RunPlan, type Selection } from './plan.ts';
import { type CheckEntry, registry } from './registry.ts';

/** The reasons of checks that need a capability. */
export const NEEDS = {
  'payment.completable': 'needs --payment-hook to complete payments',
  'clock.movable': 'needs an emulator whose clock may be moved: --offers clock.movable',
} as const;

/** Why a check is left out of a run before it begins; undefined when it is not. */
export function reasonNotRun(
  entry: CheckEntry,
  { selection, ceiling, offers }: Pick<RunPlan, 'selection' | 'ceiling' | 'offers'>,
): string | undefined {
  const reason = reasonNotSelected(entry, selection);
  if (reason !== undefined) return reason;
  const { effect, needs } = entry;
  if (exceeds(effect, ceiling)) return beyondCeiling(effect, ceiling);
  const missing = needs.find((need) => !offers.includes(need));
  return missing && NEEDS[missing as keyof typeof NEEDS];
}

/** Why a selection excludes a check; undefined when it does not. */
export function reasonNotSelected(
  entry: CheckEntry,
  { only, skip }: Selection,
): string | undefined {
  const names = [entry.id, entry.resource];
  if (only.length > 0 && !matchesAny(names, only)) return 'left out by --only';
  if (matchesAny(names, skip)) return 'left out by --skip';
  return undefined;
}

const matchesAny = (names: readonly string[], globs: readonly string[]): boolean =>
  globs.some((glob) => names.some((name) => patternOf(glob).test(name)));

/** The patterns of a selection that match no check. */
export function matchesNothing({ only, skip }: Selection): readonly string[] {
  const known = [...registry().checks.values()].flatMap(({ id, resource }) => [id, resource]);
  return [...only, ...skip].filter((glob) => !matchesAny(known, [glob]));
}

function patternOf(glob: string): RegExp {
  const text = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${text}$`, 'i');
}

/** Why a check, or an object that it needs, is left out. */
export const beyondCeiling = (effect: Effect, ceiling: Effect): string =>
  `needs ${effect}, beyond the ceiling ${ceiling}, which --effects and --confirm-account raise`;
