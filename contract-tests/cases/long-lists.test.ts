import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  call,
  check,
  describe,
  expect,
  now,
  unique,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { assetOf, setRate } from './shared/assets.ts';
import { listed, price, stored, submit, taskOf } from './shared/events.ts';
import { addVersion, versionOf } from './shared/products.ts';
import { detailOf } from './shared/subscriptions.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';
import { logged, TOPIC } from './shared/webhooks.ts';

/** One more than a page has by default: lists inside a detail are not paged. */
const COUNT = 101;

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, i) => make(i));

const inTurn = async <T>(make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (const index of many((each) => each)) made.push(await make(index));
  return made;
};

describe('long lists of usage', () => {
  // TSK-19: a task of 101 events, with a cost of each of 101 vendors → all events and all vendors in the detail, and their
  // sum; the count in the list
  check('TSK-19', async () => {
    const [customer, subject] = [await aFreshCustomer(), uniqueSubject()];
    const vendors = await inTurn(aNewVendor);
    const costs = vendors.map((vendor_id) => ({ id: uuid(), vendor_id, amount: 0.5 }));
    const events = many((index) => usageEvent('contract.long', { subject, costs: [costs[index]] }));
    await submit(customer, ...events);
    const task = await taskOf(customer, subject);
    const { items } = await api('listTasks', { query: { subject } }, 200);

    expect(task.events.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
    expect(task.vendors.map(({ vendor }) => vendor.id).sort()).toEqual(vendors.sort());
    expect(task.stats.total_costs).toBe(50.5);
    expect(items.map(({ event_count }) => event_count)).toEqual([COUNT]);
  });

  // EVT-93: an event with 101 costs of one vendor, each in its own category, and with 101 fees of two products → all of them
  // in the event, their sums in its list item; all categories in the vendor's stats; all fees in a simulation of 101 events
  check('EVT-93', async () => {
    const [eventType, vendorId] = [`contract.${unique('use')}`, await aNewVendor()];
    const prices = many((index) => ({ ...aUnitPrice(eventType, 0.5), name: `P${index}` }));
    const product = await aFreshProduct({ prices: prices.slice(0, 100) });
    const other = await aFreshProduct({ prices: prices.slice(100) });
    const products = [{ id: product.id }, { id: other.id }];
    const customer = await aFreshCustomer({ subscriptions: [{ products }] });
    const costs = many((index) => {
      return { id: uuid(), vendor_id: vendorId, amount: 0.5, category: `c${index}` };
    });
    const { id } = await aUsageEvent(customer, eventType, { costs });
    const event = await stored(id);
    const { categories, total_costs } = await vendorStats(vendorId);
    const path = { productId: other.id, version: 'default' };
    const events = many(() => usageEvent(eventType));
    const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);

    expect(event.costs.map((cost) => cost.id)).toEqual(costs.map((cost) => cost.id));
    expect(event.fees.map(({ price_name }) => price_name)).toEqual(prices.map(({ name }) => name));
    expect(event.stats).toMatchObject({ gross_revenue: 50.5, total_costs: 50.5 });
    expect(total_costs).toBe(50.5);
    expect(categories.map(({ category }) => category).sort()).toEqual(
      costs.map(({ category }) => category).sort(),
    );
    expect(await listed({ event_id: id })).toMatchObject([
      { total_fees: 50.5, stats: { gross_revenue: 50.5, total_costs: 50.5 } },
    ]);
    expect(fees.map(({ usage_id }) => usage_id)).toEqual(events.map((each) => each.id));
  });
});

describe('long lists of customers and the catalogue', () => {
  // CUS-67: a customer with 101 subscriptions, 101 external accounts and 101 wallet accounts → all of them in its detail and in
  // its wallet, the subscriptions counted
  check('CUS-67', async () => {
    const product = await aFreshProduct();
    const external_accounts = many((index) => ({ provider: 'stripe', provider_id: `p${index}` }));
    const subscriptions = many(() => ({ products: [{ id: product.id }] }));
    const customer = await aFreshCustomer({ external_accounts, subscriptions });
    const path = { customerId: customer.id };
    const names = many((index) => `contract-${index}`);
    for (const account_name of names) await anAdjustment(customer, { account_name });
    const shown = await detailOf(customer);
    const { accounts } = await api('getWallet', { path }, 200);

    expect(shown.external_accounts).toEqual(external_accounts);
    expect(new Set(shown.subscriptions.map(({ id }) => id)).size).toBe(COUNT);
    expect(shown.active_subscription_count).toBe(COUNT);
    expect(accounts.map(({ name }) => name).sort()).toEqual(['default', ...names].sort());
  });

  // AST-50: 101 rates of an asset, each from a later time → all of them in its schedule, newest first
  check('AST-50', async () => {
    const { code } = await aFreshAsset({ precision: 2 });
    const rates = many((index) => index + 1);
    for (const rate of rates) await setRate(code, { rate, valid_from: now((rate - 200) * 60_000) });
    const shown = (await assetOf(code)).rates;

    expect(shown.map(({ schedule }) => schedule.map(({ rate }) => rate))).toEqual([
      rates.toReversed(),
    ]);
  });

  // PRD-65: a product with 101 versions, one with 100 prices, one of them with 101 values → all of them in the product and in the
  // version, in order
  check('PRD-65', async () => {
    const product = await aFreshProduct();
    for (const _ of many(() => 0).slice(2)) await addVersion(product, {});
    const values = many((index) => ({ dimensions: { key: `v${index}` }, unit_price: index }));
    const keyed = price('contract.long', 'unit', values, { billable_dimensions: ['key'] });
    const others = many((index) => ({ ...aUnitPrice('contract.long'), name: `P${index}` }));
    await addVersion(product, { prices: [keyed, ...others.slice(2)] });
    const { versions } = await api('getProduct', { path: { productId: product.id } }, 200);
    const { prices } = await versionOf(product, COUNT);

    expect(versions.map(({ version }) => version)).toEqual(many((index) => COUNT - index));
    expect(prices).toMatchObject([keyed, ...others.slice(2)]);
  });
});

describe('long lists of webhooks', () => {
  // WHK-81: 101 destinations, one with 101 topics, and a test event for all → all in the list, counted; all its topics; every
  // other one matched by the event
  check('WHK-81', async (t) => {
    const topics = many((index) => `contract.topic_${index}`);
    const [first, ...others] = await inTurn((index) => aWebhook(t, index === 0 ? { topics } : {}));
    const { items, total_count } = await api('listWebhooks', {}, 200);
    const { id } = (await call('testWebhooks', { path: { topic: TOPIC }, body: {} }, [202])).body;
    const { matched_destination_ids: matched } = await logged(id);
    const path = { webhookId: first?.id as string };

    expect(items).toHaveLength(total_count);
    expect(items.map((item) => item.id)).toEqual(
      expect.arrayContaining([first, ...others].map((each) => each?.id)),
    );
    expect(matched).toEqual(expect.arrayContaining(others.map((each) => each.id)));
    expect((await api('getWebhook', { path }, 200)).topics).toEqual(topics);
  });
});
