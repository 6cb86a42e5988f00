import { FAULT_HEADER, readFaultDirective } from '../../../http/faults/fault-directive.ts';
import { loadDocument } from '../../../spec/document.ts';
import type { PageAnswer } from '../../answer.ts';
import { fieldText } from '../../hosted/card-form.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { runControlOperation, tryAction } from '../run-control-operation.ts';
import type { GivenRule } from './fault-forms.tsx';
import { showFaults } from './faults.tsx';

/** Adds a rule whose effect is written as in the header of a request. */
export function addFaultAction(visit: InspectorRequest): Promise<PageAnswer> {
  const [operation = '', customer = '', effect = '', times = ''] = [
    'operation',
    'customer',
    'effect',
    'times',
  ].map((name) => fieldText(visit.body, name));
  const given = { operation, customer, effect, times };
  const document = loadDocument('openapi');
  const rawRequest = { method: 'GET', path: '/', search: '', headers: { [HEADER]: effect } };
  const asked = readFaultDirective(rawRequest, document, document.operations.get(operation));
  if (asked && 'complaint' in asked)
    return Promise.resolve(showFaults(visit, { trouble: asked.complaint, given }));
  const match = { ...(operation && { operation }), ...(customer && { customer }) };
  const body = {
    ...asked?.effect,
    ...(Object.keys(match).length > 0 && { match }),
    ...(times && { times: Number(times) }),
  };
  return change(visit, given, () => runControlOperation(visit, 'addFault', { body }));
}

const HEADER = FAULT_HEADER.toLowerCase();

/** Puts the rules of a JSON text in the place of all others. */
export function setFaultsAction(visit: InspectorRequest): Promise<PageAnswer> {
  const text = fieldText(visit.body, 'rules');
  const given = { rules: text };
  const rules = readJson(text);
  if (rules === undefined)
    return Promise.resolve(showFaults(visit, { trouble: 'This is not JSON.', given }));
  return change(visit, given, () => runControlOperation(visit, 'setFaults', { body: { rules } }));
}

export function clearFaultsAction(visit: InspectorRequest): Promise<PageAnswer> {
  return change(visit, {}, () => runControlOperation(visit, 'clearFaults', {}));
}

function change(
  visit: InspectorRequest,
  given: GivenRule,
  work: () => Promise<unknown>,
): Promise<PageAnswer> {
  return tryAction(
    async () => {
      await work();
      return { location: visit.link('/faults') };
    },
    (trouble) => showFaults(visit, { trouble, given }),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
