import {
  ADDRESSES,
  aFreshCustomer,
  aFreshProduct,
  aheadOf,
  aProduct,
  api,
  aSubscriber,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { addVersion } from './shared/products.ts';
import { moveTo, shown, subscribe, to, update } from './shared/subscriptions.ts';
import { isOf } from './shared/webhooks.ts';

async function feesOf(eventId: string): Promise<number[]> {
  const { fees } = await api('getEvent', { path: { eventId } }, 200);
  return fees.map((fee) => fee.amount);
}

/** A subscription to 5 USD a month that awaits its first payment. */
async function anUnpaid() {
  const customer = await aFreshCustomer();
  const body = { ...to(await aProduct('fixed')), ...ADDRESSES };
  const { id, required_actions } = await subscribe(customer, body);
  const link = required_actions?.[0]?.redirect_url ?? '';
  return { customer, id, link };
}

describe('payment of a subscription', () => {
  check(
    'SUB-12',
    {
      requirement: ['R-SUB-23', 'R-SUB-24', 'R-WHK-35'],
      level: 'MUST',
      effect: 'E4',
      needs: 'payment.completable',
    },
    'payment succeeds → active and one `subscription.activated`',
    async () => {
      const since = now(-60_000);
      const { customer, id, link } = await anUnpaid();
      await completePaymentPage(link, 'paid');
      const paid = await eventually(
        () => shown(customer, id),
        ({ status }) => status === 'active',
      );
      const { items } = await api(
        'listWebhookEvents',
        { query: { time_gte: since, limit: 1000 } },
        200,
      );

      expect(paid.status).toBe('active');
      expect(paid.required_actions ?? []).toEqual([]);
      expect(Date.parse(paid.started_at ?? '')).not.toBeNaN();
      expect(items.filter(isOf(id))).toHaveLength(1);
    },
  );

  check(
    'SUB-24',
    {
      requirement: 'R-SUB-38',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-604',
      needs: 'payment.completable',
    },
    'declined payment → still action_required with a link',
    async () => {
      const { customer, id, link } = await anUnpaid();
      await completePaymentPage(link, 'declined');
      const { status, required_actions } = await shown(customer, id);

      expect(status).toBe('action_required');
      expect(URL.canParse(required_actions?.[0]?.redirect_url ?? '')).toBe(true);
    },
  );

  check(
    'SUB-25',
    {
      requirement: 'R-SUB-39',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-605',
      needs: 'payment.completable',
    },
    'monthly fixed price, paid → renews_at one month after the start, on the same day or the last of the month',
    async () => {
      const { customer, id, link } = await anUnpaid();
      await completePaymentPage(link, 'paid');
      const { started_at = '', renews_at } = await shown(customer, id);
      const start = new Date(started_at);
      const month = start.getUTCMonth() + 1;
      const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
      const due = new Date(start);
      due.setUTCMonth(month, Math.min(start.getUTCDate(), lastDay));

      expect(Date.parse(renews_at ?? '')).toBe(due.getTime());
    },
  );
});

describe('subscriptions over time', () => {
  check(
    'SUB-27',
    { requirement: 'R-SUB-36', level: 'ASSUMED', effect: 'E3', assumes: 'A-603' },
    'starts_at a moment ahead, nothing to pay → becomes active at that time, started_at is starts_at',
    async () => {
      const product = await aProduct('usage');
      const { customer, starts_at, id, status } = await aheadOf(async (starts_at) => {
        const customer = await aFreshCustomer();
        const { id, status } = await subscribe(customer, { ...to(product), starts_at });
        return { customer, starts_at, id, status };
      });
      const begun = await eventually(
        () => shown(customer, id),
        (seen) => seen.status === 'active',
      );

      expect([status, begun.status]).toEqual(['scheduled', 'active']);
      expect(Date.parse(begun.started_at ?? '')).toBe(Date.parse(starts_at));
    },
  );

  check(
    'SUB-28',
    { requirement: 'R-SUB-46', level: 'ASSUMED', effect: 'E3', assumes: 'A-605' },
    'renews_at given → returned as given; once it has passed, a later one, still active',
    async () => {
      const product = await aProduct('usage');
      const { customer, renews_at, inline, id, given } = await aheadOf(async (renews_at) => {
        const customer = await aFreshCustomer();
        const recurring = { ...to(product), ...ADDRESSES, renews_at };
        const body = { name: 'Contract recurring', subscriptions: [recurring] } as never;
        const inline = await useUp('customer', () => api('createCustomer', { body }, 201));
        const { id, renews_at: given } = await subscribe(customer, recurring);
        return { customer, renews_at, inline, id, given };
      });
      const renewed = await eventually(
        () => shown(customer, id),
        (seen) => Date.parse(seen.renews_at ?? '') > Date.parse(renews_at),
      );

      expect(Date.parse(given ?? '')).toBe(Date.parse(renews_at));
      expect(Date.parse(inline.subscriptions[0]?.renews_at ?? '')).toBe(Date.parse(renews_at));
      expect(Date.parse(renewed.renews_at ?? '')).toBeGreaterThan(Date.parse(renews_at));
      expect(renewed.status).toBe('active');
    },
  );
});

describe('updateSubscription', () => {
  check(
    'SUB-15',
    { requirement: ['R-ERR-09', 'R-SUB-28', 'R-SUB-31'], level: 'MUST', effect: 'E1' },
    'PATCH unknown subscription / product in subscription → 404',
    async () => {
      const { customer, product, subscription } = await aSubscriber();
      const customerId = customer.id;
      const unknown = { customerId, subscriptionId: unknownId('sub') };
      const body = { status: 'inactive' };
      await call('updateSubscription', { path: unknown, body }, [404]);
      const path = { customerId, subscriptionId: subscription.id, productId: unknownId('prp') };
      await call('updateSubscriptionProduct', { path, body: { version: 1 } }, [404]);
      const known = { customerId, subscriptionId: subscription.id, productId: product.id };
      await call('updateSubscription', { path: known, body: { status: 'paused' } }, [422]);
      await call('updateSubscriptionProduct', { path: known, body: { version: 'newest' } }, [422]);
    },
  );

  check(
    'SUB-19',
    {
      requirement: ['R-SUB-27', 'R-SUB-40', 'R-SUB-41'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-606',
    },
    'PATCH status inactive → 204, detail shows it, later events without fees; back to active works',
    async () => {
      const customer = await aFreshCustomer();
      const product = await aProduct('usage');
      const { id } = await subscribe(customer, to(product));
      await update(customer, id, { status: 'inactive' });
      const stopped = await aUsageEvent(customer, product.eventType);

      expect((await shown(customer, id)).status).toBe('inactive');
      expect(await feesOf(stopped.id)).toEqual([]);

      await update(customer, id, { status: 'active' });
      const resumed = await aUsageEvent(customer, product.eventType);

      expect((await shown(customer, id)).status).toBe('active');
      expect(await feesOf(resumed.id)).toEqual([0.25]);
    },
  );

  check(
    'SUB-49',
    { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'the return_url of a subscription without a payment can be changed alone and removed',
    async () => {
      const product = await aFreshProduct();
      const customer = await aFreshCustomer();
      const { id } = await subscribe(customer, to(product));
      const return_url = 'https://contract.invalid/again';

      await update(customer, id, { return_url });
      await update(customer, id, { return_url: null });
      expect((await shown(customer, id)).status).toBe('active');
    },
  );
});

describe('updateSubscriptionProduct', () => {
  check(
    'SUB-20',
    { requirement: ['R-SUB-30', 'R-SUB-42'], level: 'ASSUMED', effect: 'E3', assumes: 'A-607' },
    'PATCH product with version → 204, later events are priced by that version',
    async () => {
      const customer = await aFreshCustomer();
      const product = await aFreshProduct();
      await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
      const { id } = await subscribe(customer, to(product));
      const before = await aUsageEvent(customer, product.eventType);
      await moveTo(customer, id, product, 2);
      const after = await aUsageEvent(customer, product.eventType);

      expect([await feesOf(before.id), await feesOf(after.id)]).toEqual([[0.25], [1.5]]);
      expect((await shown(customer, id)).products[0]?.version).toBe(2);
    },
  );
});

describe('usage before activation', () => {
  check(
    'SUB-26',
    { requirement: 'R-SUB-43', level: 'ASSUMED', effect: 'E3', assumes: 'A-608' },
    'event before activation → no fees, not even after activation',
    async () => {
      const customer = await aFreshCustomer();
      const product = await aProduct('usage');
      const early = await aUsageEvent(customer, product.eventType);
      await subscribe(customer, to(product));

      expect(await feesOf(early.id)).toEqual([]);
    },
  );
});
