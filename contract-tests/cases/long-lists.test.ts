import {
  aDraftProduct,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  assuming,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  expect,
  now,
  type OwnProduct,
  type OwnWebhook,
  unique,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { assetOf, setRate } from './shared/assets.ts';
import { listed, price, stored, submit, taskOf } from './shared/events.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import { detailOf } from './shared/subscriptions.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';
import { dispatch, isMatched, log, logged, TOPIC } from './shared/webhooks.ts';

/** One more than a page has by default: lists inside a detail are not paged. */
const COUNT = 101;

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, i) => make(i));

const serializePipelined = async <T>(make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (const index of many((each) => each)) made.push(await make(index));
  return made;
};

describe('long lists of usage', () => {
  check(
    'TSK-19',
    { requirement: ['R-TSK-01', 'R-TSK-05'], level: 'MUST', effect: 'E3', assumes: 'A-1001' },
    'a task of 101 events, with a cost of each of 101 vendors → all events and all vendors in the detail, and their sum; the count in the list',
    async () => {
      const [customer, subject] = [await aFreshCustomer(), uniqueSubject()];
      const vendors = await serializePipelined(aNewVendor);
      const costs = vendors.map((vendor_id) => ({ id: uuid(), vendor_id, amount: 0.5 }));
      const events = many((index) =>
        usageEvent('contract.long', { subject, costs: [costs[index]] }),
      );
      await submit(customer, ...events);
      const task = await taskOf(customer, subject);
      const { items } = await api('listTasks', { query: { subject } }, 200);

      expect(task.events.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
      expect(task.vendors.map(({ vendor }) => vendor.id).sort()).toEqual(vendors.sort());
      expect(task.stats.total_costs).toBe(50.5);
      expect(items.map(({ event_count }) => event_count)).toEqual([COUNT]);
    },
  );

  check(
    'EVT-93',
    { requirement: 'R-EVT-14', level: 'MUST', effect: 'E3', assumes: ['A-512', 'A-904'] },
    "an event with 101 costs of one vendor, each in its own category, and with 101 fees of two products → all of them in the event, their sums in its list item; all categories in the vendor's stats; all fees in a simulation of 101 events",
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
      const { id } = await aUsageEvent(customer, eventType, { costs });
      const event = await stored(id);
      const { categories, total_costs } = await vendorStats(vendorId);
      const path = { productId: other.id, version: 'default' };
      const events = many(() => usageEvent(eventType));
      const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);

      expect(event.costs.map((cost) => cost.id)).toEqual(costs.map((cost) => cost.id));
      expect(event.fees.map(({ price_name }) => price_name)).toEqual(
        prices.map(({ name }) => name),
      );
      expect(event.stats).toMatchObject({ gross_revenue: 50.5, total_costs: 50.5 });
      expect(total_costs).toBe(50.5);
      expect(categories.map(({ category }) => category).sort()).toEqual(
        costs.map(({ category }) => category).sort(),
      );
      expect(await listed({ event_id: id })).toMatchObject([
        { total_fees: 50.5, stats: { gross_revenue: 50.5, total_costs: 50.5 } },
      ]);
      expect(fees.map(({ usage_id }) => usage_id)).toEqual(events.map((each) => each.id));
    },
  );
});

