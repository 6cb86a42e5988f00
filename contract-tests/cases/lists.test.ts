import {
  ADDRESSES,
  aConnectedAccount,
  aCustomer,
  aDraftProduct,
  aFreshAccount,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  anAsset,
  aProduct,
  api,
  assuming,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  aWebhook,
  call,
  check,
  expect,
  now,
  type OwnObject,
  unique,
  uniqueSubject,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aNewVendor, listed, price, stored, submit, taskOf, vendorStats } from './shared/events.ts';
import { expectPage, keyOf, LARGEST, pageOf, walk } from './shared/lists.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import {
  detailOf,
  moveTo,
  type Subscription,
  subscribe,
  to,
  update,
} from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { dispatch, log, walkLog } from './shared/webhooks.ts';

/** The lists with offset paging, apart from those below a customer or a product. */
const LISTS = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listTasks',
  'listVendors',
  'listCustomerStats',
] as const;

check(
  'X-11',
  {
    requirement:
      'R-ACC-08 R-CUS-21 R-EVT-39 R-LIM-01 R-LIM-02 R-PAGE-01 R-PAGE-02 R-PRD-24 R-PRD-26 R-PRF-09 R-TSK-11 R-VND-03',
    effect: 'E0',
  },
  'each offset list with limit 3, and without paging parameters → items, total_count, limit and offset; at most 3 items from offset 0, and at most 100',
  async () => {
    for (const list of LISTS)
      for (const [query, limit] of [
        [{ limit: 3 }, 3],
        [{}, 100],
      ] as const) {
        const page = await pageOf({ list }, query);
        expect(page.items.length, `${list}: items`).toBeLessThanOrEqual(limit);
        expect(page.total_count, `${list}: count`).toBeGreaterThanOrEqual(page.items.length);
        expect([page.limit, page.offset], `${list}: limit and offset`).toEqual([limit, 0]);
      }
  },
);

check(
  'X-35',
  {
    requirement: 'R-AST-16 R-AST-18 R-PAGE-01 R-PAGE-03 R-PAGE-04 R-PAGE-05 R-PAGE-06',
    effect: 'E0',
    partly: 'A-305',
  },
  'accounts, assets, products, versions and vendors page by page, at the end and far past it → these items of the whole list, each once, the same count; assets by code, the others newest first by default',
  async () => {
    for (const make of [aVendor, anAsset, aConnectedAccount])
      for (const slot of ['main', 'other'] as const) await make(slot);
    for (const slot of ['usage', 'fixed', 'usage'] as const) await aProduct(slot);
    const codes = (await walk({ list: 'listAssets' })).items.map(keyOf);
    expect(codes, 'codes of assets').toEqual([...codes].sort());
    await walk({ list: 'listProductVersions' });
    for (const list of ['listConnectedAccounts', 'listProducts', 'listVendors'] as const) {
      const { items } = await walk({ list });
      const moments = items.map((item) => String(item['created_at']));
      await assuming('A-305', async () =>
        expect(moments, `${list}: created_at`).toEqual([...moments].sort().reverse()),
      );
    }
  },
);

check(
  'X-13',
  { requirement: 'R-PAGE-01 R-PAGE-03 R-PAGE-04 R-PAGE-05', effect: 'E0', partly: 'A-305' },
  'customers, their stats, events, tasks and grants page by page, by a filter too, at the end and far past it → these items of the whole list, each once, the same count and summary',
  async () => {
    const customer = await aCustomer();
    await aCustomer('other');
    for (const subject of [uniqueSubject(), uniqueSubject(), uniqueSubject()])
      await aUsageEvent(customer, 'contract.paged', { subject });
    for (const amount of [1, 2, 3]) await anAdjustment(customer, { amount });
    const query = { customer_id: customer.id };
    await walk({ list: 'listCustomers' });
    await walk({ list: 'listCustomerStats' });
    await walk({ list: 'listEvents', query: { ...query, event_types: ['contract.paged'] } });
    await walk({ list: 'listTasks', query: { ...query, sort: 'created_at' } });
    const path = { customerId: customer.id, accountId: 'default:USD' };
    await walk({ list: 'listGrants', path, query: { exclude_expired: true } });
  },
);

