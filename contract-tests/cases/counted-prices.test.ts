import {
  aFreshCustomer,
  aFreshProduct,
  aUsageEvent,
  check,
  describe,
  expect,
  type OwnObject,
  today,
  unique,
} from '../kit/index.ts';
import { aPayer, stored } from './shared/events.ts';
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
});
