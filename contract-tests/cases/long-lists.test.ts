import {
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  call,
  check,
  expect,
  type OwnProduct,
  unique,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { listed, price, stored, submit, taskOf } from './shared/events.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import { detailOf } from './shared/subscriptions.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';
import { isMatched, logged, TOPIC } from './shared/webhooks.ts';

/** One more than a page has by default: lists inside a detail are not paged. */
const COUNT = 101;

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, i) => make(i));

check(
  'EVT-93',
  {
    requirement: 'R-EVT-14 R-TSK-01 R-TSK-05',
    level: 'MUST',
    effect: 'E3',
    assumes: 'A-512 A-904 A-1001',
  },
  'an event with 101 costs in categories of their own and 101 fees, in a task of 102 events, 101 of them of one batch → all of them in the event, in the stats of the vendor, in a simulation and in the task, with their sums',
  async () => {
    const [eventType, vendorId] = [`contract.${unique('use')}`, await aNewVendor()];
    const prices = many((index) => ({ ...aUnitPrice(eventType, 0.5), name: `P${index}` }));
    const product = await aFreshProduct({ prices: prices.slice(0, 100) });
    const other = await aFreshProduct({ prices: prices.slice(100) });
    const products = [{ id: product.id }, { id: other.id }];
    const customer = await aFreshCustomer({ subscriptions: [{ products }] });
    const costs = many((index) => {
      return { id: uuid(), vendor_id: vendorId, amount: 0.5, category: `c${index}` };
    });
    const subject = uniqueSubject();
    const { id } = await aUsageEvent(customer, eventType, { costs, subject });
    const event = await stored(id);
    expect(event.costs.map((cost) => cost.id)).toEqual(costs.map((cost) => cost.id));
    expect(event.fees.map((fee) => fee.price_name)).toEqual(prices.map(({ name }) => name));
    const sums = { gross_revenue: 50.5, total_costs: 50.5 };
    expect(event.stats, 'stats').toMatchObject(sums);
    const [item] = await listed({ event_id: id });
    expect(item, 'list item').toMatchObject({ total_fees: 50.5, stats: sums });

    const { categories, total_costs } = await vendorStats(vendorId);
    expect(total_costs, 'costs of the vendor').toBe(50.5);
    expect(categories.map(({ category }) => category).sort()).toEqual(
      costs.map(({ category }) => category).sort(),
    );
    const path = { productId: other.id, version: 'default' };
    const events = many(() => usageEvent(eventType));
    const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
    expect(fees.map(({ usage_id }) => usage_id)).toEqual(events.map((each) => each.id));

    const more = many(() => usageEvent('contract.long', { subject }));
    await submit(customer, ...more);
    const task = await taskOf(customer, subject);
    const wanted = [id, ...more.map((each) => each.id)];
    expect(task.events.map((each) => each.id).sort()).toEqual(wanted.sort());
    const { items } = await api('listTasks', { query: { subject } }, 200);
    expect(
      items.map(({ event_count }) => event_count),
      'event_count',
    ).toEqual([COUNT + 1]);
  },
);

check(
  'CUS-67',
  { requirement: 'R-CUS-16 R-CUS-17', level: 'MUST', effect: 'E3' },
  'a customer with 101 subscriptions and 101 external accounts → all of them in its detail, the subscriptions counted',
  async () => {
    const product = await aFreshProduct();
    const external_accounts = many((index) => ({ provider: 'stripe', provider_id: `p${index}` }));
    const subscriptions = many(() => ({ products: [{ id: product.id }] }));
    const shown = await detailOf(await aFreshCustomer({ external_accounts, subscriptions }));

    expect(shown.external_accounts).toEqual(external_accounts);
    expect(new Set(shown.subscriptions.map(({ id }) => id)).size).toBe(COUNT);
    expect(shown.active_subscription_count).toBe(COUNT);
  },
);

check(
  'PRD-65',
  { requirement: 'R-PRD-09 R-PRD-44', level: 'ASSUMED', effect: 'E3', assumes: 'A-501 A-504' },
  'a version with 100 prices, one of them with 101 values, and 20 entitlements, created, added, copied from the version before and written by an update → all of them in the product and in the version, in order; each price in a simulation',
  async (t) => {
    const eventType = `contract.${unique('use')}`;
    const values = many((index) => ({ dimensions: { key: `v${index}` }, unit_price: index }));
    const keyed = price(eventType, 'unit', values, { billable_dimensions: ['key'] });
    const others = many((index) => ({ ...aUnitPrice(eventType), name: `P${index}` })).slice(2);
    const entitlements = many((index) => ({ ...ENTITLEMENT, name: `E${index}` })).slice(81);
    const content = { prices: [keyed, ...others], entitlements };
    const expectWhole = async (product: OwnProduct, version: number) => {
      const path = { productId: product.id };
      const { default_version } = await api('getProduct', { path }, 200);
      for (const shown of [await versionOf(product, version), default_version])
        expect(shown, `version ${version}`).toMatchObject({ ...content, version });
    };
    const product = await aFreshProduct(content);
    await expectWhole(product, 1);
    for (const [index, body] of [content, {}].entries()) {
      await addVersion(product, { ...body, publish: true, make_default: true });
      await expectWhole(product, index + 2);
    }

    const draft = await aDraftProduct(t);
    const path = { productId: draft.id, version: '1' };
    await api('updateProductVersion', { path, body: content as never }, 204);
    await expectWhole(draft, 1);
    const events = [usageEvent(eventType, { data: { key: 'v100' } })] as never;
    const { fees } = await api('simulateUsage', { path, body: { events } }, 200);
    expect(fees.map(({ price_name }) => price_name)).toEqual(
      content.prices.map((each) => (each as { name: string }).name),
    );
    expect(fees[0]?.amount).toBe(100);
  },
);

check(
  'WHK-81',
  { requirement: 'R-WHK-17', level: 'MUST', effect: 'E2' },
  'a destination with 101 topics since its creation, and one by update → all topics by id, in the list and in the response to an update; an event of the last of them is matched',
  async (t) => {
    const topics = many((index) => `contract.topic_${index}`);
    const ending = [...topics.slice(1), TOPIC];
    for (const [made, body, wanted] of [
      [{ topics }, { enabled: true }, topics],
      [{}, { topics: ending }, ending],
    ] as const) {
      const webhook = await aWebhook(t, made as object);
      const path = { webhookId: webhook.id };
      const updated = await api('updateWebhook', { path, body: body as object }, 200);
      const { items } = await api('listWebhooks', {}, 200);
      const item = items.find(({ id }) => id === webhook.id);
      for (const shown of [updated, await api('getWebhook', { path }, 200), item])
        expect(shown?.topics, 'topics').toEqual(wanted);
      if (wanted !== ending) continue;
      const to = { path: { ...path, topic: TOPIC }, body: {} };
      const { id } = (await call('testWebhook', to, [202])).body;
      expect(isMatched(await logged(id), webhook), 'matched').toBe(true);
    }
  },
);
