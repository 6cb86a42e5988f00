import {
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aUnitPrice,
  call,
  check,
  describe,
  eventually,
  expect,
  lexeme,
  now,
  unique,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { aPayer, price, stored } from './shared/events.ts';
import { feesOf, priced, ROWS } from './shared/prices.ts';
import { addVersion } from './shared/products.ts';
import { moveTo, subscribe, to } from './shared/subscriptions.ts';

const BY_VOLUME = priced('tiered', { basis: 'volume' }, ROWS);
const BY_EVENT = priced(
  'tiered',
  { basis: 'unit' },
  [{ up_to: 1, unit_price: 7 }, { unit_price: 3 }],
  'unit',
);

/** Waits until the service's time has moved on. */
async function nextMoment(): Promise<void> {
  const before = now();
  await eventually(
    async () => now(),
    (moment) => moment > before,
  );
}

describe('terms that change', () => {
  check(
    'EVT-107',
    { requirement: 'R-EVT-69', level: 'ASSUMED', effect: 'E3', assumes: 'A-1501' },
    'tiers that count volume, then events, then volume again → a new count after each change, of what was counted before too',
    async () => {
      const eventType = `contract.${unique('basis')}`;
      const product = await aFreshProduct({ prices: BY_VOLUME(eventType) });
      await addVersion(product, { prices: BY_EVENT(eventType), publish: true });
      await addVersion(product, { prices: BY_VOLUME(eventType), publish: true });
      const customer = await aFreshCustomer();
      const { id } = await subscribe(customer, to(product, { version: 1 }));
      const costsWith = async (version: number, ...tokens: number[]) => {
        await nextMoment();
        if (version > 1) await moveTo(customer, id, product, version);
        await nextMoment();
        const amounts = [];
        for (const count of tokens)
          for (const { amount } of await feesOf({ customer, eventType }, { tokens: count }))
            amounts.push(amount);
        return amounts;
      };

      // 100 + 20 × 0.5, then 10 × 0.5.
      expect(await costsWith(1, 120, 10), 'fees by volume').toEqual([110, 5]);
      expect(await costsWith(2, 10, 10), 'fees by event').toEqual([7, 3]);
      // 60, then 40 + 10 × 0.5.
      expect(await costsWith(3, 60, 50), 'fees by volume again').toEqual([60, 45]);
    },
  );

  check(
    'SUB-88',
    {
      requirement: ['R-SUB-39', 'R-SUB-45'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-605', 'A-607'],
      needs: 'clock.movable',
    },
    'a weekly fee from the 31st, changed to a monthly one → the next renewal where it was, with the new fee; those after it on the 31st, or the last day of a shorter month',
    async (t) => {
      const world = await aCustomerWorld(t, '2026-01-31T12:00:00.000Z');
      const recurring = { interval: 'week' };
      const weekly = { ...aFixedPrice(10), billing_model: { type: 'recurring', recurring } };
      const subscriptionId = await world.subscribe([weekly]);
      const shown = () => world.subscription(subscriptionId);
      const [{ id: productId }] = (await shown()).products;
      const second = { prices: [aFixedPrice(25)], publish: true };
      await world.call('createProductVersion', { path: { productId }, body: second });
      const path = { ...world.path, subscriptionId, productId };
      await world.call('updateSubscriptionProduct', { path, body: { version: 2 } });
      const renewals: [string, number][] = [];
      for (let count = 0; count < 4; count += 1) {
        const { renews_at } = await shown();
        renewals.push([renews_at, await world.revenue()]);
        await world.until(renews_at);
      }

      expect(renewals, 'renews_at, and the revenue before it').toEqual([
        ['2026-02-07T12:00:00.000Z', 10],
        ['2026-03-31T12:00:00.000Z', 35],
        ['2026-04-30T12:00:00.000Z', 60],
        ['2026-05-31T12:00:00.000Z', 85],
      ]);
    },
  );

  check(
    'SUB-89',
    {
      requirement: 'R-SUB-43',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-608',
      needs: 'clock.movable',
    },
    'the clock set back to a day before the start of a subscription, and its version changed there → no usage is billed until the start',
    async (t) => {
      const world = await aCustomerWorld(t);
      const subscriptionId = await world.subscribe([aUnitPrice('call', 2)]);
      const [{ id: productId }] = (await world.subscription(subscriptionId)).products;
      const second = { prices: [aUnitPrice('call', 3)], publish: true };
      await world.call('createProductVersion', { path: { productId }, body: second });
      const setClock = (to: string) =>
        world.call('setClock', { body: { mode: 'frozen', now: to } });

      await setClock('2026-02-28T12:00:00.000Z');
      const path = { ...world.path, subscriptionId, productId };
      await world.call('updateSubscriptionProduct', { path, body: { version: 2 } });
      await world.use();
      expect(await world.available(), 'available before the start').toBe(0);
      await setClock('2026-03-01T12:00:00.000Z');
      await world.use();
      expect(await world.available(), 'available after the start').toBe(-3);
    },
  );
});

describe('numbers of an event', () => {
  check(
    'EVT-108',
    {
      requirement: ['R-EVT-10', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-303',
    },
    'numbers in data with more digits than a double holds → kept digit by digit, billed and shown as sent',
    async () => {
      const payer = await aPayer((eventType) => [price(eventType, 'volume', [{ volume_rate: 2 }])]);
      const amounts = {
        '99999999999999.99999': '199999999999999.99998',
        '0.1000000000000000055': '0.2',
        '123456789012345.678901': '246913578024691.357802',
      };
      for (const [tokens, amount] of Object.entries(amounts)) {
        const id = uuid();
        const event = { id, event_type: payer.eventType, occurred_at: now(), data: { tokens: 0 } };
        const body = JSON.stringify({ customer_id: payer.customer.id, events: [event] });
        const raw = body.replace('"tokens":0', `"tokens":${tokens}`);
        await call('submitEvents', { raw }, [204]);
        const { data, fees } = await stored(id);

        expect(lexeme(data as { tokens: number }, 'tokens'), 'data.tokens').toBe(tokens);
        const [fee] = fees as [(typeof fees)[number]];
        expect(lexeme(fee, 'input_volume'), 'fees[0].input_volume').toBe(tokens);
        expect(lexeme(fee, 'amount'), 'fees[0].amount').toBe(amount);
      }
    },
  );
});
