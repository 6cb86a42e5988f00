import {
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  api,
  check,
  describe,
  expect,
  now,
  today,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, listed, price, submit } from './shared/events.ts';
import { feesOf, priced, ROWS } from './shared/prices.ts';
import { addVersion } from './shared/products.ts';
import { moveTo, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS, moved } from './shared/times.ts';
import { balance } from './shared/wallets.ts';

const tiered = priced('tiered', { basis: 'volume' }, ROWS);

const costs = async (...of: Parameters<typeof feesOf>) =>
  (await feesOf(...of)).map(({ amount }) => amount);

describe('quantity that price tiers count', () => {
  check(
    'EVT-42',
    { requirement: 'R-EVT-68', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'customers and groups are counted separately, a repeated event counts once',
    async () => {
      const eventType = `contract.${unique('use')}`;
      const groups = ['large', '*'].map((model) => ({ dimensions: { model }, values: ROWS }));
      const [first] = tiered(eventType);
      const { usage_calculation } = first as { usage_calculation: object };
      const grouped = {
        ...first,
        usage_calculation: { ...usage_calculation, billable_dimensions: ['model'] },
        pricing: [{ asset: 'USD', values: groups }],
      };
      const product = await aFreshProduct({ prices: [grouped] });
      const subscriptions = [{ products: [{ id: product.id }] }];
      const one = { customer: await aFreshCustomer({ subscriptions }), eventType };
      const other = { customer: await aFreshCustomer({ subscriptions }), eventType };
      const event = usageEvent(eventType, { data: { model: 'large', tokens: 90 } });
      await submit(one.customer, event);
      await submit(one.customer, event);

      expect(await costs(one, { model: 'large', tokens: 20 })).toEqual([15]);
      expect(await costs(one, { model: 'small', tokens: 60 })).toEqual([60]);
      expect(await costs(one, { tokens: 60 })).toEqual([50]);
      expect(await costs(other, { model: 'large', tokens: 20 })).toEqual([20]);
    },
  );

  check(
    'EVT-43',
    { requirement: 'R-EVT-69', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'usage of last month, submitted after usage from now → counted in its own month; a price of the same name in another version continues the count, a price of another name does not',
    async () => {
      const monthly = { basis: 'volume', period: 'monthly' };
      const prices = priced('tiered', monthly, ROWS);
      const eventType = `contract.${unique('use')}`;
      const product = await aFreshProduct({ prices: prices(eventType) });
      const payer = { customer: await aFreshCustomer(), eventType };
      const first = `${today().slice(0, 7)}-01T00:00:00.000Z`;
      const starts_at = moved(first, -DAY_MS);
      const { id } = await subscribe(payer.customer, { ...to(product), starts_at });
      const past = { occurred_at: moved(first, -1) };

      expect(await costs(payer, { tokens: 90 })).toEqual([90]);
      expect(await costs(payer, { tokens: 60 }, past)).toEqual([60]);
      // 10 + 10 × 0.5; then 40 + 20 × 0.5.
      expect(await costs(payer, { tokens: 20 })).toEqual([15]);
      expect(await costs(payer, { tokens: 60 }, past)).toEqual([50]);

      const rows = [{ up_to: 120, volume_rate: 2 }, { volume_rate: 1 }];
      const [same] = priced('tiered', monthly, rows)(eventType);
      for (const [version, only, cost] of [
        // 110 so far: 10 × 2 + 10 × 1.
        [2, same, 30],
        [3, { ...same, name: 'Other usage' }, 40],
      ] as const) {
        await addVersion(product, { prices: [only], publish: true });
        await moveTo(payer.customer, id, product, version);
        expect(await costs(payer, { tokens: 20 }), `version ${version}`).toEqual([cost]);
      }
    },
  );
});

describe('fields of a fee', () => {
  check(
    'EVT-44',
    { requirement: 'R-EVT-70', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'a fee of one row → its name, rate and package size; of several rows → the name of the group or the price, the others null',
    async () => {
      const rows = [
        { ...ROWS[0], name: 'First', package_size: 1 },
        { ...ROWS[1], name: 'Beyond', package_size: 10 },
      ];
      const payer = await aPayer(priced('tiered', { basis: 'volume' }, rows));
      const shown = async (tokens: number) => {
        const [fee] = await feesOf(payer, { tokens });
        return [fee?.price_name, fee?.volume_rate, fee?.input_volume, fee?.package_size ?? null];
      };

      expect(await shown(60)).toEqual(['First', 1, 60, 1]);
      expect(await shown(50)).toEqual(['Usage', null, 50, null]);
      expect(await shown(10)).toEqual(['Beyond', 0.5, 10, 10]);
    },
  );

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
      const expectFee = async (type: string, data: object, wanted: readonly unknown[]) => {
        const fees = await feesOf({ customer, eventType: `${eventType}${type}` }, data);
        const [item] = await listed({ customer_id: customer.id, has_fees: true });
        const asked = `${type} ${JSON.stringify(data)}`;

        expect(item?.total_fees, asked).toBe(fees[0]?.amount);
        expect(
          fees.map(({ amount, dimensions, input_volume, unit_price, volume_rate }) =>
            [amount, dimensions, input_volume, unit_price, volume_rate].map((one) => one ?? null),
          ),
          asked,
        ).toEqual([wanted]);
      };

      await expectFee('', {}, [0, null, null, 0, null]);
      await expectFee('.z', { tokens: 5 }, [0, null, 5, 0, 0]);
      await expectFee('.v', { tokens: 0 }, [0, null, 0, null, 3]);
      await expectFee('.v', { tokens: 5 }, [1.5, null, 5, null, 3]);
      const both = { region: 'eu', tier: '7' };
      await expectFee('.d', { region: 'eu', tier: 7, other: 'x' }, [0.5, both, null, 0.5, null]);
      await expectFee('.d', { tier: true }, [0.5, { tier: 'true' }, null, 0.5, null]);
      await expectFee('.d', { other: 'x' }, [0.5, null, null, 0.5, null]);
      expect(String(await balance(customer))).toBe('-3');
    },
  );
});

describe('simulateUsage', () => {
  async function simulate({ id }: { readonly id: string }, events: object[], more: object = {}) {
    const path = { productId: id, version: '1' };
    const body = { events, ...more } as never;
    const { fees, warnings } = await api('simulateUsage', { path, body }, 200);
    return { fees: fees.map((fee) => [fee.usage_id, fee.amount]), warnings };
  }

  check(
    'PRD-29',
    { requirement: 'R-PRD-59', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    "simulated tiers begin at zero, or with customer_id at the customer's quantity, and add up",
    async () => {
      const payer = await aPayer(tiered);
      const { customer, product, eventType } = payer;
      const events = [60, 60].map((tokens) => usageEvent(eventType, { data: { tokens } }));
      const simulated = async (more: object) =>
        (await simulate(product, events, more)).fees.map(([, amount]) => amount);

      expect(await costs(payer, { tokens: 90 })).toEqual([90]);
      expect(await simulated({})).toEqual([60, 50]);
      // 10 + 50 × 0.5; then 60 × 0.5.
      for (const again of ['first', 'again'])
        expect(await simulated({ customer_id: customer.id }), again).toEqual([35, 30]);
      expect(await simulated({})).toEqual([60, 50]);
    },
  );

  check(
    'PRD-43',
    { requirement: 'R-PRD-57', level: 'ASSUMED', effect: 'E2', assumes: 'A-512' },
    'simulation of a draft with priced and unpriced usage, missing and non-numeric volumes, times far in the past and future → the fees in order, a warning for each event that was not priced, none if all were',
    async (t) => {
      const product = await aDraftProduct(t);
      const type = product.eventType;
      const byVolume = [price(type, 'volume', [{ volume_rate: 2 }])];
      const volume = await aDraftProduct(t, { prices: byVolume });
      const [one, far, other] = [
        usageEvent(type, { occurred_at: now(-400 * DAY_MS) }),
        usageEvent(type, { occurred_at: now(400 * DAY_MS) }),
        usageEvent(`${type}.other`),
      ];
      const volumes = [{}, { tokens: 'many' }, { tokens: -1 }, { tokens: 4 }].map((data) =>
        usageEvent(type, { data }),
      );
      const whole = await simulate(product, [one, far]);
      const part = await simulate(product, [one, other, far]);
      const unusable = await simulate(volume, volumes);
      const fees = [one, far].map(({ id }) => [id, 0.25]);

      expect(whole).toEqual({ fees, warnings: undefined });
      expect([part.fees, part.warnings?.length]).toEqual([fees, 1]);
      expect([unusable.fees, unusable.warnings?.length]).toEqual([[[volumes[3]?.id, 8]], 3]);
    },
  );
});
