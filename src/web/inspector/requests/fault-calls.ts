import type { FaultEffect } from '../../../faults/fault-rule.ts';
import { FAULT_HEADER, readFaultDirective } from '../../../http/faults/fault-directive.ts';
import { loadDocument } from '../../../spec/document.ts';
import type { DeliveryFault } from '../../../state/records.ts';
import type { FormField } from '../actions.ts';
import { type ControlCallParts, UnreadableForm } from '../run-control-operation.ts';

const HEADER = FAULT_HEADER.toLowerCase();

/** Reads a rule. Its effect is written as in the fault header, or as `delivery=drop`. @throws UnreadableForm */
export function faultCall(field: FormField): ControlCallParts {
  const [operation, customer, times] = [field('operation'), field('customer'), field('times')];
  const match = { ...(operation && { operation }), ...(customer && { customer }) };
  return {
    body: {
      ...effectOf(field('effect'), operation),
      ...(Object.keys(match).length > 0 && { match }),
      ...(times && { times: Number(times) }),
    },
  };
}

function effectOf(text: string, operation: string): FaultEffect | undefined {
  const [, delivery] = /^delivery=(\w+)$/.exec(text.trim()) ?? [];
  if (delivery !== undefined) return { delivery: delivery as DeliveryFault };
  const document = loadDocument('openapi');
  const headers = { [HEADER]: text };
  const rawRequest = { method: 'GET', path: '/', search: '', headers };
  const directive = readFaultDirective(rawRequest, document, document.operations.get(operation));
  if (directive && 'complaint' in directive)
    throw new UnreadableForm(directive.complaint.replace(FAULT_HEADER, 'What happens'));
  return directive?.effect;
}

/** Reads a form with all rules as JSON. They replace the present rules. @throws UnreadableForm */
export function faultRulesCall(field: FormField): ControlCallParts {
  try {
    return { body: { rules: JSON.parse(field('rules')) } };
  } catch {
    throw new UnreadableForm('This is not JSON.');
  }
}
