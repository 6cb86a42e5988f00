import { violate } from '../../domain/rules.ts';
import type { components } from '../../spec/control.d.ts';
import type { PaymentMethod, SubscriptionRow, TopUpRow } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { notFound } from '../problems.ts';
import { settleSubscription } from '../subscriptions/settle-subscription.ts';
import { settleTopUp } from './settle-top-up.ts';

/** What became of a hosted payment: on its page, from the portal or through the control interface. */
export type PaymentOutcome =
  | { readonly outcome: 'succeeded' | 'processing'; readonly method?: PaymentMethod }
  | { readonly outcome: 'failed'; readonly reason?: string; readonly method?: PaymentMethod }
  | { readonly outcome: 'abandoned' };

/** What a payment came to, as the control interface tells it. */
export type SettledPayment = components['schemas']['SettledPayment'];

/** The top-up or subscription that an id, or the token of a link, names. */
export function findPayable(
  { tables: { top_ups, subscriptions, payment_links } }: Context,
  idOrToken: string,
): TopUpRow | SubscriptionRow | undefined {
  const topUp = top_ups.get(idOrToken) ?? top_ups.first('payment', idOrToken);
  return topUp ?? subscriptions.get(payment_links.get(idOrToken)?.subscription_id ?? idOrToken);
}

/**
 * Settles the payment that a subscription or a top-up awaits, named by its id or by the token of its
 * link. Paying again what is paid changes nothing.
 *
 * @throws RuleViolation `payment.none_awaited`, `payment.link_ended` and `payment.under_way` on `outcome`
 * @assumes A-604, A-1101, A-1103, A-1105
 */
export function completePayment(
  context: Context,
  idOrToken: string,
  outcome: PaymentOutcome,
): SettledPayment {
  const payable = findPayable(context, idOrToken) ?? notFound();
  const own = { ...context, owner: payable.owner };
  if ('credit' in payable) return settleTopUp(own, payable, outcome);

  const link = context.tables.payment_links.get(idOrToken);
  const isFormer = link && !link.paid && link.id !== payable.payment?.token;
  if (isFormer) return violate('payment.link_ended', 'outcome');
  return settleSubscription(own, payable, outcome);
}
