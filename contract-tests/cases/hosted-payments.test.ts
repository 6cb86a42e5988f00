import {
  ADDRESSES,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  aProduct,
  api,
  assuming,
  aUsageEvent,
  call,
  check,
  completePaymentPage,
  describe,
  expect,
  now,
  ODD_ADDRESSES,
  type OwnObject,
  onlyOnOurs,
  refused,
  uniqueSubject,
} from '../kit/index.ts';
import { pay, shown, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS, yearAfter } from './shared/times.ts';
import { initiate, pageAt, request } from './shared/top-ups.ts';
import { balance, grantOf } from './shared/wallets.ts';
import { activationsOf } from './shared/webhooks.ts';

const [ODD] = ODD_ADDRESSES;

describe('redirect after a hosted payment', () => {
  check(
    'TOP-19',
    {
      requirement: ['R-TOP-02', 'R-TOP-18'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1103',
      needs: 'payment.completable',
    },
    'top-up paid, its link opened again, another declined → leads to the return_url and failure_url exactly as sent',
    async () => {
      const customer = await aFreshCustomer();
      for (const { return_url, failure_url } of ODD_ADDRESSES) {
        const { redirect_url } = await initiate(customer, { return_url, failure_url });
        const second = await initiate(customer, { return_url, failure_url });

        expect(await completePaymentPage(redirect_url, 'paid')).toBe(return_url);
        expect((await pageAt(redirect_url)).location).toBe(return_url);
        expect(await completePaymentPage(second.redirect_url, 'declined')).toBe(failure_url);
      }
    },
  );

  check(
    'SUB-40',
    {
      requirement: ['R-SUB-13', 'R-SUB-14', 'R-SUB-41', 'R-SUB-51'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-1103', 'A-1104', 'A-606'],
      needs: 'payment.completable',
    },
    'subscription paid with redirect_to left out, return_url and portal, with it or a URL changed by an update, and declined → leads to the current return_url, the portal, the current failure_url',
    async () => {
      const product = await aFreshProduct({ prices: [aFixedPrice()] });
      const paidTo = async (
        terms: object,
        change?: object,
        outcome: 'paid' | 'declined' = 'paid',
      ) => {
        const customer = await aFreshCustomer();
        const path = { customerId: customer.id };
        const { id, required_actions } = await subscribe(customer, {
          ...to(product),
          ...ODD,
          ...terms,
        });
        const of = { ...path, subscriptionId: id };
        if (change) await call('updateSubscription', { path: of, body: change }, [204]);
        const link = required_actions[0]?.redirect_url as string;
        return { led: (await completePaymentPage(link, outcome)) ?? '', link };
      };
      const other = ODD_ADDRESSES[1].return_url;
      const portals = [
        await paidTo({ redirect_to: 'portal' }),
        await paidTo({}, { redirect_to: 'portal' }),
      ];

      for (const each of ODD_ADDRESSES) {
        expect((await paidTo(each)).led).toBe(each.return_url);
        expect((await paidTo(each, {}, 'declined')).led).toBe(each.failure_url);
      }
      expect((await paidTo({ redirect_to: 'return_url' })).led).toBe(ODD.return_url);
      expect((await paidTo({}, { return_url: other })).led).toBe(other);
      expect((await paidTo({}, { failure_url: other })).led).toBe(ODD.return_url);
      expect((await paidTo({}, { failure_url: other }, 'declined')).led).toBe(other);
      for (const { led, link } of portals) {
        expect(led).not.toContain('contract.invalid');
        const page = await fetch(new URL(led, link));
        expect(page.status).toBe(200);
        expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      }
    },
  );
});

describe('payment of a subscription', () => {
  check(
    'SUB-12',
    {
      requirement: ['R-SUB-23', 'R-SUB-24', 'R-WHK-35'],
      level: 'MUST',
      effect: 'E4',
      needs: 'payment.completable',
    },
    'payment succeeds → active and one `subscription.activated`; declined before → still action_required with a link',
    async () => {
      const customer = await aFreshCustomer();
      const product = await aProduct('fixed');
      const made = await subscribe(customer, { ...to(product), ...ADDRESSES });
      const link = made.required_actions?.[0]?.redirect_url ?? '';
      await completePaymentPage(link, 'declined');
      await assuming('A-604', async () => {
        const { status, required_actions } = await shown(customer, made.id);
        expect(status, 'after a declined payment').toBe('action_required');
        expect(URL.canParse(required_actions?.[0]?.redirect_url ?? ''), 'its link').toBe(true);
      });
      const paid = await pay(customer, await shown(customer, made.id));

      expect(paid.required_actions ?? []).toEqual([]);
      expect(Date.parse(paid.started_at ?? ''), 'started_at').not.toBeNaN();
      expect(await activationsOf(made.id)).toHaveLength(1);
      // A month after the start, on the same day or the last of the month.
      const start = new Date(paid.started_at ?? '');
      const lastDay = new Date(start);
      lastDay.setUTCMonth(start.getUTCMonth() + 2, 0);
      const due = new Date(start);
      due.setUTCMonth(start.getUTCMonth() + 1, Math.min(start.getUTCDate(), lastDay.getUTCDate()));
      await assuming('A-605', async () => expect(paid.renews_at).toBe(due.toISOString()));
    },
  );
});

describe('credit from a top-up', () => {
  check(
    'TOP-20',
    {
      requirement: 'R-TOP-19',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-704', 'A-1101'],
      needs: 'payment.completable',
    },
    'credit_expires_at sent, left out, in the past → that end, a year after the payment, rejected',
    async () => {
      const paid = async (changes: object) => {
        const customer = await aFreshCustomer();
        const { redirect_url } = await initiate(customer, changes);
        await completePaymentPage(redirect_url, 'paid');
        return grantOf(customer);
      };
      const credit_expires_at = now(3 * DAY_MS);
      const [limited, lasting] = [await paid({ credit_expires_at }), await paid({})];

      expect(limited).toMatchObject({
        available: 12.5,
        purpose: 'paid',
        expires_at: credit_expires_at,
      });
      const ends = yearAfter(lasting?.effective_at ?? '');
      expect(lasting).toMatchObject({ purpose: 'paid', expires_at: ends });
      const past = request(await aFreshCustomer(), { credit_expires_at: now(-1_000) });
      await refused('createTopUp', { body: past });
    },
  );

  check(
    'TOP-21',
    {
      requirement: 'R-TOP-15',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1102',
      needs: 'payment.completable',
    },
    "the asset's rate changed between creation and payment → credit at the rate at creation, rounded to the asset's decimals; exchange_rate of a destination in the currency of the top-up → without effect",
    async () => {
      const customer = await aFreshCustomer();
      const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 0.3 }] });
      const { id, redirect_url } = await initiate(customer, { destination: { asset: code } });
      const path = { assetCode: code };
      await api('setAssetRate', { path, body: { source: 'USD', rate: 5 } }, 204);
      const { destination } = await api('getTopUp', { path: { topUpId: id } }, 200);
      await completePaymentPage(redirect_url, 'paid');

      expect(destination).toMatchObject({ asset: code, exchange_rate: 0.3 });
      // 12.5 ÷ 0.3 = 41.666…
      expect(String(await balance(customer, `default:${code}`))).toBe('41.67');
      expect(String(await balance(customer))).toBe('0');
      const dollars = await initiate(customer, { destination: { asset: 'USD', exchange_rate: 5 } });
      await completePaymentPage(dollars.redirect_url, 'paid');
      expect(String(await balance(customer))).toBe('12.5');
    },
  );
});

