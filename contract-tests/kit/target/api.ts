import type { Effect } from 'billing-emulator/spec';
import { noteUnshownReads, restOn } from '../assuming.ts';
import type { ExchangeRecord, ShapeRecord } from '../check-record.ts';
import { type CheckRun, currentCheckRun, noteCustomer } from '../check-run.ts';
import { REMOVERS, type Remover } from '../created-objects.ts';
import { dateFindings, invariantFindings } from '../invariants.ts';
import { specifiedStatuses } from '../layers.ts';
import {
  type Body,
  type CallParts,
  type LooseParts,
  type OperationId,
  operationOf,
  type Status,
} from '../operations.ts';
import { ContractFailure, HarnessError, SpecifiedBreak } from '../outcome.ts';
import { findings, type ShapeFinding, validateShape } from '../shape.ts';
import { assumptionOf } from './beyond-specification.ts';
import { type ReceivedResponse, sentRequest } from './client.ts';
import { spellingsOf } from './names.ts';
import { validateRequest } from './own-request.ts';
import { askTarget } from './patience.ts';
import { currentSession, type Session } from './session.ts';

/**
 * Calls an operation and asserts the status and the response shape that the specification states. Returns the body,
 * typed for that status.
 */
export async function api<Id extends OperationId, S extends Status<Id>>(
  operation: Id,
  parts: CallParts<Id>,
  status: S,
): Promise<Body<Id, S>> {
  const answer = await call(operation, parts as LooseParts, [status]);
  return answer.body as Body<Id, S>;
}

/** Calls an operation, with parts that can be invalid, and asserts one of several statuses. @throws ContractFailure */
export async function call(
  operation: OperationId,
  parts: LooseParts,
  statuses: readonly number[],
): Promise<ReceivedResponse> {
  if (statuses.length === 0) throw new HarnessError('call() needs a status to expect');
  if (statuses.every((status) => status < 300)) validateRequest(operation, parts);
  const { answer, shapes, record } = await transmit(operation, parts, statuses);
  if (!statuses.includes(answer.status)) {
    const id = [400, 422].includes(answer.status) ? assumptionOf(operation, parts) : undefined;
    if (id !== undefined) await restOn(id, false, `${operation} ${answer.status}`);
    throw new ContractFailure(
      `${operation}: expected ${statuses.join(' or ')}, got ${answer.status}`,
      [`status: the service says ${answer.status}, expected ${statuses.join(' or ')}`],
    );
  }
  const found = (wanted: ShapeRecord['kind']) =>
    shapes.filter(({ kind }) => kind === wanted).map(({ finding }) => finding);
  const place = `${operation} ${answer.status}`;
  const broken = found('broken');
  if (broken.length > 0) throw new SpecifiedBreak(`${place}: ${broken.join('; ')}`, broken);
  const { plan } = currentSession();
  const refuted = plan.target.kind === 'ours' ? found('refuted') : [];
  if (refuted.length > 0) throw new ContractFailure(`${place}: ${refuted.join('; ')}`, refuted);
  if (record) record.asserted = true;
  return answer;
}

/** Asserts that a request is rejected, with 400 or 422 by default. */
export function refused(
  operation: OperationId,
  parts: LooseParts,
  statuses: readonly number[] = [400, 422],
): Promise<ReceivedResponse> {
  return call(operation, parts, statuses);
}

/** Sends a request without asserting its status. The response shape is validated and recorded. */
export async function send(
  operation: OperationId,
  parts: LooseParts = {},
): Promise<ReceivedResponse> {
  return (await transmit(operation, parts, [])).answer;
}

/** Reads, and asserts only that the response agrees with others. Returns its body, or undefined for another status than 200. */
export async function look<Id extends OperationId>(operation: Id, parts: LooseParts) {
  const { answer, shapes } = await transmit(operation, parts, []);
  const broken = shapes
    .filter(({ kind }) => kind === 'broken' || kind === 'refuted')
    .map(({ finding }) => finding);
  if (broken.length > 0)
    throw new ContractFailure(
      `At the end of the check, ${operation}: ${broken.join('; ')}`,
      broken,
    );
  return answer.status === 200 ? answer.body : undefined;
}

interface Transmitted {
  readonly answer: ReceivedResponse;
  readonly shapes: readonly ShapeRecord[];
  readonly record: ExchangeRecord | undefined;
}

