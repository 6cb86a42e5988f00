import type { BrokenRule } from './validate.ts';

/**
 * What is wrong with a value that a `oneOf` offers several schemas for: what those find whose type it has, or,
 * where it has the type of none, one finding that lists all types. The errors come from a verbose compiler.
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

/** A place, and all that it lies in. */
function placesAround(place: string): string[] {
  const steps = place.split('/');
  return steps.map((_, end) => steps.slice(0, end + 1).join('/'));
}