check(
  'PRD-31',
  { requirement: 'R-PAGE-03 R-PRD-33 R-PRD-51', effect: 'E3', partly: 'A-504' },
  'subscribers with and without an e-mail, an external id and a renewal, on two versions, one with three subscriptions, of which two started last at once, one that ended and one that starts later → one complete, current item for each active one, newest first, also page by page; of an unknown product → none',
  async () => {
    const product = await aFreshProduct();
    await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
    await subscribe(await aFreshCustomer(), to(await aFreshProduct()));
    const bare = await aFreshCustomer({ external_id: null, name: 'Contract bare' });
    const email = `${unique('mail')}@example.com`;
    const whole = await aFreshCustomer({ email, name: 'Contract whole' });
    const twice = await aFreshCustomer({ name: 'Contract twice' });
    const [ended, coming] = [await aFreshCustomer(), await aFreshCustomer()];
    const first = await subscribe(bare, to(product));
    const renews_at = now(DAY_MS);
    const latest = to(product, { version: 2 });
    const second = await subscribe(whole, { ...latest, ...ADDRESSES, renews_at });
    const starts_at = now(-DAY_MS);
    await subscribe(twice, { ...latest, starts_at });
    const third = await subscribe(twice, { ...to(product, { version: 1 }), starts_at });
    await subscribe(twice, { ...latest, starts_at: now(-2 * DAY_MS) });
    await update(ended, (await subscribe(ended, to(product))).id, { status: 'inactive' });
    await subscribe(coming, { ...to(product), starts_at: now(DAY_MS) });
    const row = (customer: OwnObject, subscription: Subscription, more: object) => ({
      customer_id: customer.id,
      customer_name: customer.name,
      subscription_id: subscription.id,
      subscription_status: 'active',
      started_at: subscription.started_at,
      product_rate_plan_id: product.id,
      ...more,
    });
    const rows = [
      row(twice, third, { external_id: twice.external_id, version: 1 }),
      row(whole, second, { external_id: whole.external_id, email, renews_at, version: 2 }),
      row(bare, first, { version: 1 }),
    ];
    const confined = { list: 'listSubscribers', path: { productId: product.id } } as const;
    const { items } = await walk(
      confined,
      [twice, whole, bare].map(({ id }) => id),
    );
    await assuming('A-504', async () => expect(items).toEqual(rows));
    const path = { customerId: bare.id };
    await call('updateCustomer', { path, body: { name: 'Contract new', email } }, [204]);
    await moveTo(bare, first.id, product, 2);
    await assuming('A-504', async () =>
      expect((await pageOf(confined)).items.at(-1)).toEqual({
        ...row(bare, first, { version: 2 }),
        customer_name: 'Contract new',
        email,
      }),
    );
    const unknown = { ...confined, path: { productId: unknownId('prp') } };
    expect(await pageOf(unknown)).toMatchObject({ items: [], total_count: 0 });
  },
);

check(
  'WHK-42',
  { requirement: 'R-PAGE-07 R-PAGE-08 R-PAGE-09 R-WHK-24', effect: 'E2' },
  'six log items among those of another destination, paged by cursor with limit 1, 2, 4 and 6, forward and back, four of them by their times too, and by 2 while others come → each exactly once, newest first, no next at the end and no prev at the start',
  async (t) => {
    const [webhook, other] = [await aWebhook(t), await aWebhook(t)];
    const sent: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      sent.unshift(await dispatch(webhook));
      await dispatch(other);
    }
    const query = { destination_id: [webhook.id] };
    for (const limit of [1, 2, 4, 6]) await walkLog([query], sent, limit);
    const all = (await log(query)).map(({ id, time }) => ({ id, time }));
    const [time_gte, time_lte] = [all[4]?.time ?? '', all[1]?.time ?? ''];
    const within = all.filter(({ time }) => time_gte <= time && time <= time_lte);
    await walkLog(
      [{ ...query, time_gte, time_lte }],
      within.map(({ id }) => id),
    );

    const pageAfter = async (next?: string) =>
      api('listWebhookEvents', { query: { ...query, limit: 2, ...(next && { next }) } }, 200);
    const { next } = (await pageAfter()).pagination;
    for (let count = 0; count < 3; count += 1) await dispatch(webhook);
    const { items } = await pageAfter(next as string);
    expect(
      items.map(({ id }) => id),
      'second page, after others have come',
    ).toEqual(sent.slice(2, 4));
  },
);

