import { show } from './expectations.ts';
import {
  type CallStep,
  type PayStep,
  type Place,
  type Problem,
  type RequestParts,
  stepsOfField,
} from './scenario.ts';
import type { ScenarioReply } from './scenario-target.ts';

/** Thrown by a step that cannot go on, with its problems. */
export class Stop extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('This step cannot go on.');
  }
}

/** @throws Stop when the answer has another status than expected */
export function judgeStatus(
  step: CallStep | PayStep,
  { status, body }: ScenarioReply,
  place: Place,
): void {
  const expected = typeof step.expect === 'object' ? step.expect.status : step.expect;
  if (expected === undefined ? status >= 200 && status < 300 : status === expected) return;
  const wanted = expected ?? 'a success';
  const findings = findingsOf(body, (field) => placeOfField(step, field, place));
  const got = findings.length > 0 ? status : `${status} ${show(body)}`;
  const message = `expected ${wanted}, got ${status === 0 ? 'no response' : got}`;
  throw new Stop([{ place, message }, ...findings]);
}

/** The findings of a rejected request, each at the place of its field. */
export function findingsOf(body: unknown, placeOf: (field: string) => Place): Problem[] {
  const { errors } = (body ?? {}) as { errors?: Record<string, string[]> };
  return Object.entries(errors ?? {}).map(([field, messages]) => ({
    place: placeOf(field),
    message: `${field}: ${messages.join(' ')}`,
  }));
}

/** The place in the step of a field that a response names. */
function placeOfField(step: CallStep | PayStep, field: string, place: Place): Place {
  const steps = stepsOfField(field);
  if ('pay' in step) return [...place, ...steps];
  const [first = ''] = steps;
  const part = (['path', 'query'] as const).find((name) => step[name]?.[first] !== undefined);
  return [...place, part ?? 'body', ...steps];
}

/** Throws if a value of a path or header is not text. References can resolve to other types. */
export function insistOnText(parts: RequestParts | undefined, place: Place): void {
  for (const [name, value] of Object.entries(parts ?? {}))
    if (typeof value === 'object')
      throw new Stop([{ place: [...place, name], message: `expected text, got ${show(value)}` }]);
}

/** The place in the step of a fault rule's field that a response names. */
export function placeFaultField(field: string, place: Place): Place {
  const steps = stepsOfField(field);
  return [...place, ...(steps[0] === 'rules' ? steps.slice(1) : steps)];
}
