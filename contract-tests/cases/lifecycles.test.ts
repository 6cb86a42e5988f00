import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  unique,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { detailOf, subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { isOf, log } from './shared/webhooks.ts';

const statusOf = async (customer: OwnObject) =>
  (await detailOf(customer)).subscriptions?.map(({ status, started_at, renews_at }) => ({
    status,
    started_at,
    renews_at,
  }));

const feesOf = async (customer: OwnObject, { eventType }: OwnProduct, more: object = {}) =>
  (await stored((await aUsageEvent(customer, eventType, more)).id)).fees.map((fee) => fee.amount);

const countOf = async ({ id }: OwnObject) =>
  (await api('listCustomers', { query: { customer_id: id } }, 200)).items[0]
    ?.active_subscription_count;

const accountsOf = async ({ id }: OwnObject) =>
  (await api('getWallet', { path: { customerId: id } }, 200)).accounts
    .map((account) => `${account.id} ${account.available}`)
    .sort();

describe('life cycle of subscriptions', () => {
  check(
    'SUB-42',
    {
      requirement: ['R-SUB-36', 'R-SUB-52'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-603',
      needs: 'payment.completable',
    },
    'subscription with a fee, usage and an entitlement, paid before its start → active, counted, started and renewing by starts_at; until then no credit and no usage fee',
    async () => {
      const eventType = `contract.${unique('ahead')}`;
      const product = await aFreshProduct({
        prices: [aFixedPrice(), aUnitPrice(eventType)],
        entitlements: [ENTITLEMENT],
      });
      const customer = await aFreshCustomer();
      const starts_at = `${new Date(Date.parse(now()) + 2 * DAY_MS).toISOString().slice(0, 8)}15T12:00:00.000Z`;
      const start = Date.parse(starts_at) > Date.parse(now()) ? starts_at : nextMonth(starts_at);
      const body = { ...to(product), ...ADDRESSES, starts_at: start };
      const { status, required_actions } = await subscribe(customer, body);
      await completePaymentPage(required_actions[0]?.redirect_url as string, 'paid');

      expect(status).toBe('action_required');
      expect(await statusOf(customer)).toEqual([
        { status: 'active', started_at: start, renews_at: nextMonth(start) },
      ]);
      expect(await countOf(customer)).toBe(1);
      expect(await feesOf(customer, { ...product, eventType })).toEqual([]);
      expect(await accountsOf(customer)).toEqual(['default:USD 0']);
    },
  );

  const nextMonth = (instant: string) => {
    const date = new Date(instant);
    date.setUTCMonth(date.getUTCMonth() + 1);
    return date.toISOString();
  };

  check(
    'SUB-43',
    { requirement: ['R-CUS-11', 'R-SUB-40'], level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'subscription with credit ended and reactivated → counted, billed and logged once for each activation; its credit stays, and is not given twice',
    async () => {
      const product = await aFreshProduct();
      const given = await aFreshProduct({ entitlements: [ENTITLEMENT] });
      const customer = await aFreshCustomer();
      await subscribe(customer, to(product));
      const { id } = await subscribe(customer, to(given));
      const activations = async () => {
        const items = await log({ time_gte: now(-120_000) });
        return items.filter(isOf(id)).length;
      };
      const seen = async () => [await countOf(customer), await accountsOf(customer)];

      expect(await seen()).toEqual([2, ['default:USD 5']]);
      await update(customer, id, { status: 'inactive' });
      expect(await seen()).toEqual([1, ['default:USD 5']]);
      expect(await feesOf(customer, given)).toEqual([]);
      await update(customer, id, { status: 'active' });
      expect(await seen()).toEqual([2, ['default:USD 5']]);
      expect(await feesOf(customer, given)).toEqual([0.25]);
      expect(await eventually(activations, (count) => count >= 2)).toBe(2);
    },
  );

  check(
    'SUB-44',
    { requirement: ['R-SUB-42', 'R-SUB-53'], level: 'ASSUMED', effect: 'E3', assumes: 'A-607' },
    "version of a subscribed product changed by the product's code → changed; to a draft, an archived and an unknown version → rejected, the version unchanged",
    async () => {
      const product = await aFreshProduct();
      for (const publish of [true, true, false]) await addVersion(product, { publish });
      await api('archiveProductVersion', { path: { productId: product.id, version: '3' } }, 204);
      const customer = await aFreshCustomer();
      const { id } = await subscribe(customer, to(product));
      const of = { customerId: customer.id, subscriptionId: id };
      const change = (productId: string, version: unknown, statuses: number[]) =>
        call(
          'updateSubscriptionProduct',
          { path: { ...of, productId }, body: { version } },
          statuses,
        );
      await change(product.code, 2, [204]);
      for (const version of [3, 4, 5, 0, '2', 'Default', 1.5, null])
        await change(product.id, version, [422]);
      const { subscriptions } = await detailOf(customer);

      expect(subscriptions?.[0]?.products).toEqual([
        { id: product.id, code: product.code, version: 2 },
      ]);
    },
  );
});
