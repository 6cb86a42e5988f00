import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  aReceiver,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  blackHole,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  useUp,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { detailOf, subscribe, to } from './shared/subscriptions.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, grantsOf } from './shared/wallets.ts';
import { dispatch, isMatched, isOf, log, logged, TOPIC } from './shared/webhooks.ts';

/** The log items of some subscriptions' activations, oldest first. */
async function activationsOf(ids: readonly string[]) {
  const items = await log({ time_gte: now(-120_000) });
  return items.filter((item) => ids.some((id) => isOf(id)(item))).reverse();
}

const activated = (id: string) =>
  eventually(
    () => activationsOf([id]),
    (seen) => seen.length > 0,
  );

describe('effects of payments', () => {
  check(
    'TOP-17',
    {
      requirement: ['R-TOP-05', 'R-TOP-10', 'R-TOP-12'],
      level: 'MUST',
      effect: 'E4',
      needs: 'payment.completable',
    },
    'two top-ups of one customer and one of another, each paid, one link opened again → credit once, after its own payment, and none for the other customer',
    async () => {
      const [customer, other] = [await aFreshCustomer(), await aFreshCustomer()];
      const [first, second] = [
        await initiate(customer, { amount: 3 }),
        await initiate(customer, { amount: 5 }),
      ];
      const foreign = await initiate(other, { amount: 9 });
      const seen = async () => [
        String(await balance(customer)),
        String(await balance(other)),
        ...(await Promise.all(
          [first, second, foreign].map(
            async ({ id }) => (await api('getTopUp', { path: { topUpId: id } }, 200)).status,
          ),
        )),
      ];

      expect(await seen()).toEqual(['0', '0', 'initiated', 'initiated', 'initiated']);
      await completePaymentPage(second.redirect_url, 'paid');
      expect(await seen()).toEqual(['5', '0', 'initiated', 'succeeded', 'initiated']);
      await fetch(second.redirect_url, { redirect: 'manual' });
      await completePaymentPage(first.redirect_url, 'declined');
      expect((await seen()).slice(0, 2)).toEqual(['5', '0']);
      await completePaymentPage(first.redirect_url, 'paid');
      expect((await seen()).slice(0, 4)).toEqual(['8', '0', 'succeeded', 'succeeded']);
      await completePaymentPage(foreign.redirect_url, 'paid');
      expect(await seen()).toEqual(['8', '9', 'succeeded', 'succeeded', 'succeeded']);
    },
  );

  check(
    'SUB-36',
    {
      requirement: ['R-CUS-11', 'R-PRD-55', 'R-SUB-23', 'R-SUB-24'],
      level: 'MUST',
      effect: 'E4',
      needs: 'payment.completable',
    },
    'subscription with a fee, usage and two entitlements → before payment no credit, no usage fee, not counted, nothing logged; after it each credit once, one log item, usage billed',
    async () => {
      const eventType = 'contract.paid';
      const product = await aFreshProduct({
        prices: [aFixedPrice(20), aUnitPrice(eventType, 0.5)],
        entitlements: [
          ENTITLEMENT,
          { ...ENTITLEMENT, name: 'More', amount: 7, purpose: 'promotion' },
        ],
      });
      const customer = await aFreshCustomer();
      const { id, required_actions } = await subscribe(customer, { ...to(product), ...ADDRESSES });
      const count = async () => {
        const query = { customer_id: customer.id };
        return (await api('listCustomers', { query }, 200)).items[0]?.active_subscription_count;
      };
      const early = await aUsageEvent(customer, eventType);

      expect((await stored(early.id)).fees).toEqual([]);
      expect([String(await balance(customer)), await count()]).toEqual(['0', 0]);
      expect(await activationsOf([id])).toEqual([]);

      await completePaymentPage(required_actions[0]?.redirect_url as string, 'paid');
      const late = await aUsageEvent(customer, eventType);
      const grants = await grantsOf(customer);

      expect(grants.map(({ available }) => available).sort()).toEqual([5, 6.5]);
      expect((await stored(late.id)).fees).toHaveLength(1);
      expect([String(await balance(customer)), await count()]).toEqual(['11.5', 1]);
      expect(await activationsOf([id])).toHaveLength(1);
    },
  );
});

