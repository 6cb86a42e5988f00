import { type Client, createClient } from 'billing-emulator/client';
import { currentCheckRun } from '../check-run.ts';
import { layers } from '../layers.ts';
import type { LooseParts, OperationId } from '../operations.ts';
import { ContractFailure } from '../outcome.ts';
import type { CheckContext } from '../run-check.ts';
import { call as callService } from './api.ts';
import { unique } from './names.ts';
import { currentSession } from './session.ts';

// biome-ignore lint/suspicious/noExplicitAny: Checks compare the response field by field.
export type AnyBody = any;

/**
 * Calls an operation in the check's own world and returns the body.
 *
 * @throws ContractFailure when the response has none of the accepted statuses
 */
export type WorldCall = (
  /** An operation of the service or of the control API. */
  operation: Parameters<Client['send']>[0],
  parts: Pick<LooseParts, 'path' | 'query' | 'body' | 'raw' | 'actingFor'>,
  /** The accepted statuses; any success status by default. */
  statuses?: readonly number[],
) => Promise<AnyBody>;

/**
 * Creates a world for one check, on a target whose clock can be moved: `setClock` sets it to an instant, `advanceClock`
 * moves it forward. The world is deleted after the check. Its environment is that of the run's key by default.
 */
export function anOwnWorld(t: CheckContext, environment?: 'test' | 'live'): WorldCall {
  const { plan, own } = currentSession();
  const { target } = plan;
  const { baseUrl, serviceName } = target;
  // Parallel workers use different keys.
  const ofRun = `${target.key}-${unique('world')}`;
  const name = ofRun.replace(/^key_(test|live)_/, '');
  const key = environment === undefined ? ofRun : `key_${environment}_${name}`;
  own.add(key);
  const control = createClient({ url: baseUrl, key, serviceName });
  const call: WorldCall = async (operation, parts, statuses = [200, 201, 202, 204]) => {
    if (layers().assumed.operations.has(operation))
      return (await callService(operation as OperationId, { ...parts, key }, statuses)).body;
    const { actingFor: account, ...rest } = parts;
    currentCheckRun()?.agreement.changed();
    const { status, text } = await control.send(operation, { ...(rest as object), account });
    if (!statuses.includes(status)) throw new ContractFailure(`${operation}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  t.afterwards(() => control.call('deleteSandbox', { query: { name } }));
  return call;
}

/** A world as one of its connected accounts, a new one, sees it. */
export async function asConnectedAccount(call: WorldCall): Promise<WorldCall> {
  const { id: actingFor } = await call('createConnectedAccount', { body: { name: 'Connected' } });
  return (operation, parts, statuses) => call(operation, { ...parts, actingFor }, statuses);
}
