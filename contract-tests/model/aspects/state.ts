import { Rational } from '../../kit/rational.ts';
import { customerName, subscriptionOf } from '../views.ts';
import type { Customer } from '../world.ts';
import type { Aspect, Stage } from './aspect.ts';

/** Every customer with its subscriptions and revenue, and the search by external id. */
export const state: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  for (const customer of world.customers) {
    const { index, earnings } = customer;
    const path = { customerId: ids.customers[index] as string };
    yield [`c${index}`, await call('getCustomer', { path }), customerDetail(stage, customer)];
    const gross_revenue = Rational.sum(earnings.map(({ amount }) => amount));
    yield [`c${index} revenue`, await call('getCustomerStats', { path }), { gross_revenue }];
  }
  for (const external_id of valuesOf(stage)) {
    const owner = world.customers.find((customer) => customer.external_id === external_id);
    for (const query of [{ external_id }, { external_id, name: 'n', email: 'ann@example.org' }]) {
      const found = await call('listCustomers', { query }, owner ? LED_THERE : [404]);
      yield [`external id ${external_id}`, found?.id, found && ids.customers[owner?.index ?? -1]];
    }
  }
};

/** The redirect to the customer, or the customer itself when the client follows redirects. */
const LED_THERE = [303, 200];

/** Present and former external ids, similar texts, and other values of customers. */
const valuesOf = ({ ids, world }: Stage): Set<string> =>
  new Set([
    ...['x', 'X', 'x0', 'X0', 'xx', ' x'],
    ...[...ids.customers, ...ids.subscriptions].slice(0, 4),
    ...world.customers.flatMap(({ name, email, metadata, external_accounts }) => [
      ...[name, ...(email === null ? [] : [email]), ...Object.entries(metadata ?? {}).flat()],
      ...external_accounts.flatMap((account) => Object.values(account)),
    ]),
  ]);

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
