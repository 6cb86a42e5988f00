import {
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  type OwnObject,
  refused,
} from '../kit/index.ts';
import { DAY_MS } from './shared/events.ts';
import { ADDRESSES, type Subscription, subscribe, to } from './shared/subscriptions.ts';

async function shown(customer: OwnObject, id: string): Promise<Subscription> {
  const { subscriptions } = await api('getCustomer', { path: { customerId: customer.id } }, 200);
  return subscriptions?.find((one) => one.id === id) as Subscription;
}

/** A subscription with these prices that runs or awaits its payment, and how to update and look at it. */
async function aMember(prices?: object[]) {
  const customer = await aFreshCustomer();
  const product = await aFreshProduct(prices && { prices });
  const made = await subscribe(customer, { ...to(product), ...ADDRESSES });
  const path = { customerId: customer.id, subscriptionId: made.id };
  return {
    made,
    product,
    path,
    look: () => shown(customer, made.id),
    update: (body: object) => call('updateSubscription', { path, body: body as never }, [204]),
    async pay(link: string | undefined) {
      await completePaymentPage(link ?? '', 'paid');
      await eventually(
        () => shown(customer, made.id),
        ({ status }) => status === 'active',
      );
    },
    revenue: async () =>
      (await api('getCustomerStats', { path: { customerId: customer.id } }, 200)).gross_revenue,
  };
}

describe('updates of an ended subscription', () => {
  // SUB-54: another address or renewal does not take it up again; the renewal holds once it runs
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

  // SUB-55: a version with a one-time price asks an ended subscription for nothing
  check('SUB-55', async () => {
    const { update, look, path, product } = await aMember();
    await update({ status: 'inactive' });
    const once = {
      name: 'Set-up',
      type: 'fixed',
      billing_model: { type: 'one_time' },
      pricing: [{ asset: 'USD', values: [{ unit_price: 20 }] }],
    };
    const body = { prices: [once], publish: true } as never;
    await api('createProductVersion', { path: { productId: product.id }, body }, 201);
    const place = { ...path, productId: product.id };
    await api('updateSubscriptionProduct', { path: place, body: { version: 2 } }, 204);
    const { status, required_actions } = await look();

    expect([status, required_actions ?? []]).toEqual(['inactive', []]);
  });
});

describe('taking up a subscription with a fee', () => {
  // SUB-56: one that awaits its payment cannot be set active; ended and taken up unpaid it asks again
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

  // SUB-57: one that was paid by a card that is kept is active at once, its fee collected again
  check('SUB-57', async () => {
    const { made, update, look, pay, revenue } = await aMember([aFixedPrice(10)]);
    await pay(made.required_actions?.[0]?.redirect_url);
    expect(await revenue()).toBe(10);
    await update({ status: 'inactive' });
    await update({ status: 'active' });

    expect((await look()).status).toBe('active');
    expect(await revenue()).toBe(20);
  });
});
