import { Rational } from '../../kit/rational.ts';
import { NEVER } from '../account.ts';
import { instant } from '../calls.ts';
import type { Subscription } from '../subscription.ts';
import { customerName } from '../views.ts';
import type { Customer } from '../world.ts';
import type { Aspect, Stage } from './aspect.ts';

/** Every customer with its subscriptions and revenue. */
export const state: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  for (const customer of world.customers) {
    const { index, earnings } = customer;
    const path = { customerId: ids.customers[index] as string };
    yield [`c${index}`, await call('getCustomer', { path }), customerDetail(stage, customer)];
    const gross_revenue = Rational.sum(earnings.map(({ amount }) => amount));
    yield [`c${index} revenue`, await call('getCustomerStats', { path }), { gross_revenue }];
  }
};

function customerDetail({ world, ids }: Stage, customer: Customer): object {
  const { index, email, external_id, metadata, external_accounts } = customer;
  const own = world.subscriptions.filter((each) => each.customer === index);
  return {
    ...customerName(world, ids, index),
    external_id: external_id ?? undefined,
    email: email ?? undefined,
    ...{ metadata, external_accounts },
    active_subscription_count: own.filter(({ status }) => status === 'active').length,
    subscriptions: own.map((subscription) => subscriptionOf(subscription, ids)),
  };
}

function subscriptionOf(subscription: Subscription, ids: Stage['ids']): object {
  const { index, status, startedAt, nextRenewal, product, version } = subscription;
  const renewal = { renews_at: nextRenewal === NEVER ? undefined : instant(nextRenewal) };
  return {
    id: ids.subscriptions[index],
    status,
    products: [{ id: ids.products[product], code: `p${product}`, version }],
    started_at: startedAt === NEVER ? undefined : instant(startedAt),
    ...(status === 'active' && renewal),
    required_actions: status === 'action_required' ? [{ type: 'payment' }] : [],
  };
}
