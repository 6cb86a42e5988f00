import type { BrokenRule } from './validate.ts';

/**
 * Reduces the errors of a `oneOf`. Keeps the errors of the alternatives that have the value's type. If none
 * has, returns one error that lists all types. The errors must come from a verbose compiler.
 */
export function settleAlternatives(errors: readonly BrokenRule[]): readonly BrokenRule[] {
  const mistyped = new Map<string, BrokenRule[]>(
    errors
      .filter(({ keyword }) => keyword === 'oneOf')
      .map(({ instancePath }) => [instancePath, []]),
  );
  if (mistyped.size === 0) return errors;
  for (const error of errors)
    if (error.keyword === 'type') mistyped.get(error.instancePath)?.push(error);
  const isUnfit = ({ instancePath, parentSchema }: BrokenRule) =>
    mistyped.get(instancePath)?.some((other) => other.parentSchema === parentSchema) ?? false;
  const told = errors.filter((error) => error.keyword !== 'oneOf' && !isUnfit(error));
  const explained = new Set(told.flatMap(({ instancePath }) => placesAround(instancePath)));
  const merged = [...mistyped]
    .filter(([place, [first]]) => first !== undefined && !explained.has(place))
    .map(([, [first, ...others]]) => ({
      ...(first as BrokenRule),
      params: { type: [...new Set([first, ...others].flatMap((each) => each?.params['type']))] },
    }));
  return [...told, ...merged];
}

/** A path and all its parent paths. */
function placesAround(place: string): string[] {
  const steps = place.split('/');
  return steps.map((_, end) => steps.slice(0, end + 1).join('/'));
}