async function transmit(
  operation: OperationId,
  parts: LooseParts,
  expected: readonly number[],
): Promise<Transmitted> {
  const current = currentSession();
  const { plan, guard, created, redactor, own, patience, consistency } = current;
  const checkRun = currentCheckRun();
  const spec = operationOf(operation);
  const declared: Effect | undefined =
    checkRun?.isBuilding === false ? checkRun.record.effect : undefined;
  const { path = {}, body, key } = parts;
  // The check's own world is deleted with all its contents.
  const isOwnWorld = typeof key === 'string' && own.has(key);
  await guard.admit({ operation: spec, path, body, expected, declared, isOwnWorld });

  const makes =
    spec.method === 'POST' && !isOwnWorld ? created.announce(operation, markerOf(body)) : undefined;
  if (checkRun) checkRun.latest = { operation, request: sentRequest(operation, parts) };
  if (spec.method === 'GET') await consistency.beforeRead();
  const asking = { ...plan, patience, expected, before: () => guard.spend() };
  const end = checkRun?.agreement.begin(operation, parts);
  const answer = await askTarget(asking, operation, parts).catch((error) => {
    end?.();
    throw error;
  });
  // Others can change what a foreign target holds.
  const contradictions = plan.target.kind === 'ours' ? (end?.(answer) ?? []) : [];
  redactor.learnFrom(answer.body);
  if (spec.method !== 'GET') {
    noteWrite(current, answer, parts, makes);
    if (checkRun && answer.status < 300) noteCustomer(checkRun, parts, answer);
  }
  return { answer, ...keep(checkRun, answer, parts, contradictions) };
}

/** Notes what a write has made or removed. `makes` is what it was announced to make. */
function noteWrite(
  { created, own, consistency }: Session,
  { operation, status, body }: ReceivedResponse,
  { path = {} }: LooseParts,
  makes: number | undefined,
): void {
  const isPost = operationOf(operation).method === 'POST';
  const id = isPost && status < 300 ? idOf(body) : undefined;
  if (id !== undefined) for (const each of spellingsOf(id)) own.add(each);
  if (makes !== undefined) created.settle(makes, status, id);
  const removes = status === 204 ? REMOVERS[operation as Remover] : undefined;
  const gone = removes === undefined ? undefined : path[removes];
  if (gone !== undefined) created.remove(String(gone));
  if (status < 300) consistency.afterWrite();
}

/** Validates the response shape and records it with the running check. */
function keep(
  checkRun: CheckRun | undefined,
  answer: ReceivedResponse,
  parts: LooseParts,
  contradictions: readonly string[],
): Omit<Transmitted, 'answer'> {
  const isOfOperation = parts.address === undefined && parts.method === undefined;
  const { operation, status } = answer;
  const found = isOfOperation ? [...findingsIn(answer), ...findings('broken', contradictions)] : [];
  const shapes = found.map(({ lacks, ...rest }): ShapeRecord => ({ operation, status, ...rest }));
  if (!checkRun || !isOfOperation) return { shapes, record: undefined };
  noteUnshownReads(answer, found, checkRun);
  const record: ExchangeRecord = {
    operation,
    status,
    asserted: false,
    milliseconds: Math.round(answer.milliseconds),
  };
  checkRun.latest = answer;
  checkRun.record.exchanges.push(record);
  checkRun.record.shapes.push(...shapes);
  return { shapes, record };
}

function findingsIn(answer: ReceivedResponse): readonly ShapeFinding[] {
  const { operation, status, body, text, headers } = answer;
  const spec = operationOf(operation);
  const isKnown =
    spec.replies.has(status) && (status < 500 || specifiedStatuses(spec).includes(status));
  if (!isKnown) {
    // The specification has one meaning of 404 for all operations; that the others never return it is an assumption.
    const isMissing = status === 404 && text === '' && spec.path.includes('{');
    const found = findings(isMissing ? 'refuted' : 'status', ['no declared status']);
    return found.map((one) => ({ ...one, assumptions: isMissing ? ['A-201'] : [] }));
  }
  if (spec.replies.get(status) === null) return validateShape(spec, status, text || undefined);
  if (body === undefined) return findings('broken', ['no JSON body']);
  const isJson = /^application\/(\S+\+)?json\b/i.test(String(headers['content-type']));
  if (!isJson) return findings('broken', ['no content type of JSON']);
  const found = validateShape(spec, status, body);
  const isOfForm = found.every(({ kind }) => kind === 'undeclared');
  if (!isOfForm) return found;
  const made = status === 201 ? dateFindings(headers['date'], body) : [];
  return [...found, ...made, ...invariantFindings(body)];
}

function idOf(body: unknown): string | undefined {
  const { id, code } = (body ?? {}) as { id?: unknown; code?: unknown };
  return typeof id === 'string' ? id : typeof code === 'string' ? code : undefined;
}

/** Text that identifies the object when its id never arrives. */
function markerOf(body: unknown): string {
  const given = (body ?? {}) as Record<string, unknown>;
  for (const name of ['external_id', 'code', 'transaction_id', 'url', 'subject', 'name'])
    if (typeof given[name] === 'string') return `${name}=${given[name]}`;
  return '';
}
