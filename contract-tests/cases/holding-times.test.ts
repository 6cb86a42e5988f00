import {
  ADDRESSES,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  check,
  describe,
  eventually,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { detailOf, pay, subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS, moved } from './shared/times.ts';
import { activationsOf, isMatched } from './shared/webhooks.ts';

/** Returns the current instant once it is in the past. */
async function aMomentAgo(): Promise<string> {
  const moment = now();
  await eventually(
    async () => now(),
    (later) => later > moment,
  );
  return moment;
}

/** Returns a function that submits an event of an instant and returns the amounts of its fees. */
const costing =
  (customer: OwnObject, { eventType }: OwnProduct) =>
  async (occurred_at: string): Promise<number[]> => {
    const { id } = await aUsageEvent(customer, eventType, { occurred_at });
    return (await stored(id)).fees.map((fee) => fee.amount);
  };

describe('two subscriptions to one product', () => {
  check(
    'SUB-52',
    { requirement: 'R-EVT-59', level: 'ASSUMED', effect: 'E3', assumes: 'A-510' },
    'two subscriptions to a product, each with its own version → an event is billed once, by the one started later; after that one ends, by the other',
    async () => {
      const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
      await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
      const cost = costing(customer, product);
      const former = await subscribe(customer, to(product, { version: 1 }));
      await aMomentAgo();
      const later = await subscribe(customer, to(product, { version: 2 }));
      const { subscriptions = [] } = await detailOf(customer);
      const statuses = [former, later].map(
        ({ id }) => subscriptions.find((one) => one.id === id)?.status,
      );

      expect(statuses).toEqual(['active', 'active']);
      expect(await cost(now())).toEqual([1.5]);
      await aMomentAgo();
      await update(customer, later.id, { status: 'inactive' });
      expect(await cost(now())).toEqual([0.25]);
    },
  );
});

describe('usage around the start of a subscription', () => {
  check(
    'EVT-75',
    { requirement: 'R-SUB-43', level: 'ASSUMED', effect: 'E3', assumes: 'A-608' },
    'usage from a second before the first start is billed as at the start, usage from an hour before is free',
    async () => {
      const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
      const starts_at = `${now(-DAY_MS).slice(0, 10)}T12:00:00.000Z`;
      await subscribe(customer, { ...to(product), starts_at });
      const cost = costing(customer, product);

      expect(await cost(moved(starts_at, -1000))).toEqual([0.25]);
      expect(await cost(starts_at)).toEqual([0.25]);
      expect(await cost(moved(starts_at, -3_600_000))).toEqual([]);
      expect(await cost(`${starts_at.slice(0, 10)}T00:00:00.000Z`)).toEqual([]);
    },
  );
});

describe('a reactivated subscription', () => {
  check(
    'SUB-53',
    { requirement: 'R-SUB-40', level: 'ASSUMED', effect: 'E3', assumes: ['A-606', 'A-608'] },
    'a subscription ended and reactivated → usage from before and after is billed, usage from between is not, even if submitted last',
    async () => {
      const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
      const { id } = await subscribe(customer, to(product));
      const before = await aMomentAgo();
      await update(customer, id, { status: 'inactive' });
      await aMomentAgo();
      const between = await aMomentAgo();
      await update(customer, id, { status: 'active' });
      await aMomentAgo();
      const cost = costing(customer, product);

      expect(await cost(now())).toEqual([0.25]);
      expect(await cost(between)).toEqual([]);
      expect(await cost(before)).toEqual([0.25]);
    },
  );

  check(
    'WHK-53',
    { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'subscription ended and reactivated → one more activation in the log, for the same destination',
    async (t) => {
      const webhook = await aWebhook(t);
      const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
      const { id } = await subscribe(customer, to(product));
      const activations = () => activationsOf(id);
      await eventually(activations, (items) => items.length === 1);
      await update(customer, id, { status: 'inactive' });
      await update(customer, id, { status: 'active' });
      const items = await eventually(activations, (seen) => seen.length > 1);

      expect(items.map((item) => [item.topic, isMatched(item, webhook)])).toEqual([
        ['subscription.activated', true],
        ['subscription.activated', true],
      ]);
    },
  );
});

describe('a subscription paid before its start', () => {
  check(
    'SUB-50',
    {
      requirement: ['R-SUB-52', 'R-WAL-51'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-702',
      needs: 'payment.completable',
    },
    'a subscription paid before its start opens its wallet accounts at once, without the credit of its start',
    async () => {
      const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 0.5 }] });
      const entitlements = [{ ...ENTITLEMENT, asset: code, amount: 5 }];
      const product = await aFreshProduct({ prices: [aFixedPrice(10)], entitlements });
      const customer = await aFreshCustomer();
      const body = { ...to(product), ...ADDRESSES, starts_at: now(DAY_MS) };
      await pay(customer, await subscribe(customer, body));
      const path = { customerId: customer.id };
      const { accounts } = await api('getWallet', { path }, 200);

      expect(accounts.find(({ asset }) => asset === code)?.available).toBe(0);
    },
  );
});
