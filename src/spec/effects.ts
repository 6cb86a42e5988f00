import type { OperationSpec } from './document.ts';

/**
 * What a request can do to an account. E0 reads. E1 is rejected, or computes without storing. E2 can be undone.
 * E3 stays but has no further effect. E4 moves money or reaches other people.
 */
export const EFFECTS = ['E0', 'E1', 'E2', 'E3', 'E4'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Returns the effect of an executed request, from `x-effect` and `x-effect-if-true` of the document. */
export function effectOf({ effect, effectIfTrue }: OperationSpec, body: unknown): Effect {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const field = Object.keys(effectIfTrue).find((name) => fields[name] === true);
  return (field === undefined ? effect : effectIfTrue[field]) as Effect;
}
