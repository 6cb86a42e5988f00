import { AsyncLocalStorage } from 'node:async_hooks';
import { Agreement } from './agreement.ts';
import type { LooseParts } from './operations.ts';
import type { Outcome } from './outcome.ts';
import type { CheckEntry } from './registry.ts';
import type { ReceivedResponse } from './target/client.ts';

/** The record of one run of one check. */
export interface CheckRecord extends Omit<CheckEntry, 'assumes' | 'needs'> {
  outcome: Outcome;
  reason: string | undefined;
  failure: FailureRecord | undefined;
  milliseconds: number;
  readonly exchanges: ExchangeRecord[];
  readonly assumptions: AssumptionRecord[];
  readonly observations: ObservationRecord[];
  readonly shapes: ShapeRecord[];
  readonly notes: string[];
}

/** A check by its id and sentence. */
export const nameOfCheck = ({ id, title }: Pick<CheckRecord, 'id' | 'title'>): string =>
  `${id} ${title}`;

/** The record of a check that has not run. */
export function blankRecord(
  { id, title, resource, level, effect, requirements }: CheckEntry,
  changes: Partial<CheckRecord> = {},
): CheckRecord {
  return {
    id,
    title,
    resource,
    level,
    effect,
    requirements,
    outcome: 'pass',
    reason: undefined,
    failure: undefined,
    milliseconds: 0,
    exchanges: [],
    assumptions: [],
    observations: [],
    shapes: [],
    notes: [],
    ...changes,
  };
}

interface FailureRecord {
  /** The operation of the latest request, its status, and the request as a curl command. */
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly curl: string | undefined;
  /** What differs, one line each. */
  readonly differences: readonly string[];
}

export interface ExchangeRecord {
  readonly operation: string;
  readonly status: number;
  /** Whether the check asserted the status and the shape. */
  asserted: boolean;
  readonly milliseconds: number;
}

interface AssumptionRecord {
  readonly id: string;
  readonly verdict: 'confirmed' | 'refuted';
  readonly detail: string | undefined;
}

export interface ObservationRecord {
  readonly name: string;
  readonly value: string;
}

export interface ShapeRecord {
  readonly kind: 'broken' | 'refuted' | 'undeclared' | 'status';
  readonly operation: string;
  readonly status: number;
  readonly finding: string;
  readonly assumptions: readonly string[];
}

/** Whether a response breaks the specification itself. */
export const isWrong = ({ kind }: ShapeRecord): boolean => kind === 'broken' || kind === 'status';

/** One run of one check, while it runs. */
export class CheckRun {
  /** The latest request, which a failure refers to, and its response status. */
  latest:
    | (Pick<ReceivedResponse, 'operation' | 'request'> & { readonly status?: number })
    | undefined;
  /** Fields that the check read, that only an assumption states, and that the responses lack. */
  readonly unshown = new Set<string>();
  /** Steps that undo changes of the check, latest first. */
  readonly afterwards: (() => Promise<unknown>)[] = [];
  readonly agreement = new Agreement();
  /** The customer that it wrote to last, and as whom. */
  latestCustomer?: { readonly id: string; readonly caller: LooseParts };
  /** True while the check builds a prerequisite. */
  isBuilding = false;

  constructor(readonly record: CheckRecord) {}
}

/** Notes the customer of a write that was accepted. */
export function noteCustomer(
  checkRun: CheckRun,
  parts: LooseParts,
  answer: ReceivedResponse,
): void {
  const { path, body, key, actingFor } = parts;
  const made = answer.operation === 'createCustomer' ? answer.body.id : undefined;
  const given = (body as { customer_id?: unknown } | undefined)?.customer_id;
  const id = path?.['customerId'] ?? given ?? made;
  if (typeof id !== 'string') return;
  const caller = { ...(key !== undefined && { key }), ...(actingFor && { actingFor }) };
  checkRun.latestCustomer = { id, caller };
}

/** Says that the check itself reads all that it wrote, so that nothing is read at its end. */
export function readsItself(): void {
  const checkRun = currentCheckRun();
  if (checkRun) delete checkRun.latestCustomer;
}

const current = new AsyncLocalStorage<CheckRun>();

export const withCheckRun = <T>(checkRun: CheckRun, run: () => Promise<T>): Promise<T> =>
  current.run(checkRun, run);

/** The check that is running in the current async context; undefined outside a check. */
export const currentCheckRun = (): CheckRun | undefined => current.getStore();
