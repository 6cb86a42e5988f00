import type { OperationSpec } from 'billing-emulator/spec';
import { layers } from '../kit/layers.ts';
import { registry } from '../kit/registry.ts';
import { assumptionsAt } from '../kit/shape.ts';

/** What a difference touches: decisions on what the specification leaves open, and demands of it. */
export interface Touched {
  readonly assumptions: readonly string[];
  readonly requirements: readonly string[];
}

const MOST_REQUIREMENTS = 3;

/**
 * Finds what a place of an answer rests on.
 *
 * @param at such as `['body', 'items', '*', 'name']`
 * @param relied decisions that the emulator's answer names, which count where the place itself has none
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
    .slice(0, MOST_REQUIREMENTS);
}

/** The decisions that an answer of the emulator says that it relies on. */
export function reliedOn(header: string | string[] | undefined): readonly string[] {
  return [header ?? []].flat().flatMap((text) => text.split(',').map((id) => id.trim()));
}
