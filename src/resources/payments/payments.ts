import { violate } from '../../domain/rules.ts';
import type { components } from '../../spec/control.d.ts';
import type { PaymentMethod, SubscriptionRow, TopUpRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { notFound } from '../problems.ts';
import { settleSubscription } from '../subscriptions/settle-subscription.ts';
import { settleTopUp } from './settle-top-up.ts';

/** The result of a hosted payment, from its page, the portal or the control interface. */
export type PaymentOutcome =
  | { readonly outcome: 'succeeded' | 'processing'; readonly method?: PaymentMethod }
  | { readonly outcome: 'failed'; readonly reason?: string; readonly method?: PaymentMethod }
  | { readonly outcome: 'abandoned' };

/** The settled payment, as the control interface returns it. */
export type SettledPayment = components['schemas']['SettledPayment'];

/** Finds a top-up or subscription by its id or by the token of its payment link. */
export function findPayable(
  { tables: { top_ups, subscriptions, payment_links } }: Context,
  idOrToken: string,
): TopUpRow | SubscriptionRow | undefined {
  const topUp = top_ups.get(idOrToken) ?? top_ups.first('payment', idOrToken);
  return topUp ?? subscriptions.get(payment_links.get(idOrToken)?.subscription_id ?? idOrToken);
}

/**
 * Settles the outstanding payment of a subscription or a top-up, given its id or the token of its link. A repeated
 * payment changes nothing.
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
