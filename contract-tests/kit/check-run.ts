import { AsyncLocalStorage } from 'node:async_hooks';
import { Agreement } from './agreement.ts';
import type { CheckRecord } from './check-record.ts';
import type { LooseParts } from './operations.ts';
import type { ReceivedResponse } from './target/client.ts';

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
