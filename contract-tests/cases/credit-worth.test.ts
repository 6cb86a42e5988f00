import {
  ADDRESSES,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
} from '../kit/index.ts';
import { aPayer, aPayerOf, price, stored } from './shared/events.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { moveTo, subscribe, to, update } from './shared/subscriptions.ts';
import { balance, charged, revenueOf } from './shared/wallets.ts';

/** A payer of 1 per token in a new asset with this rate to USD. */
async function aPayerInAsset(rate: object) {
  const rates = [{ source: 'USD', ...rate }];
  const { code } = await aFreshAsset({ precision: 2, rates });
  const payer = await aPayer((type) => [
    { ...price(type, 'volume', []), pricing: [{ asset: code, values: [{ volume_rate: 1 }] }] },
  ]);
  return { ...payer, code };
}

/** The gross revenue of one event. */
async function revenueOfEvent({ customer, eventType }: Payer, tokens: number) {
  const { id } = await aUsageEvent(customer, eventType, { data: { tokens } });
  return (await stored(id)).stats?.gross_revenue;
}

type Payer = Pick<Awaited<ReturnType<typeof aPayer>>, 'customer' | 'eventType'>;

describe('revenue from credit and debt', () => {
  check(
    'EVT-45',
    { requirement: ['R-EVT-71', 'R-PRF-14'], level: 'ASSUMED', effect: 'E3', assumes: 'A-902' },
    'paid credit counts as revenue as it is drawn, at the rate of when it was given; gifts and other credit count nothing',
    async () => {
      const payer = await aPayerInAsset({ rate: 0.5 });
      const { customer, code: asset } = payer;
      await anAdjustment(customer, { asset, amount: 10, reason: 'external_topup' });
      const rate = { source: 'USD', rate: 2 };
      await api('setAssetRate', { path: { assetCode: asset }, body: rate }, 204);

      expect(await revenueOf(customer)).toBe(0);
      expect(await revenueOfEvent(payer, 4)).toBe(2);
      expect(await revenueOfEvent(payer, 6)).toBe(3);
      for (const reason of ['other', 'gift'] as const) {
        await anAdjustment(customer, { asset, amount: 10, reason });
        expect(await revenueOfEvent(payer, 10), reason).toBe(0);
      }
      expect(await revenueOf(customer)).toBe(5);
    },
  );

  check(
    'EVT-104',
    { requirement: ['R-AST-35', 'R-EVT-72'], level: 'ASSUMED', effect: 'E3', assumes: 'A-402' },
    'debt of 300 billion in an asset with an inverse rate of 3 → worth exactly 100 billion, in the event and of the customer',
    async () => {
      const payer = await aPayerInAsset({ inverse_rate: 3 });

      expect(await revenueOfEvent(payer, 3e11)).toBe(1e11);
      expect(await revenueOf(payer.customer)).toBe(1e11);
    },
  );

  check(
    'EVT-46',
    { requirement: 'R-EVT-72', level: 'ASSUMED', effect: 'E3', assumes: 'A-902' },
    'debt counts as revenue when it is made, the credit that repays it counts nothing more',
    async () => {
      const { customer, eventType } = await aPayerOf('unit', [{ unit_price: 3 }]);
      await aUsageEvent(customer, eventType);
      const made = await revenueOf(customer);
      await anAdjustment(customer, { amount: 10, reason: 'external_topup' });

      expect([made, await revenueOf(customer)]).toEqual([3, 3]);
      await aUsageEvent(customer, eventType);
      expect(await revenueOf(customer)).toBe(6);
    },
  );

  check(
    'SUB-29',
    {
      requirement: 'R-SUB-47',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-903', 'A-1506', 'A-610'],
      needs: 'payment.completable',
    },
    'monthly fee → its account is open before it is paid; then revenue is the fee without the part that its bundled credit defers; that part counts as the credit is drawn',
    async () => {
      const customer = await aFreshCustomer();
      const fixed = { name: 'Seats', quantity: 3, unit_price: 5 };
      const monthly = { type: 'recurring', recurring: { interval: 'month' } };
      const lifecycle = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
      const product = await aFreshProduct({
        prices: [
          {
            name: 'Monthly',
            type: 'fixed',
            billing_model: monthly,
            pricing: [{ asset: 'USD', values: [fixed, { unit_price: 1 }] }],
          },
        ],
        entitlements: [{ ...ENTITLEMENT, lifecycle, accounting: { revenue_basis: 1 } }],
      });
      const { required_actions } = await subscribe(customer, { ...to(product), ...ADDRESSES });
      const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);
      expect(accounts, 'accounts before the payment').toMatchObject([
        { id: 'default:USD', available: 0 },
      ]);
      await completePaymentPage(required_actions?.[0]?.redirect_url ?? '', 'paid');
      // 3 x 5 + 1 are collected; 5 credits at 1 are deferred.
      const collected = await eventually(
        () => revenueOf(customer),
        (revenue) => revenue > 0,
      );
      await charged(customer, { amount: 2 });

      expect([collected, await revenueOf(customer)]).toEqual([11, 13]);
    },
  );
});

describe('usage and entitlements at a change of subscription', () => {
  check(
    'SUB-30',
    { requirement: ['R-SUB-48', 'R-SUB-49'], level: 'ASSUMED', effect: 'E3', assumes: 'A-608' },
    'usage from before a change of version or the end, submitted after it → price of what was in force at that time; usage from after the end → free',
    async () => {
      const [customer, product] = [await aFreshCustomer(), await aFreshProduct()];
      const { id } = await subscribe(customer, to(product));
      const costs = async (occurred_at: string) => {
        const event = await aUsageEvent(customer, product.eventType, { occurred_at });
        return (await stored(event.id)).fees.map((fee) => fee.amount);
      };
      /** An instant that is past when it is returned. */
      const anInstant = async () => {
        const instant = now();
        await eventually(
          async () => now(),
          (moment) => moment > instant,
        );
        return instant;
      };
      await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
      const first = await anInstant();
      await moveTo(customer, id, product, 2);
      const second = await anInstant();

      expect([await costs(first), await costs(second)]).toEqual([[0.25], [1.5]]);
      await update(customer, id, { status: 'inactive' });
      expect([await costs(second), await costs(now())]).toEqual([[1.5], []]);
    },
  );

  check(
    'SUB-32',
    { requirement: 'R-SUB-50', level: 'ASSUMED', effect: 'E3', assumes: 'A-607' },
    'change of version → entitlements that it adds are granted at once, those that stay at their next refresh, none twice',
    async () => {
      const lifecycle = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
      const base = { ...ENTITLEMENT, name: 'Base', lifecycle };
      const customer = await aFreshCustomer();
      const product = await aFreshProduct({ entitlements: [{ ...base, amount: 10 }] });
      const entitlements = [
        { ...base, amount: 30 },
        { ...ENTITLEMENT, name: 'New', amount: 5 },
      ];
      await addVersion(product, { entitlements, publish: true });
      const { id } = await subscribe(customer, to(product, { version: 1 }));
      const balances: string[] = [];
      for (const version of [2, 1, 2]) {
        await moveTo(customer, id, product, version);
        balances.push(String(await balance(customer)));
      }

      expect(balances).toEqual(['15', '15', '15']);
    },
  );
});