describe('effects of activations', () => {
  check(
    'SUB-37',
    { requirement: ['R-CUS-16', 'R-SUB-25', 'R-WHK-35', 'R-WHK-44'], level: 'MUST', effect: 'E3' },
    'two subscriptions created with the customer and one added → three log items, one each, with their own ids and start',
    async () => {
      const products = [
        await aFreshProduct(),
        await aFreshProduct(),
        await aFreshProduct(),
      ] as const;
      const body = { name: 'Contract two', subscriptions: [to(products[0]), to(products[1])] };
      const made = await useUp('customer', () => api('createCustomer', { body }, 201));
      const added = await subscribe(made as never, to(products[2]));
      const all = [...made.subscriptions, added];
      const find = () => activationsOf(all.map(({ id }) => id));
      const items = await eventually(find, (seen) => seen.length >= 3);
      const { subscriptions } = await detailOf(made);

      expect(items.map(({ data }) => data)).toEqual(
        all.map(({ id, started_at }) => ({
          customer_id: made.id,
          subscription_id: id,
          occurred_at: started_at,
        })),
      );
      expect(new Set(items.map(({ id }) => id)).size).toBe(3);
      expect(new Set(subscriptions?.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
      expect(all.map((one) => one.products.map(({ id }) => id))).toEqual(
        products.map(({ id }) => [id]),
      );
    },
  );

  check(
    'SUB-38',
    { requirement: ['R-PRD-33', 'R-SUB-02', 'R-SUB-15'], level: 'MUST', effect: 'E3' },
    'two products in one subscription, of both usage types → both listed in order, each billed once, a subscriber of both, one activation',
    async () => {
      const [one, other] = [await aFreshProduct(), await aFreshProduct()];
      const customer = await aFreshCustomer();
      const products = [{ code: other.code }, { id: one.id, version: 1 }];
      const subscription = await subscribe(customer, { products });
      const events = [
        await aUsageEvent(customer, one.eventType),
        await aUsageEvent(customer, other.eventType),
      ];
      const fees = (await Promise.all(events.map(({ id }) => stored(id)))).map((event) =>
        event.fees.map((fee) => [fee.product_id, fee.product_code, fee.amount]),
      );

      expect(subscription.products.map(({ id }) => id)).toEqual([other.id, one.id]);
      expect(fees).toEqual([[[one.id, one.code, 0.25]], [[other.id, other.code, 0.25]]]);
      for (const { id } of [one, other]) {
        const { items } = await api('listSubscribers', { path: { productId: id } }, 200);
        expect(items.map((each) => each.customer_id)).toEqual([customer.id]);
      }
      expect(await activationsOf([subscription.id])).toHaveLength(1);
    },
  );
});

describe('effects of updates on webhook deliveries', () => {
  check(
    'WHK-47',
    {
      requirement: ['R-WHK-22', 'R-WHK-37', 'R-WHK-39'],
      level: 'MUST',
      effect: 'E3',
      needs: 'receiver',
    },
    'an event that matches two of three destinations, one by several of its topics → one request to each of the two, each listed once as matched; after an update of url, the new one is called',
    async (t) => {
      const receivers = [await aReceiver(t), await aReceiver(t)] as const;
      const one = await aWebhook(t, { url: receivers[0].url, topics: ['*', TOPIC] });
      const other = await aWebhook(t, { url: receivers[1].url, topics: [TOPIC] });
      const elsewhere = await aWebhook(t, {
        url: receivers[0].url,
        topics: ['contract.unheard_of'],
      });
      const customer = await aFreshCustomer();
      const { id } = await subscribe(customer, to(await aFreshProduct()));
      const [item] = await activated(id);
      for (const receiver of receivers)
        await receiver.next(({ body }) => body?.data?.subscription_id === id);
      await api(
        'updateWebhook',
        { path: { webhookId: one.id }, body: { url: receivers[1].url } },
        200,
      );
      const sentinel = await dispatch(one);
      await receivers[1].next(({ body }) => body?.id === sentinel);
      await logged(sentinel, ({ successful_at }) => successful_at !== null);

      expect([one, other, elsewhere].map((each) => isMatched(item, each))).toEqual([
        true,
        true,
        false,
      ]);
      const matched = item?.matched_destination_ids ?? [];
      expect(new Set(matched).size).toBe(matched.length);
      const counted = receivers.map((receiver) => receiver.deliveries.map(({ body }) => body?.id));
      expect(counted).toEqual([[item?.id], [item?.id, sentinel]]);
    },
  );

  check(
    'WHK-48',
    { requirement: ['R-WHK-06', 'R-WHK-22', 'R-WHK-23', 'R-WHK-37'], level: 'MUST', effect: 'E3' },
    'topics changed by update, a destination removed → the next event is matched by the current state, former log items stay unchanged',
    async (t) => {
      const [one, other] = [await aWebhook(t, { topics: [TOPIC] }), await aWebhook(t)];
      const another = async () => {
        const { id } = await subscribe(await aFreshCustomer(), to(await aFreshProduct()));
        return (await activated(id))[0];
      };
      const first = await another();
      const path = { webhookId: one.id };
      await api('updateWebhook', { path, body: { topics: ['contract.unheard_of'] } }, 200);
      const second = await another();
      await api('updateWebhook', { path, body: { topics: ['*'], url: blackHole() } }, 200);
      await call('deleteWebhook', { path: { webhookId: other.id } }, [204]);
      const third = await another();

      expect([first, second, third].map((item) => isMatched(item, one))).toEqual([
        true,
        false,
        true,
      ]);
      expect([first, second, third].map((item) => isMatched(item, other))).toEqual([
        true,
        true,
        false,
      ]);
    },
  );
});