describe('billing portal', () => {
  check(
    'POR-06',
    { requirement: 'R-POR-04', level: 'ASSUMED', effect: 'E4', assumes: 'A-1104' },
    'portals of two customers, each with usage and credit → each shows only its own',
    async () => {
      onlyOnOurs('only its portal can be read');
      const shown = async (customer: OwnObject) => {
        const body = { customer_id: customer.id, ...ADDRESSES };
        const { redirect_url } = await api('createPortalSession', { body }, 200);
        return (await fetch(redirect_url)).text();
      };
      const made = async (sum: number) => {
        const product = await aFreshProduct();
        const customer = await aFreshCustomer({ subscriptions: [to(product)] as never });
        await anAdjustment(customer, { amount: sum });
        const subject = uniqueSubject();
        await aUsageEvent(customer, product.eventType, { subject });
        return { customer, subject };
      };
      const [one, other] = [await made(1234), await made(5678)];
      const pages = [await shown(one.customer), await shown(other.customer)];

      // Each has paid 0.25 of its credit.
      for (const [index, words] of [
        [one.subject, '1,233.75'],
        [other.subject, '5,677.75'],
      ].entries())
        for (const word of words) {
          expect(pages[index], word).toContain(word);
          expect(pages[1 - index], word).not.toContain(word);
        }
    },
  );
});
