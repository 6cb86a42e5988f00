import type { OperationSpec } from 'billing-emulator/spec';
import { layers } from '../../kit/layers.ts';
import { registry } from '../../kit/registry.ts';
import { assumptionsAt } from '../../kit/shape.ts';

/** The assumptions and requirements that a difference touches. */
export interface Touched {
  readonly assumptions: readonly string[];
  readonly requirements: readonly string[];
}

const MAX_REQUIREMENTS = 3;

/**
 * Finds the assumptions and requirements behind a place of a response.
 *
 * @param at such as `['body', 'items', '*', 'name']`
 * @param relied assumptions that the emulator's response names, used when the place itself has none
 */
export function touchedBy(
  operation: OperationSpec | undefined,
  status: number,
  at: readonly string[],
  relied: readonly string[],
): Touched {
  if (!operation) return { assumptions: [], requirements: [] };
  const [place, ...steps] = at;
  const pointer = operation.replies.get(status);
  const marked = place === 'body' ? assumptionsAt(layers().closed, pointer, steps) : [];
  const word = place === 'status' ? String(status) : (at.findLast((step) => step !== '*') ?? '');
  return {
    assumptions: marked.length > 0 ? marked : relied,
    requirements: requirementsAbout(operation.id, word),
  };
}

function requirementsAbout(operation: string, word: string): readonly string[] {
  const names = new RegExp(`(?<![\\w])${word.replaceAll(/\W/g, '.')}(?![\\w])`, 'i');
  return [...registry().requirements.values()]
    .filter(({ operations, text }) => operations.includes(operation) && names.test(text))
    .map(({ id }) => id)
    .slice(0, MAX_REQUIREMENTS);
}

/** The assumptions in the header of an emulator's response. */
export const reliedOn = (header: string | string[] | undefined): readonly string[] =>
  [header ?? []].flat().flatMap((text) => text.split(',').map((id) => id.trim()));
