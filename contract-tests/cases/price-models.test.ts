import {
  aFreshCustomer,
  aFreshProduct,
  api,
  call,
  check,
  describe,
  expect,
  refused,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, price } from './shared/events.ts';
import { costs, feesOf, priced, ROWS } from './shared/prices.ts';
import { addVersion } from './shared/products.ts';
import { detailOf } from './shared/subscriptions.ts';

const VOLUMES = { basis: 'volume' };

describe('price tiers', () => {
  check(
    'EVT-37',
    { requirement: 'R-EVT-63', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'tiered by volume → each event continues where the last one stopped, a bound belongs to its row',
    async () => {
      const payer = await aPayer(priced('tiered', VOLUMES, ROWS));

      // 60 and 40 fill row 1; 0 costs nothing; 1 is in row 2. Another customer, both rows at once: 100 + 200 x 0.5.
      expect(await costs(payer, 60, 40, 0, 1)).toEqual(['60', '40', '0', '0.5']);
      expect(await costs(await aPayer(priced('tiered', VOLUMES, ROWS)), 300)).toEqual(['200']);
    },
  );

  check(
    'EVT-38',
    { requirement: 'R-EVT-64', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'tiered by unit and by package → rows count events, and started packages',
    async () => {
      const units = [{ up_to: 2, unit_price: 1 }, { unit_price: 0.5 }];
      const packages = [
        { up_to: 2, volume_rate: 5, package_size: 100 },
        { volume_rate: 3, package_size: 100 },
      ];
      const byUnit = await aPayer(priced('tiered', { basis: 'unit' }, units, 'unit'));
      const byPackage = await aPayer(priced('tiered', { basis: 'package' }, packages));

      expect(await costs(byUnit, 9, 9, 9)).toEqual(['1', '1', '0.5']);
      // 150 start packages 1 and 2 at 5 each; 50 start none; 1 starts the third at 3.
      expect(await costs(byPackage, 150, 50, 1)).toEqual(['10', '0', '3']);
    },
  );

  check(
    'EVT-39',
    { requirement: 'R-EVT-65', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'bulk → the whole event is priced at the row that it reaches',
    async () => {
      const payer = await aPayer(priced('bulk', VOLUMES, ROWS));

      expect(await costs(payer, 60, 40, 60)).toEqual(['60', '40', '30']);
      // The second event reaches 160, so row 2 charges the whole event.
      const other = await aPayer(priced('bulk', VOLUMES, ROWS));
      expect(await costs(other, 80, 80)).toEqual(['80', '40']);
    },
  );

  check(
    'EVT-40',
    { requirement: 'R-EVT-66', level: 'ASSUMED', effect: 'E3', assumes: 'A-1503' },
    'package → paid by the event that starts it',
    async () => {
      const payer = await aPayer(
        priced('package', undefined, [{ volume_rate: 3, package_size: 100 }]),
      );

      // 1 starts a package; 99 fill it; 1 starts the second; 250 (351 in all) start two more.
      expect(await costs(payer, 1, 99, 1, 250)).toEqual(['3', '0', '3', '6']);
    },
  );

  check(
    'EVT-41',
    { requirement: 'R-EVT-67', level: 'ASSUMED', effect: 'E3', assumes: 'A-1504' },
    'min_amount and max_amount of the row reached limit a fee; volume 0 costs nothing',
    async () => {
      const flat = [{ volume_rate: 1, min_amount: 2, max_amount: 5 }];
      const rows = [
        { up_to: 100, volume_rate: 1, max_amount: 50 },
        { volume_rate: 0.5, max_amount: 20 },
      ];

      expect(await costs(await aPayer(priced('flat', undefined, flat)), 1, 3, 9, 0)).toEqual([
        '2',
        '3',
        '5',
        '0',
      ]);
      // 80 is limited to 50; 20 + 80 x 0.5 is limited to 20 by row 2; both quantities count in full.
      expect(await costs(await aPayer(priced('tiered', VOLUMES, rows)), 80, 100, 2)).toEqual([
        '50',
        '20',
        '1',
      ]);
    },
  );
});

describe('quantity that price tiers count', () => {
  check(
    'EVT-42',
    { requirement: 'R-EVT-68', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'customers and groups are counted separately, a repeated event counts once',
    async () => {
      const eventType = `contract.${unique('use')}`;
      const groups = ['large', '*'].map((model) => ({ dimensions: { model }, values: ROWS }));
      const grouped = {
        ...price(eventType, 'volume', groups, { billable_dimensions: ['model'] }),
        pricing_model: 'tiered',
        tiering: VOLUMES,
      };
      const product = await aFreshProduct({ prices: [grouped] });
      const subscriptions = [{ products: [{ id: product.id }] }];
      const customer = await aFreshCustomer({ subscriptions });
      const other = await aFreshCustomer({ subscriptions });
      const cost = async (payer: typeof customer, data: object) =>
        (await feesOf({ customer: payer, eventType }, data)).map((fee) => fee.amount);
      const event = usageEvent(eventType, { data: { model: 'large', tokens: 90 } });
      const body = { customer_id: customer.id, events: [event] } as never;
      await call('submitEvents', { body }, [204]);
      await call('submitEvents', { body }, [204]);

      expect(await cost(customer, { model: 'large', tokens: 20 })).toEqual([15]);
      expect(await cost(customer, { model: 'small', tokens: 60 })).toEqual([60]);
      expect(await cost(customer, { tokens: 60 })).toEqual([50]);
      expect(await cost(other, { model: 'large', tokens: 20 })).toEqual([20]);
    },
  );

  check(
    'EVT-43',
    { requirement: 'R-EVT-69', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'a price of the same name in another version continues the count, a price of another name does not',
    async () => {
      const payer = await aPayer(priced('tiered', VOLUMES, ROWS));
      const { customer, product, eventType } = payer;
      const [same] = priced('tiered', VOLUMES, [
        { up_to: 100, volume_rate: 2 },
        { volume_rate: 1 },
      ])(eventType);
      const { subscriptions = [] } = await detailOf(customer);
      const path = {
        customerId: customer.id,
        subscriptionId: subscriptions[0]?.id ?? '',
        productId: product.id,
      };
      const moved = async (version: number, only: object) => {
        await addVersion(product, { prices: [only], publish: true });
        await call('updateSubscriptionProduct', { path, body: { version } }, [204]);
      };

      expect(await costs(payer, 90)).toEqual(['90']);
      await moved(2, same as object);
      // 10 x 2 + 10 x 1.
      expect(await costs(payer, 20)).toEqual(['30']);
      await moved(3, { ...same, name: 'Other usage' });
      expect(await costs(payer, 20)).toEqual(['40']);
    },
  );
});

describe('fees of price tiers', () => {
  check(
    'EVT-44',
    { requirement: 'R-EVT-70', level: 'ASSUMED', effect: 'E3', assumes: 'A-1502' },
    'a fee of one row → its name and rate; of several rows → the name of the group or the price, rate null',
    async () => {
      const named = [
        { ...ROWS[0], name: 'First' },
        { ...ROWS[1], name: 'Beyond' },
      ];
      const payer = await aPayer(priced('tiered', VOLUMES, named));
      const shown = async (tokens: number) => {
        const [fee] = await feesOf(payer, { tokens });
        return [fee?.price_name, fee?.volume_rate, fee?.input_volume];
      };

      expect(await shown(60)).toEqual(['First', 1, 60]);
      expect(await shown(50)).toEqual(['Usage', null, 50]);
      expect(await shown(10)).toEqual(['Beyond', 0.5, 10]);
    },
  );
});

describe('simulated price tiers', () => {
  check(
    'PRD-29',
    { requirement: 'R-PRD-59', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    "simulated tiers begin at zero, or with customer_id at the customer's quantity, and add up",
    async () => {
      const payer = await aPayer(priced('tiered', VOLUMES, ROWS));
      const { customer, product, eventType } = payer;
      const path = { productId: product.id, version: String(product.version) };
      const events = [60, 60].map((tokens) => usageEvent(eventType, { data: { tokens } }));
      const simulated = async (more: object) => {
        const body = { events, ...more } as never;
        const { fees } = await api('simulateUsage', { path, body }, 200);
        return fees.map((fee) => fee.amount);
      };

      expect(await costs(payer, 90)).toEqual(['90']);
      expect(await simulated({})).toEqual([60, 50]);
      // 10 + 50 x 0.5; then 60 x 0.5.
      expect(await simulated({ customer_id: customer.id })).toEqual([35, 30]);
      expect(await simulated({})).toEqual([60, 50]);
    },
  );
});

describe('validation of price models', () => {
  check(
    'PRD-30',
    { requirement: 'R-PRD-60', level: 'ASSUMED', effect: 'E1', assumes: 'A-1505' },
    'tiers without tiering, flat with it, rows that do not ascend or end, two rows of a package, min_amount above max_amount → rejected',
    async () => {
      const wrong = [
        priced('tiered', undefined, ROWS),
        priced('bulk', {}, ROWS),
        priced('flat', VOLUMES, [{ volume_rate: 1 }]),
        priced('flat', undefined, ROWS),
        priced('tiered', VOLUMES, [{ up_to: 100, volume_rate: 1 }]),
        priced('tiered', VOLUMES, [{ up_to: 9, volume_rate: 1 }, ...ROWS.toReversed()]),
        priced('tiered', VOLUMES, [{ unit_price: 1 }], 'unit'),
        priced('package', undefined, [{ volume_rate: 1 }]),
        priced('package', undefined, [
          { volume_rate: 1, package_size: 5 },
          { volume_rate: 1, package_size: 5 },
        ]),
        priced(
          'package',
          undefined,
          [{ volume_rate: 1, unit_price: 1, package_size: 5 }],
          'unit_and_volume',
        ),
        priced('flat', undefined, [{ volume_rate: 1, min_amount: 2, max_amount: 1 }]),
      ];
      for (const pricesOf of wrong) {
        const body = {
          name: 'Refused',
          code: unique('refused'),
          prices: pricesOf('contract.refused'),
        };
        await refused('createProduct', { body });
      }
    },
  );
});
