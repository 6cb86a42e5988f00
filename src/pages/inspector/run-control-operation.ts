import type {
  ControlCall,
  ControlHandler,
  ControlId,
  ControlReply,
} from '../../control/context.ts';
import { controlHandlers } from '../../control/index.ts';
import { findInBody } from '../../control/worlds/world-exchange.ts';
import { type Finding, RuleViolation, throwIfInvalid } from '../../domain/rules.ts';
import { BadRequest } from '../../http/input.ts';
import { Refusal } from '../../resources/problems.ts';
import { type PageAnswer, withStatus } from '../answer.ts';
import type { InspectorRequest, PageStep } from './inspector-request.ts';

export interface ControlCallParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The body, for an operation that reads it as a stream. */
  readonly pieces?: AsyncIterable<Buffer>;
}

/**
 * Calls an operation of the control interface for a form. The body is validated as for a call over HTTP.
 *
 * @throws RuleViolation, Refusal
 */
export async function runControlOperation<Id extends ControlId>(
  request: InspectorRequest,
  id: Id,
  { path = {}, query = {}, body, pieces }: ControlCallParts,
): Promise<ControlReply<Id>> {
  if (body) throwIfInvalid(findInBody(id, body));
  const handle: ControlHandler<Id> = controlHandlers[id];
  const call = { path, query, body: pieces ?? body } as unknown as ControlCall<Id>;
  const reply = await handle(call, request.control);
  const { world, owner } = request.control;
  const { status, body: answer } = reply as { readonly status: number; readonly body?: unknown };
  request.control.recordMove({ world, owner, operation: id, path, body, status, answer });
  request.control.life.touch(world);
  return reply;
}

/** Runs an action. If it is refused, shows the page of its form again with the reason. */
export async function orShowAgain(
  request: InspectorRequest,
  show: PageStep,
  work: () => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const formError = refusalText(error);
    if (formError === undefined) throw error;
    return withStatus(422, await show({ ...request, formError }));
  }
}

/** Returns why a form was refused, as text for the user; undefined for a defect. */
function refusalText(error: unknown): string | undefined {
  if (error instanceof BadRequest) return error.message;
  if (error instanceof RuleViolation) return error.findings.map(formErrorOf).join(' ');
  if (!(error instanceof Refusal)) return undefined;
  return error.status === 404 ? 'It no longer exists.' : (error.detail ?? error.message);
}

/** Names the field only if it is nested, because a form has its own labels for the others. */
const formErrorOf = ({ field, message }: Finding): string =>
  /[.[]/.test(field) ? `${field}: ${message}` : message;