describe('long lists of customers and the catalogue', () => {
  check(
    'CUS-67',
    { requirement: ['R-CUS-16', 'R-CUS-17', 'R-WAL-01'], level: 'MUST', effect: 'E3' },
    'a customer with 101 subscriptions, 101 external accounts and 101 wallet accounts → all of them in its detail and in its wallet, the subscriptions counted',
    async () => {
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
      expect(accounts.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      await assuming('A-702', async () => expect(accounts).toHaveLength(COUNT + 1));
    },
  );

  check(
    'AST-50',
    { requirement: ['R-AST-12', 'R-AST-13'], level: 'MUST', effect: 'E3' },
    '101 rates of an asset, each from a later time → all of them in its schedule, newest first',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const rates = many((index) => index + 1);
      for (const rate of rates)
        await setRate(code, { rate, valid_from: now((rate - 200) * 60_000) });
      const shown = (await assetOf(code)).rates;

      expect(shown.map(({ schedule }) => schedule.map(({ rate }) => rate))).toEqual([
        rates.toReversed(),
      ]);
    },
  );

  check(
    'PRD-65',
    {
      requirement: ['R-PRD-09', 'R-PRD-44'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-501', 'A-504'],
    },
    'a product with 101 versions, one with 100 prices and 20 entitlements, one of the prices with 101 values, created, added, written by an update and copied from the version before → all of them in the product, in its default version and in the version, in order; each price in a simulation',
    async (t) => {
      const eventType = `contract.${unique('use')}`;
      const values = many((index) => ({ dimensions: { key: `v${index}` }, unit_price: index }));
      const keyed = price(eventType, 'unit', values, { billable_dimensions: ['key'] });
      const others = many((index) => ({ ...aUnitPrice(eventType), name: `P${index}` })).slice(2);
      const entitlements = many((index) => ({ ...ENTITLEMENT, name: `E${index}` })).slice(81);
      const content = { prices: [keyed, ...others], entitlements };
      const expectWhole = async (product: OwnProduct, version: number, byDefault = version) => {
        const path = { productId: product.id };
        const { default_version, versions } = await api('getProduct', { path }, 200);
        const shown = [
          await versionOf(product, version),
          await versionOf(product),
          default_version,
        ];
        expect(shown).toMatchObject(
          [version, byDefault, byDefault].map((each) => ({ ...content, version: each })),
        );
        return versions.map((each) => each.version);
      };
      const product = await aFreshProduct(content);
      await expectWhole(product, 1);
      for (const _ of many(() => 0).slice(2)) await addVersion(product, {});
      await addVersion(product, { ...content, publish: true, make_default: true });
      expect(await expectWhole(product, COUNT)).toEqual(many((index) => COUNT - index));
      await expectWhole(product, 100, COUNT);

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
});

describe('long lists of webhooks', () => {
  check(
    'WHK-81',
    { requirement: 'R-WHK-17', level: 'MUST', effect: 'E4' },
    '101 destinations, one with 101 topics since its creation and one by update, and a test event for all → all in the list by every filter, counted, with all topics, also by id and in the response to an update; those with the topic matched by the event, also if it is the last of 101; the event found by each of 101 destinations',
    async (t) => {
      const topics = many((index) => `contract.topic_${index}`);
      const ending = [...topics.slice(1), TOPIC];
      const [first, second, ...others] = await serializePipelined((index) =>
        aWebhook(t, index === 0 ? { topics } : {}),
      );
      const all = [first, second, ...others].map((each) => each?.id as string);
      const expectTopics = async (id: string, body: object, wanted: readonly string[]) => {
        const path = { webhookId: id };
        const shown = [
          await api('updateWebhook', { path, body }, 200),
          await api('getWebhook', { path }, 200),
        ];
        for (const query of [{}, { enabled: true }, { connect: false }]) {
          const { items, total_count } = await api('listWebhooks', { query }, 200);
          expect(items).toHaveLength(total_count);
          expect(items.map((item) => item.id)).toEqual(expect.arrayContaining(all));
          shown.push(...(items.filter((item) => item.id === id) as typeof shown));
        }
        expect(shown.map((each) => each.topics)).toEqual(shown.map(() => wanted));
        expect(shown).toHaveLength(5);
      };
      const [one, two] = all as [string, string];
      for (const body of [{}, { url: blackHole() }, { enabled: true }])
        await expectTopics(one, body, topics);
      await expectTopics(two, { topics }, topics);
      await expectTopics(two, { topics: ending }, ending);
      const { id } = (await call('testWebhooks', { path: { topic: TOPIC }, body: {} }, [202])).body;
      const item = await logged(id);
      expect(all.filter((each) => isMatched(item, { id: each }))).toEqual(all.slice(1));
      const sent = [id];
      for (const webhook of [first, others.at(-1)])
        sent.unshift(await dispatch(webhook as OwnWebhook));
      for (const destination_id of [all, all.toReversed()])
        expect((await log({ destination_id })).map((each) => each.id)).toEqual(sent);
    },
  );
});
