import { methodOf } from '../resources/customers/payment-method.ts';
import type { PaymentOutcome } from '../resources/payments/payables.ts';
import { completePayment, findPayable } from '../resources/payments/payments.ts';
import {
  type ControlCall,
  type ControlContext,
  type ControlHandler,
  contextOf,
} from './context.ts';
import { idsOf, isVisible, nothingNamed, rowsInScope } from './scope.ts';

/** Acting for a connected account, a call settles nothing of others. @assumes A-1404 */
export const settlePayment: ControlHandler<'settlePayment'> = ({ path, body }, control) => {
  const context = contextOf(control);
  const payable = findPayable(context, path.id);
  if (!payable || !isVisible(control, payable))
    return nothingNamed(path.id, control, payableIds(control));
  const settled = control.world.commit(() => completePayment(context, path.id, outcomeOf(body)));
  return { status: 200, body: settled };
};

function* payableIds(control: ControlContext): Iterable<string> {
  const { subscriptions, top_ups } = control.world.tables;
  yield* idsOf(rowsInScope(control, subscriptions));
  yield* idsOf(rowsInScope(control, top_ups));
}

type Body = ControlCall<'settlePayment'>['body'];

function outcomeOf({ outcome, reason, payment_method }: Body): PaymentOutcome {
  const method = payment_method && methodOf(payment_method);
  switch (outcome) {
    case 'failed':
      return { outcome, ...(reason !== undefined && { reason }) };
    case 'abandoned':
      return { outcome };
    default:
      return { outcome, ...(method && { method }) };
  }
}
