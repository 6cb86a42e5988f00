import { decimal, format } from '../domain/decimal.ts';
import { omitNullish } from '../domain/fields.ts';
import { violate } from '../domain/rules.ts';
import { methodOf } from '../resources/customers/payment-method.ts';
import {
  removeAutoTopUpRule as remove,
  setAutoTopUpRule as set,
} from '../resources/payments/auto-top-ups.ts';
import type { PaymentOutcome } from '../resources/payments/payables.ts';
import {
  completePayment,
  findPayable,
  removeMethod,
  saveMethod,
} from '../resources/payments/payments.ts';
import { rowsOf } from '../store/query.ts';
import type { CustomerRow, WalletAccountRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import { wireNumber } from '../text/exact-json.ts';
import {
  type ControlCall,
  type ControlContext,
  type ControlHandler,
  contextOf,
} from './context.ts';
import { customerNamed, isVisible, nothingNamed } from './scope.ts';

/** Acting for a connected account, a call settles nothing of others. @assumes A-1404 */
export const settlePayment: ControlHandler<'settlePayment'> = ({ path, body }, control) => {
  const context = contextOf(control);
  const payable = findPayable(context, path.id);
  if (!payable || !isVisible(control, payable)) return nothingNamed(path.id, control);
  const settled = control.world.commit(() => completePayment(context, path.id, outcomeOf(body)));
  return { status: 200, body: settled };
};

type Body = ControlCall<'settlePayment'>['body'];

function outcomeOf({ outcome, reason, payment_method }: Body): PaymentOutcome {
  const method = payment_method && methodOf(payment_method);
  switch (outcome) {
    case 'failed':
      return { outcome, ...omitNullish({ reason, method }) };
    case 'abandoned':
      return { outcome };
    default:
      return { outcome, ...omitNullish({ method }) };
  }
}

/** What a customer sets in the portal, without a browser. @assumes A-1105 */
export const setPaymentMethod: ControlHandler<'setPaymentMethod'> = ({ path, body }, control) => {
  const customer = customerOf(control, path.customerId);
  const { kind, ...shown } = body;
  const context = contextOf(control);
  control.world.commit(() => {
    if (kind === 'none') removeMethod(context, customer);
    else saveMethod(context, customer, methodOf({ kind, ...shown }));
  });
  return { status: 204 };
};

export const listAutoTopUps: ControlHandler<'listAutoTopUps'> = ({ path }, control) => {
  const { wallet_accounts, auto_top_ups } = control.world.tables;
  const { id } = customerOf(control, path.customerId);
  const rules = rowsOf(wallet_accounts, { customer_id: id })
    .map((account) => auto_top_ups.get(account.id))
    .filter((rule) => rule !== undefined);
  const items = rules.map(({ account_id, threshold, amount, currency, refused }) => ({
    account_id,
    threshold: wireNumber(threshold),
    amount: wireNumber(amount),
    currency,
    ...omitNullish({ refused }),
  }));
  return { status: 200, body: { items } };
};

export const setAutoTopUp: ControlHandler<'setAutoTopUp'> = ({ path, body }, control) => {
  const account = accountOf(control, path);
  const { threshold, amount, currency = account.asset } = body;
  const { return_url = control.baseUrl, failure_url = control.baseUrl } = body;
  if (threshold === null) {
    control.world.commit(() => remove(contextOf(control), account));
    return { status: 204 };
  }
  const terms = {
    threshold: format(decimal(threshold)),
    amount: format(decimal(amount ?? violate('auto_top_up.amount', 'amount'))),
    currency,
    return_url,
    failure_url,
  };
  const context = { ...contextOf(control), owner: account.owner };
  control.world.commit(() => set(context, account, terms));
  return { status: 204 };
};

/** The customer that a call names. @throws Rejection where there is none */
const customerOf = (control: ControlContext, name: string): CustomerRow =>
  customerNamed(control, name) ?? nothingNamed(name, control);

function accountOf(
  control: ControlContext,
  path: { readonly customerId: string; readonly accountId: string },
): WalletAccountRow {
  const customer = customerOf(control, path.customerId);
  const { wallet_accounts } = control.world.tables;
  const account = wallet_accounts.get(key(customer.id, path.accountId));
  return account ?? nothingNamed(path.accountId, control);
}
