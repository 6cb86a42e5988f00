import type { Place } from '../scenario.ts';

/** A step in progress. It gets a name once something refers to its response. */
export interface StepDraft {
  /** The subject of its operation: `customer`, `top_up`. */
  readonly noun: string;
  name?: string;
}

export function draftOf(operation: string): StepDraft {
  const [, noun = operation] = /^[a-z]+([A-Z]\w*)$/.exec(operation) ?? [];
  return { noun: noun.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase() };
}

/** Returns a function that makes references and names the steps: `customer_1`, `customer_2`. */
export function createReferrer(): (draft: StepDraft, place: Place) => string | undefined {
  const counts = new Map<string, number>();
  return (draft, place) => {
    if (!place.every((step) => typeof step === 'number' || /^\w+$/.test(step))) return undefined;
    const { noun } = draft;
    const count = counts.get(noun) ?? 0;
    if (draft.name === undefined) counts.set(noun, count + 1);
    draft.name ??= `${noun}_${count + 1}`;
    const path = place.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    return `$${draft.name}${path.join('')}`;
  };
}
