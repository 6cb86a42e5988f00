import type { OperationSpec } from './document.ts';

/**
 * What a request may do to the account it is sent to. E0 reads; E1 must be refused, or computes without
 * storing; E2 can be undone; E3 stays but is inert; E4 is money-like or reaches other people.
 */
export const EFFECTS = ['E0', 'E1', 'E2', 'E3', 'E4'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The effect of a request that is carried out, by `x-effect` and `x-effect-if-true` of the document. */
export function effectOf({ effect, effectIfTrue }: OperationSpec, body: unknown): Effect {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const field = Object.keys(effectIfTrue).find((name) => fields[name] === true);
  return (field === undefined ? effect : effectIfTrue[field]) as Effect;
}
