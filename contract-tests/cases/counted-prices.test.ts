import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aUsageEvent,
  check,
  describe,
  expect,
  type OwnObject,
  today,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, price, stored } from './shared/events.ts';
import { costs, priced, ROWS } from './shared/prices.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS, moved } from './shared/times.ts';

/** The cost of one event by currency. */
async function costOf(customer: OwnObject, eventType: string, tokens: number, more: object = {}) {
  const { id } = await aUsageEvent(customer, eventType, { data: { tokens }, ...more });
  return (await stored(id)).fees.map((fee) => [fee.currency, fee.amount]);
}

describe('price models that count events', () => {
  check(
    'EVT-69',
    { requirement: 'R-EVT-66', level: 'ASSUMED', effect: 'E3', assumes: 'A-1503' },
    'package model that counts events → the event that starts a package pays for it; no volume_rate is needed',
    async () => {
      const values = [{ unit_price: 2, package_size: 3 }];
      const payer = await aPayer(priced('package', undefined, values, 'unit'));

      expect(await costs(payer, 0, 0, 0, 0)).toEqual(['2', '0', '0', '2']);
    },
  );

  check(
    'EVT-70',
    { requirement: 'R-EVT-64', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'unit_and_volume with tiers by unit, tiered and bulk → the event is priced by its row, its volume by the row reached',
    async () => {
      const rows = [
        { up_to: 2, unit_price: 1, volume_rate: 0.1 },
        { unit_price: 0.5, volume_rate: 0.01 },
      ];
      for (const pricing_model of ['tiered', 'bulk']) {
        const prices = priced(pricing_model, { basis: 'unit' }, rows, 'unit_and_volume');
        // 1 + 10 × 0.1; 1 + 0 × 0.1; 0.5 + 10 × 0.01.
        const wanted = ['2', '1', '0.6'];
        expect(await costs(await aPayer(prices), 10, 0, 10), pricing_model).toEqual(wanted);
      }
    },
  );

  check(
    'EVT-71',
    { requirement: 'R-EVT-63', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'unit_and_volume with tiers by volume → the volume is spread over the rows, the event is priced once by the row reached',
    async () => {
      const rows = [
        { up_to: 10, unit_price: 1, volume_rate: 0.1 },
        { unit_price: 0.5, volume_rate: 0.01 },
      ];
      const prices = priced('tiered', { basis: 'volume' }, rows, 'unit_and_volume');

      // 10 × 0.1 + 1; 10 × 0.01 + 0.5; and 15 at once: 10 × 0.1 + 5 × 0.01 + 0.5.
      expect(await costs(await aPayer(prices), 10, 10)).toEqual(['2', '0.6']);
      expect(await costs(await aPayer(prices), 15)).toEqual(['1.55']);
    },
  );
});

describe('price tiers by volume', () => {
  check(
    'EVT-73',
    { requirement: 'R-EVT-63', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'rows with a package size → pro rata within each row, without rounding up',
    async () => {
      const rows = [
        { up_to: 100, volume_rate: 1, package_size: 10 },
        { volume_rate: 0.5, package_size: 10 },
      ];
      const by = (model: string) => aPayer(priced(model, { basis: 'volume' }, rows));

      // 95 ÷ 10; then 5 ÷ 10 + 10 × 0.5 ÷ 10.
      expect(await costs(await by('tiered'), 95, 15)).toEqual(['9.5', '1']);
      // 95 ÷ 10; then 15 × 0.5 ÷ 10.
      expect(await costs(await by('bulk'), 95, 15)).toEqual(['9.5', '0.75']);
    },
  );

  check(
    'PRD-47',
    { requirement: 'R-PRD-59', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'tiers with a monthly, quarterly and yearly period → restart by the UTC calendar, to the millisecond',
    async () => {
      const rows = [{ up_to: 10, volume_rate: 1 }, { volume_rate: 0.5 }];
      const moments = [
        '2025-03-31T23:59:59.999Z',
        '2025-04-01T00:00:00.000Z',
        '2025-04-30T12:00:00.000Z',
        '2025-05-01T01:00:00.000+02:00',
        '2025-05-01T00:00:00.000Z',
        '2025-12-31T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
      ];
      const wanted = {
        lifetime: [10, 5, 5, 5, 5, 5, 5],
        monthly: [10, 10, 5, 5, 10, 10, 10],
        quarterly: [10, 10, 5, 5, 5, 10, 10],
        yearly: [10, 5, 5, 5, 5, 5, 10],
      };
      for (const [period, amounts] of Object.entries(wanted)) {
        const eventType = `contract.${unique('use')}`;
        const prices = priced('tiered', { basis: 'volume', period }, rows)(eventType);
        const { id, version } = await aFreshProduct({ prices });
        const events = moments.map((occurred_at) =>
          usageEvent(eventType, { occurred_at, data: { tokens: 10 } }),
        );
        const path = { productId: id, version: String(version) };
        const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);

        expect(
          fees.map((fee) => fee.amount),
          period,
        ).toEqual(amounts);
      }
    },
  );
});

describe('quantities that price tiers count', () => {
  check(
    'EVT-77',
    { requirement: 'R-EVT-69', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'usage from last month, submitted after usage from now → counted in its own month',
    async () => {
      const eventType = `contract.${unique('use')}`;
      const tiering = { basis: 'volume', period: 'monthly' };
      const prices = priced('tiered', tiering, ROWS)(eventType);
      const product = await aFreshProduct({ prices });
      const customer = await aFreshCustomer();
      const first = `${today().slice(0, 7)}-01T00:00:00.000Z`;
      await subscribe(customer, { ...to(product), starts_at: moved(first, -DAY_MS) });
      const past = { occurred_at: moved(first, -1) };
      const cost = async (tokens: number, more?: object) =>
        (await costOf(customer, eventType, tokens, more)).map(([, amount]) => amount);

      expect(await cost(90)).toEqual([90]);
      expect(await cost(60, past)).toEqual([60]);
      // 10 + 10 × 0.5; then 40 + 20 × 0.5.
      expect(await cost(20)).toEqual([15]);
      expect(await cost(60, past)).toEqual([50]);
    },
  );

  check(
    'EVT-78',
    { requirement: 'R-EVT-68', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'tiered price in two assets → each asset counts only the quantity charged in it',
    async () => {
      const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 1 }] });
      const { customer, eventType } = await aPayer((type) => [
        {
          ...price(type, 'volume', []),
          ...{ pricing_model: 'tiered', tiering: { basis: 'volume' } },
          pricing: [
            { asset: code, values: ROWS },
            { asset: 'USD', values: ROWS },
          ],
        },
      ]);
      await anAdjustment(customer, { asset: code, amount: 90, reason: 'gift' });
      await anAdjustment(customer, { amount: 500, reason: 'gift' });

      expect(await costOf(customer, eventType, 90)).toEqual([[code, 90]]);
      // The first asset is used up: the second starts at its own first row. 100 + 20 × 0.5 in all.
      expect(await costOf(customer, eventType, 90)).toEqual([['USD', 90]]);
      expect(await costOf(customer, eventType, 30)).toEqual([['USD', 20]]);
    },
  );
});
