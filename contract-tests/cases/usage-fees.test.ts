import {
  aDraftProduct,
  api,
  aUsageEvent,
  check,
  describe,
  expect,
  now,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, listed, price, stored } from './shared/events.ts';
import { DAY_MS } from './shared/times.ts';
import { balance } from './shared/wallets.ts';

describe('fields of a fee', () => {
  check(
    'EVT-68',
    {
      requirement: ['R-EVT-22', 'R-EVT-23', 'R-EVT-74'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-508', 'A-507'],
    },
    "price of 0, rate of 0, volume of 0, `*` dimensions of which the event has all, one or none → one fee each: amounts of 0 charge nothing; price and rate as set; the event's own values of those dimensions, without those it lacks",
    async () => {
      const more = { billable_dimensions: ['region', 'tier'] };
      const any = { region: '*', tier: '*' };
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0 }]),
        price(`${type}.z`, 'unit_and_volume', [{ unit_price: 0, volume_rate: 0 }]),
        price(`${type}.v`, 'volume', [{ volume_rate: 3, package_size: 10 }]),
        price(`${type}.d`, 'unit', [{ dimensions: any, unit_price: 0.5 }], more),
      ]);
      const fee = async (type: string, data: object = {}) => {
        const { id } = await aUsageEvent(customer, `${eventType}${type}`, { data });
        const [item] = await listed({ event_id: id, has_fees: true });
        const { fees } = await stored(id);
        expect([item?.id, item?.total_fees]).toEqual([id, fees[0]?.amount]);
        return fees.map(({ amount, dimensions, input_volume, unit_price, volume_rate }) =>
          [amount, dimensions, input_volume, unit_price, volume_rate].map((one) => one ?? null),
        );
      };

      expect(await fee('')).toEqual([[0, null, null, 0, null]]);
      expect(await fee('.z', { tokens: 5 })).toEqual([[0, null, 5, 0, 0]]);
      expect(await fee('.v', { tokens: 0 })).toEqual([[0, null, 0, null, 3]]);
      expect(await fee('.v', { tokens: 5 })).toEqual([[1.5, null, 5, null, 3]]);
      expect(await fee('.d', { region: 'eu', tier: 7, other: 'x' })).toEqual([
        [0.5, { region: 'eu', tier: '7' }, null, 0.5, null],
      ]);
      expect(await fee('.d', { tier: true })).toEqual([[0.5, { tier: 'true' }, null, 0.5, null]]);
      expect(await fee('.d', { other: 'x' })).toEqual([[0.5, null, null, 0.5, null]]);
      expect(String(await balance(customer))).toBe('-3');
    },
  );
});

describe('simulateUsage', () => {
  check(
    'PRD-43',
    { requirement: 'R-PRD-57', level: 'ASSUMED', effect: 'E2', assumes: 'A-512' },
    'simulation of a draft with priced and unpriced usage, missing and non-numeric volumes, times far in the past and future → the fees in order, a warning for each event that was not priced, none if all were',
    async (t) => {
      const product = await aDraftProduct(t);
      const type = product.eventType;
      const volume = await aDraftProduct(t, {
        prices: [price(type, 'volume', [{ volume_rate: 2 }])],
      });
      const simulate = async ({ id }: { readonly id: string }, events: object[]) => {
        const path = { productId: id, version: '1' };
        const { fees, warnings } = await api(
          'simulateUsage',
          { path, body: { events } as never },
          200,
        );
        return { fees: fees.map((fee) => [fee.usage_id, fee.amount]), warnings };
      };
      const [one, far, other] = [
        usageEvent(type, { occurred_at: now(-400 * DAY_MS) }),
        usageEvent(type, { occurred_at: now(400 * DAY_MS) }),
        usageEvent(`${type}.other`),
      ];
      const volumes = [undefined, 'many', -1, 4].map((tokens) =>
        usageEvent(type, { data: tokens === undefined ? {} : { tokens } }),
      );
      const whole = await simulate(product, [one, far]);
      const part = await simulate(product, [one, other, far]);
      const unusable = await simulate(volume, volumes);

      expect(whole).toEqual({
        fees: [
          [one.id, 0.25],
          [far.id, 0.25],
        ],
        warnings: undefined,
      });
      expect([part.fees, part.warnings?.length]).toEqual([whole.fees, 1]);
      expect([unusable.fees, unusable.warnings?.length]).toEqual([[[volumes[3]?.id, 8]], 3]);
    },
  );
});
