import {
  ADDRESSES,
  aCustomer,
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  aProduct,
  api,
  assuming,
  aUnitPrice,
  type Body,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
  type OwnObject,
  refused,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { detailOf, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { isOf } from './shared/webhooks.ts';

function refuse(customer: OwnObject, body: object) {
  return refused('createSubscription', { path: { customerId: customer.id }, body });
}

async function activeCount(customer: OwnObject): Promise<number | undefined> {
  const query = { customer_id: customer.id };
  const { body } = await call('listCustomers', { query }, [200]);
  return (body as Body<'listCustomers', 200>).items[0]?.active_subscription_count;
}

describe('createSubscription', () => {
  check(
    'CUS-68',
    { requirement: ['R-CUS-05', 'R-CUS-16', 'R-PRD-18'], level: 'MUST', effect: 'E3' },
    'a subscription created with its customer and one added later → the customer has both, each with its product and version',
    async () => {
      const [first, second] = [await aProduct('usage'), await aFreshProduct()];
      const customer = await aFreshCustomer({ subscriptions: [to(first)] } as never);
      const { id } = await subscribe(customer, to(second));
      const { subscriptions } = await detailOf(customer);
      const shown = subscriptions.map(({ products }) => products?.map((product) => product.id));

      expect(subscriptions.map((one) => one.id)).toContain(id);
      expect(shown).toHaveLength(2);
      expect(shown).toEqual(expect.arrayContaining([[first.id], [second.id]]));
    },
  );

  check(
    'SUB-01',
    {
      requirement: [
        'R-PRD-18',
        'R-SUB-01',
        'R-SUB-03',
        'R-SUB-08',
        'R-SUB-19',
        'R-SUB-20',
        'R-SUB-26',
        'R-SUB-04',
        'R-SUB-09',
      ],
      level: 'MUST',
      effect: 'E3',
    },
    'subscription to a usage-only product → 201, status active, started_at set; perpetual → renews_at empty',
    async () => {
      const subscription = await subscribe(await aFreshCustomer(), to(await aProduct('usage')));

      expect(subscription.id).toMatch(/^sub_/);
      expect(subscription.status).toBe('active');
      expect(Date.parse(subscription.started_at ?? '')).not.toBeNaN();
      expect(subscription.renews_at ?? null).toBeNull();
    },
  );

  check(
    'SUB-02',
    { requirement: ['R-SUB-05', 'R-SUB-06', 'R-SUB-21', 'R-SUB-22'], level: 'MUST', effect: 'E4' },
    'product with fixed fee → action_required, action type payment with an absolute redirect_url',
    async () => {
      const body = { ...to(await aProduct('fixed')), ...ADDRESSES };
      const { status, required_actions } = await subscribe(await aFreshCustomer(), body);

      expect(status).toBe('action_required');
      expect(required_actions?.[0]?.type).toBe('payment');
      expect(URL.canParse(required_actions?.[0]?.redirect_url ?? '')).toBe(true);
    },
  );

  check(
    'SUB-03',
    { requirement: ['R-LIM-08', 'R-SUB-07'], level: 'MUST', effect: 'E1' },
    'products [] or missing → rejected (min 1)',
    async () => {
      const customer = await aCustomer();
      await refuse(customer, { products: [] });
      await refuse(customer, {});
    },
  );

  check(
    'SUB-04',
    { requirement: 'R-SUB-15', level: 'MUST', effect: 'E1' },
    'product reference with neither id nor code → rejected',
    async () => {
      await refuse(await aCustomer(), { products: [{ version: 1 }] });
    },
  );

  check(
    'SUB-05',
    { requirement: ['R-SUB-02', 'R-SUB-18', 'R-VER-04'], level: 'MUST', effect: 'E3' },
    'by code and by id → same product in the response, with id, code, version',
    async () => {
      const product = await aProduct('usage');
      const byId = await subscribe(await aFreshCustomer(), to(product));
      const byCode = await subscribe(await aFreshCustomer(), {
        products: [{ code: product.code }],
      });
      const { id, code, version } = product;

      expect(byId.products).toEqual([{ id, code, version }]);
      expect(byCode.products).toEqual(byId.products);
    },
  );

  check(
    'SUB-06',
    { requirement: ['R-SUB-17', 'R-SUB-44', 'R-VER-04'], level: 'MUST', effect: 'E3' },
    'version omitted → default version',
    async () => {
      const product = await aFreshProduct();
      const next = { prices: [aUnitPrice(product.eventType, 1)], publish: true };
      const path = { productId: product.id };
      await api('createProductVersion', { path, body: next as never }, 201);
      const before = await subscribe(await aFreshCustomer(), to(product));
      await api(
        'createProductVersion',
        { path, body: { ...next, make_default: true } as never },
        201,
      );
      const after = await subscribe(await aFreshCustomer(), to(product));

      expect(before.products[0]?.version).toBe(1);
      await assuming('A-502', async () => expect(after.products[0]?.version).toBe(3));
    },
  );

  check(
    'SUB-07',
    { requirement: ['R-PRD-21', 'R-VER-06'], level: 'MUST', effect: 'E3' },
    'archived version → rejected (unavailable)',
    async () => {
      const product = await aFreshProduct();
      const customer = await aCustomer();
      const path = { productId: product.id, version: String(product.version) };
      await api('archiveProductVersion', { path }, 204);
      await refuse(customer, to(product, { version: product.version }));
    },
  );

  check(
    'SUB-08',
    { requirement: ['R-SUB-10', 'R-SUB-11'], level: 'MUST', effect: 'E4' },
    'recurring without return_url or failure_url → rejected; perpetual without them → accepted',
    async () => {
      const fixed = await aProduct('fixed');
      const customer = await aFreshCustomer();
      const { return_url, failure_url } = ADDRESSES;
      await refuse(customer, { ...to(fixed), failure_url });
      await refuse(customer, { ...to(fixed), return_url });
      const { status } = await subscribe(customer, to(await aProduct('usage')));

      expect(status).toBe('active');
    },
  );

  check(
    'SUB-10',
    { requirement: ['R-CUS-05', 'R-CUS-20', 'R-SUB-25'], level: 'MUST', effect: 'E3' },
    'create customer with inline subscription → same status rules, returned per subscription',
    async () => {
      const [usage, fixed] = [await aProduct('usage'), await aProduct('fixed')];
      const body = {
        name: 'Contract inline',
        subscriptions: [to(usage), { ...to(fixed), ...ADDRESSES }],
      };
      const made = await useUp('customer', () =>
        api('createCustomer', { body: body as never }, 201),
      );

      expect(made.subscriptions.map(({ status }) => status)).toEqual(['active', 'action_required']);
      expect(made.subscriptions[1]?.required_actions).toHaveLength(1);
    },
  );

  check(
    'SUB-11',
    { requirement: 'R-CUS-11', level: 'IMPLIED', effect: 'E3' },
    'active raises active_subscription_count by 1; action_required does not',
    async () => {
      const customer = await aFreshCustomer();
      const before = await activeCount(customer);
      await subscribe(customer, { ...to(await aProduct('fixed')), ...ADDRESSES });
      const waiting = await activeCount(customer);
      await subscribe(customer, to(await aProduct('usage')));

      expect([before, waiting, await activeCount(customer)]).toEqual([0, 0, 1]);
    },
  );

  check(
    'SUB-13',
    { requirement: ['R-SUB-34', 'R-WHK-35'], level: 'IMPLIED', effect: 'E3' },
    'direct activation also logs the event; what was observed is recorded',
    async (t) => {
      const customer = await aFreshCustomer();
      const since = now(-60_000);
      const { id } = await subscribe(customer, to(await aProduct('usage')));
      const find = async () => {
        const query = { time_gte: since, limit: 1000 };
        const { items } = await api('listWebhookEvents', { query }, 200);
        return items.filter(isOf(id));
      };
      const logged = await eventually(find, (items) => items.length > 0);
      t.observe('direct activation is logged', logged.length);

      expect(logged.map(({ topic }) => topic)).toEqual(['subscription.activated']);
    },
  );

  check(
    'SUB-14',
    { requirement: ['R-ERR-21', 'R-SUB-35'], level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'unknown customer → 404, 422 or 400',
    async (t) => {
      const path = { customerId: unknownId('cust') };
      const body = to(await aProduct('usage'));
      const { status } = await call('createSubscription', { path, body }, [404, 422, 400]);
      t.observe('unknown customer', status);

      expect(status).toBe(422);
    },
  );

  check(
    'SUB-16',
    { requirement: 'R-SUB-12', level: 'IMPLIED', effect: 'E1' },
    'return_url or failure_url that is not a URI → rejected',
    async () => {
      const customer = await aCustomer();
      const fixed = to(await aProduct('fixed'));
      await refuse(customer, { ...fixed, ...ADDRESSES, return_url: 'nowhere' });
      await refuse(customer, { ...fixed, ...ADDRESSES, failure_url: 'nowhere' });
    },
  );

  check(
    'SUB-17',
    { requirement: ['R-SUB-13', 'R-SUB-14'], level: 'MUST', effect: 'E1' },
    'redirect_to other than return_url and portal → rejected; omitted and each value accepted: refuses another word',
    async () => {
      const body = { ...to(await aProduct('fixed')), ...ADDRESSES, redirect_to: 'home' };
      await refuse(await aCustomer(), body);
    },
  );

  check(
    'SUB-78',
    { requirement: ['R-SUB-13', 'R-SUB-14'], level: 'MUST', effect: 'E3' },
    'redirect_to other than return_url and portal → rejected; omitted and each value accepted: accepts each value',
    async () => {
      const product = await aProduct('usage');
      for (const redirect_to of ['return_url', 'portal'])
        await subscribe(await aFreshCustomer(), { ...to(product), redirect_to });
    },
  );

  check(
    'SUB-18',
    { requirement: 'R-SUB-16', level: 'MUST', effect: 'E1' },
    'version in a product reference: word other than default, 0.5, unknown number → rejected; integer accepted',
    async () => {
      const product = await aProduct('usage');
      const customer = await aCustomer();
      for (const version of ['latest', 0.5, 32_000])
        await refuse(customer, to(product, { version }));
    },
  );

  check(
    'SUB-21',
    { requirement: 'R-SUB-33', level: 'IMPLIED', effect: 'E1' },
    'subscribe to an unpublished version → rejected',
    async (t) => {
      const draft = await aDraftProduct(t);
      await refuse(await aCustomer(), to(draft, { version: draft.version }));
    },
  );

  check(
    'SUB-22',
    { requirement: 'R-SUB-36', level: 'ASSUMED', effect: 'E3', assumes: 'A-603' },
    'future starts_at, nothing to pay → scheduled, and not counted as active',
    async () => {
      const customer = await aFreshCustomer();
      const body = { ...to(await aProduct('usage')), starts_at: now(DAY_MS) };
      const { status, started_at } = await subscribe(customer, body);

      expect([status, started_at ?? null]).toEqual(['scheduled', null]);
      expect(await activeCount(customer)).toBe(0);
      const { id } = await subscribe(customer, to(await aFreshProduct()));
      await subscribe(customer, to(await aFreshProduct()));
      expect(await activeCount(customer)).toBe(2);
      const path = { customerId: customer.id, subscriptionId: id };
      await api('updateSubscription', { path, body: { status: 'inactive' } }, 204);
      expect(await activeCount(customer)).toBe(1);
    },
  );

  check(
    'SUB-23',
    { requirement: 'R-SUB-37', level: 'ASSUMED', effect: 'E1', assumes: 'A-603' },
    'same product twice, or id and code that disagree → rejected',
    async () => {
      const [product, other] = [await aProduct('usage'), await aProduct('fixed')];
      const customer = await aCustomer();
      await refuse(customer, { products: [{ id: product.id }, { code: product.code }] });
      await refuse(customer, { products: [{ id: product.id, code: other.code }] });
    },
  );
});
