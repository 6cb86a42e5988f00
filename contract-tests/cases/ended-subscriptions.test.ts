import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  describe,
  expect,
  now,
  refused,
} from '../kit/index.ts';
import { ONE_TIME, pay, shown, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { revenueOf } from './shared/wallets.ts';

/** A new subscription with these prices, active or awaiting payment, and functions to read and update it. */
async function aMember(prices?: object[]) {
  const customer = await aFreshCustomer();
  const product = await aFreshProduct(prices && { prices });
  const made = await subscribe(customer, { ...to(product), ...ADDRESSES });
  const path = { customerId: customer.id, subscriptionId: made.id };
  return {
    customer,
    made,
    product,
    path,
    look: () => shown(customer, made.id),
    update: (body: object) => call('updateSubscription', { path, body: body as never }, [204]),
  };
}

describe('updates of an ended subscription', () => {
  // SUB-54: a change of URL or renewal of an ended subscription does not reactivate it; the renewal applies once it is
  // reactivated
  check('SUB-54', async () => {
    const { update, look } = await aMember();
    const renews_at = now(20 * DAY_MS);
    await update({ status: 'inactive' });
    await update({ return_url: 'https://contract.invalid/again' });
    await update({ renews_at });

    expect((await look()).status).toBe('inactive');
    await update({ status: 'active' });
    const { status, renews_at: held } = await look();
    expect([status, held]).toEqual(['active', renews_at]);
  });

  // SUB-55: an ended subscription changed to a version with a one-time price asks for no payment
  check('SUB-55', async () => {
    const { update, look, path, product } = await aMember();
    await update({ status: 'inactive' });
    const body = { prices: [ONE_TIME], publish: true } as never;
    await api('createProductVersion', { path: { productId: product.id }, body }, 201);
    const place = { ...path, productId: product.id };
    await api('updateSubscriptionProduct', { path: place, body: { version: 2 } }, 204);
    const { status, required_actions } = await look();

    expect([status, required_actions ?? []]).toEqual(['inactive', []]);
  });
});

describe('activation of a subscription with a fee', () => {
  // SUB-56: a subscription that awaits payment cannot be set active; one that is ended and reactivated unpaid asks for
  // payment again
  check('SUB-56', async () => {
    const { made, update, look, path } = await aMember([aFixedPrice(10)]);

    expect(made.status).toBe('action_required');
    await refused('updateSubscription', { path, body: { status: 'active' } });
    await update({ status: 'inactive' });
    expect((await look()).required_actions ?? []).toEqual([]);
    await update({ status: 'active' });
    const { status, required_actions } = await look();
    expect([status, required_actions?.length]).toEqual(['action_required', 1]);
  });

  // SUB-57: an ended subscription with a saved card is active at once when reactivated, and its fee is collected again
  check('SUB-57', async () => {
    const { customer, made, update, look } = await aMember([aFixedPrice(10)]);
    await pay(customer, made);
    expect(await revenueOf(customer)).toBe(10);
    await update({ status: 'inactive' });
    await update({ status: 'active' });

    expect((await look()).status).toBe('active');
    expect(await revenueOf(customer)).toBe(20);
  });
});
