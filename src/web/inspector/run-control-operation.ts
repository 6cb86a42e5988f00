import type { ControlCall, ControlId, ControlReply } from '../../control/context.ts';
import { controlHandlers } from '../../control/index.ts';
import { type Finding, RuleViolation, refuseAll } from '../../domain/rules.ts';
import { Refusal } from '../../resources/problems.ts';
import { loadDocument } from '../../spec/document.ts';
import { describeErrors } from '../../spec/findings.ts';
import { validatorsOf } from '../../spec/validators.ts';
import type { PageAnswer } from '../answer.ts';
import type { InspectorRequest } from './inspector-request.ts';

type Steerable<Id extends ControlId> = (
  call: ControlCall<Id>,
  context: InspectorRequest['control'],
) => ControlReply<Id> | Promise<ControlReply<Id>>;

interface SteeringCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/**
 * Calls an operation of the control interface for a form. Its body is judged as that of a call from outside.
 *
 * @throws RuleViolation, Refusal
 */
export async function runControlOperation<Id extends ControlId>(
  visit: InspectorRequest,
  id: Id,
  { path = {}, query = {}, body }: SteeringCall,
): Promise<ControlReply<Id>> {
  const document = loadDocument('control');
  const operation = document.operations.get(id);
  if (operation && body) refuseAll(describeErrors(validatorsOf(document).body(operation)(body)));
  visit.options.touch();
  const handle = controlHandlers[id] as unknown as Steerable<Id>;
  return handle({ path, query, body } as unknown as ControlCall<Id>, visit.control);
}

/** Answers what an action comes to; where it is refused, the page that it was asked for on, with the reason. */
export async function tryAction(
  work: () => Promise<PageAnswer>,
  refused: (trouble: string) => PageAnswer,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RuleViolation) return refused(error.findings.map(troubleOf).join(' '));
    if (error instanceof Refusal) return refused(REFUSALS[error.status]);
    throw error;
  }
}

/** A form shows its own field; what lies deeper is named. */
function troubleOf({ field, message }: Finding): string {
  return /[.[]/.test(field) ? `${field}: ${message}` : message;
}

const REFUSALS = {
  404: 'It is not there any more.',
  409: 'It is there already, or the clock is just being advanced. Try again later.',
} as const;
