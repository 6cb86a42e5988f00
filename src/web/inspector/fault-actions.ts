import { FAULT_HEADER, readAsked } from '../../http/faults/one-request.ts';
import { loadDocument } from '../../spec/document.ts';
import type { Answer } from '../answer.ts';
import { fieldText } from '../card-form.ts';
import type { GivenRule } from './fault-forms.tsx';
import { showFaults } from './faults.tsx';
import { attempt, steer } from './steer.ts';
import type { Visit } from './visit.ts';

/** Adds a rule whose effect is written as in the header of a request. */
export function addFault(visit: Visit): Promise<Answer> {
  const [operation = '', customer = '', effect = '', times = ''] = [
    'operation',
    'customer',
    'effect',
    'times',
  ].map((name) => fieldText(visit.body, name));
  const given = { operation, customer, effect, times };
  const document = loadDocument('openapi');
  const incoming = { method: 'GET', path: '/', search: '', headers: { [HEADER]: effect } };
  const asked = readAsked(incoming, document, document.operations.get(operation));
  if (asked && 'complaint' in asked)
    return Promise.resolve(showFaults(visit, { trouble: asked.complaint, given }));
  const match = { ...(operation && { operation }), ...(customer && { customer }) };
  const body = {
    ...asked?.effect,
    ...(Object.keys(match).length > 0 && { match }),
    ...(times && { times: Number(times) }),
  };
  return change(visit, given, () => steer(visit, 'addFault', { body }));
}

const HEADER = FAULT_HEADER.toLowerCase();

/** Puts the rules of a JSON text in the place of all others. */
export function setFaults(visit: Visit): Promise<Answer> {
  const text = fieldText(visit.body, 'rules');
  const given = { rules: text };
  const rules = readJson(text);
  if (rules === undefined)
    return Promise.resolve(showFaults(visit, { trouble: 'This is not JSON.', given }));
  return change(visit, given, () => steer(visit, 'setFaults', { body: { rules } }));
}

export function clearFaults(visit: Visit): Promise<Answer> {
  return change(visit, {}, () => steer(visit, 'clearFaults', {}));
}

function change(visit: Visit, given: GivenRule, work: () => Promise<unknown>): Promise<Answer> {
  return attempt(
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
