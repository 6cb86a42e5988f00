import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  today,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, DAY_MS, listed, price, stored } from './shared/events.ts';
import { versionOf } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';

/** 1 a token up to 100, 0.5 after that. */
const ROWS = [{ up_to: 100, volume_rate: 1 }, { volume_rate: 0.5 }];

async function costOf(customer: OwnObject, eventType: string, tokens: number, more: object = {}) {
  const { id } = await aUsageEvent(customer, eventType, { data: { tokens }, ...more });
  return (await stored(id)).fees.map((fee) => [fee.currency, fee.amount]);
}

describe('what a fee is drawn from', () => {
  // EVT-76: of gifts the one that ends first, though it came last, and of the paid credit likewise
  check('EVT-76', async () => {
    const { customer, eventType } = await aPayer((type) => [
      price(type, 'volume', [{ volume_rate: 1 }]),
    ]);
    for (const [reason, days] of [
      ['external_topup', undefined],
      ['external_topup', 3],
      ['gift', undefined],
      ['gift', 2],
      ['gift', 1],
    ] as const)
      await anAdjustment(customer, {
        reason,
        amount: 10,
        ...(days && { expires_at: now(days * DAY_MS) }),
      });
    const left = async (tokens: number) => {
      await aUsageEvent(customer, eventType, { data: { tokens } });
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const { items } = await api('listGrants', { path, query: { limit: 1000 } }, 200);
      return items.map(({ available }) => available).reverse();
    };

    expect(await left(4)).toEqual([10, 10, 10, 10, 6]);
    expect(await left(8)).toEqual([10, 10, 10, 8, 0]);
    expect(await left(20)).toEqual([10, 8, 0, 0, 0]);
  });
});

describe('quantities so far', () => {
  // EVT-77: usage of the last month, submitted after that of now → counts in its own month
  check('EVT-77', async () => {
    const eventType = `contract.${unique('use')}`;
    const tiering = { basis: 'volume', period: 'monthly' };
    const monthly = { ...price(eventType, 'volume', ROWS), pricing_model: 'tiered', tiering };
    const product = await aFreshProduct({ prices: [monthly] });
    const customer = await aFreshCustomer();
    const first = Date.parse(`${today().slice(0, 7)}-01T00:00:00.000Z`);
    await subscribe(customer, {
      ...to(product),
      starts_at: new Date(first - DAY_MS).toISOString(),
    });
    const past = { occurred_at: new Date(first - 1).toISOString() };
    const cost = async (tokens: number, more?: object) =>
      (await costOf(customer, eventType, tokens, more)).map(([, amount]) => amount);

    expect(await cost(90)).toEqual([90]);
    expect(await cost(60, past)).toEqual([60]);
    // 10 + 10 × 0.5; then 40 + 20 × 0.5.
    expect(await cost(20)).toEqual([15]);
    expect(await cost(60, past)).toEqual([50]);
  });

  // EVT-78: a price in two assets → each counts what is charged in it alone
  check('EVT-78', async () => {
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
  });
});

describe('events of one batch', () => {
  // EVT-79: three events of one batch at one moment → listed with the last of the batch first, page by page too
  check('EVT-79', async () => {
    const customer = await aFreshCustomer();
    const occurred_at = now(-60_000);
    const events = [1, 2, 3].map(() => usageEvent('contract.batch', { occurred_at }));
    const body = { customer_id: customer.id, events: events as never };
    await call('submitEvents', { body }, [204]);
    const wanted = events.map(({ id }) => id).reverse();
    const pages: string[] = [];
    for (const offset of [0, 1, 2]) {
      const items = await listed({ customer_id: customer.id, limit: 1, offset });
      pages.push(...items.map(({ id }) => id));
    }

    expect((await listed({ customer_id: customer.id })).map(({ id }) => id)).toEqual(wanted);
    expect(pages).toEqual(wanted);
  });
});

describe('archiving the default', () => {
  // PRD-48: of three published versions the default is archived → the newest becomes the default
  check('PRD-48', async () => {
    const product = await aFreshProduct();
    const path = { productId: product.id };
    for (const cost of [1, 2]) {
      const body = { prices: [aUnitPrice(product.eventType, cost)], publish: true } as never;
      await api('createProductVersion', { path, body }, 201);
    }
    const isDefault = async () => (await versionOf(product)).version;

    expect(await isDefault()).toBe(1);
    await call('archiveProductVersion', { path: { ...path, version: '1' } }, [204]);
    expect(await isDefault()).toBe(3);
    await call('archiveProductVersion', { path: { ...path, version: '3' } }, [204]);
    expect(await isDefault()).toBe(2);
  });
});

describe('events submitted out of order', () => {
  // EVT-80: events of one subject, the later ones submitted first → listed by submission
  check('EVT-80', async () => {
    const customer = await aFreshCustomer();
    const subject = unique('subject');
    const ids: string[] = [];
    for (const hours of [1, 3, 2]) {
      const occurred_at = now(-hours * 3_600_000);
      const event = usageEvent('contract.order', { subject, occurred_at });
      ids.unshift(event.id);
      const body = { customer_id: customer.id, events: [event] as never };
      await call('submitEvents', { body }, [204]);
    }
    const found = await listed({ customer_id: customer.id, subject });

    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});