check(
  'X-89',
  { requirement: 'R-PAGE-05', effect: 'E3', assumes: 'A-104 A-305' },
  'each list of a connected account that has nothing, at its start and far past its end → an empty page, limit and offset as sent',
  async () => {
    const { id: actingFor } = await aFreshAccount();
    for (const list of LISTS)
      for (const offset of [0, 1, LARGEST])
        await expectPage({ list }, { limit: 7, offset }, { items: [], total: 0 }, { actingFor });
  },
);

/** Limits and offsets beyond what is allowed, and texts that are no whole numbers. */
const NO_LIMITS = ['0', '-1', '1001', '2147483648', '4294967297', LARGEST, '1.5'];
const NO_OFFSETS = ['9223372036854775808', '18446744073709551617', '1e400', '-1', '0.5'];
const NO_NUMBERS = ['', ' ', 'x', '1x', '+5', ' 5', '0x10', '1,2', 'null', 'NaN', 'Infinity'];

check(
  'X-15',
  { requirement: 'R-LIM-16', effect: 'E0', assumes: 'A-305' },
  'limits and offsets beyond what is allowed, or that are not whole numbers → 400; whether a large limit is reduced instead is recorded',
  async (t) => {
    for (const limit of [0, -1, 'text', 10_000]) {
      const { status } = await call('listVendors', { query: { limit } }, [200, 400, 422]);
      t.observe(`limit ${limit}`, status);
    }
    for (const limit of [...NO_LIMITS, ...NO_NUMBERS])
      await call('listVendors', { query: { limit } }, [400]);
    for (const offset of [...NO_OFFSETS, ...NO_NUMBERS])
      await call('listVendors', { query: { offset } }, [400]);
  },
);

/** One more than a page has by default: lists inside a detail are not paged. */
const COUNT = 101;

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, i) => make(i));

check(
  'EVT-93',
  { requirement: 'R-EVT-14 R-TSK-01 R-TSK-05', effect: 'E3', partly: 'A-512 A-904 A-1001' },
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
  { requirement: 'R-CUS-16 R-CUS-17', effect: 'E3' },
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
  { requirement: 'R-PRD-09', effect: 'E2', assumes: 'A-501 A-504' },
  'a version with 100 prices, one of them with 101 values, and 20 entitlements → all of them in the product and in the version, in order; each price in a simulation',
  async (t) => {
    const eventType = `contract.${unique('use')}`;
    const values = many((index) => ({ dimensions: { key: `v${index}` }, unit_price: index }));
    const keyed = price(eventType, 'unit', values, { billable_dimensions: ['key'] });
    const others = many((index) => ({ ...aUnitPrice(eventType), name: `P${index}` })).slice(2);
    const entitlements = many((index) => ({ ...ENTITLEMENT, name: `E${index}` })).slice(81);
    const content = { prices: [keyed, ...others], entitlements };
    const product = await aDraftProduct(t, content);
    const path = { productId: product.id, version: '1' };
    const { default_version } = await api('getProduct', { path }, 200);
    for (const shown of [await versionOf(product, 1), default_version])
      expect(shown).toMatchObject({ ...content, version: 1 });
    const events = [usageEvent(eventType, { data: { key: 'v100' } })] as never;
    const { fees } = await api('simulateUsage', { path, body: { events } }, 200);
    expect(fees.map(({ price_name }) => price_name)).toEqual(
      content.prices.map((each) => (each as { name: string }).name),
    );
    expect(fees[0]?.amount).toBe(100);
  },
);
