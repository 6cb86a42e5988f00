import { InvalidEffect, readEffect } from '../../../faults/header.ts';
import type { FaultEffect } from '../../../faults/rule.ts';
import { BadRequest } from '../../../http/input.ts';
import type { DeliveryFault } from '../../../store/records.ts';
import type { FormField } from '../../forms.tsx';
import type { ControlCallParts } from '../run-control-operation.ts';

/** Reads a rule. Its effect is written as in the fault header, or as `delivery=drop`. @throws BadRequest */
export function faultCall(field: FormField): ControlCallParts {
  const [operation, customer, times] = [field('operation'), field('customer'), field('times')];
  const match = { ...(operation && { operation }), ...(customer && { customer }) };
  return {
    body: {
      ...effectOf(field('effect')),
      ...(Object.keys(match).length > 0 && { match }),
      ...(times && { times: Number(times) }),
    },
  };
}

function effectOf(text: string): FaultEffect {
  const [, delivery, status] = /^delivery=(\w+)(?:, *status=(\d+))?$/.exec(text.trim()) ?? [];
  if (delivery !== undefined)
    return { delivery: delivery as DeliveryFault, ...(status && { status: Number(status) }) };
  try {
    return readEffect(text, 'What happens');
  } catch (error) {
    throw error instanceof InvalidEffect ? new BadRequest(error.message) : error;
  }
}

/** Reads a form with all rules as JSON. They replace the present rules. @throws BadRequest */
export function faultRulesCall(field: FormField): ControlCallParts {
  try {
    return { body: { rules: JSON.parse(field('rules')) } };
  } catch {
    throw new BadRequest('This is not JSON.');
  }
}
