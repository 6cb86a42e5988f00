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
import { subscribe, to } from './shared/subscriptions.ts';
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
  // SUB-01: subscription to a usage-only product → 201, status active, started_at set
  // SUB-09: perpetual → renews_at empty
  check(['SUB-01', 'SUB-09'], async () => {
    const subscription = await subscribe(await aFreshCustomer(), to(await aProduct('usage')));

    expect(subscription.id).toMatch(/^sub_/);
    expect(subscription.status).toBe('active');
    expect(Date.parse(subscription.started_at ?? '')).not.toBeNaN();
    expect(subscription.renews_at ?? null).toBeNull();
  });

  // SUB-02: product with fixed fee → action_required, action type payment with an absolute redirect_url
  check('SUB-02', async () => {
    const body = { ...to(await aProduct('fixed')), ...ADDRESSES };
    const { status, required_actions } = await subscribe(await aFreshCustomer(), body);

    expect(status).toBe('action_required');
    expect(required_actions?.[0]?.type).toBe('payment');
    expect(URL.canParse(required_actions?.[0]?.redirect_url ?? '')).toBe(true);
  });

  // SUB-03: products [] or missing → rejected (min 1)
  check('SUB-03', async () => {
    const customer = await aCustomer();
    await refuse(customer, { products: [] });
    await refuse(customer, {});
  });

  // SUB-04: product reference with neither id nor code → rejected
  check('SUB-04', async () => {
    await refuse(await aCustomer(), { products: [{ version: 1 }] });
  });

  // SUB-05: by code and by id → same product in the response, with id, code, version
  check('SUB-05', async () => {
    const product = await aProduct('usage');
    const byId = await subscribe(await aFreshCustomer(), to(product));
    const byCode = await subscribe(await aFreshCustomer(), { products: [{ code: product.code }] });
    const { id, code, version } = product;

    expect(byId.products).toEqual([{ id, code, version }]);
    expect(byCode.products).toEqual(byId.products);
  });

  // SUB-06: version omitted → default version
  check('SUB-06', async () => {
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
  });

  // SUB-07: archived version → rejected (unavailable)
  check('SUB-07', async () => {
    const product = await aFreshProduct();
    const customer = await aCustomer();
    const path = { productId: product.id, version: String(product.version) };
    await api('archiveProductVersion', { path }, 204);
    await refuse(customer, to(product, { version: product.version }));
  });

  // SUB-08: recurring without return_url or failure_url → rejected; perpetual without them →
  // accepted
  check('SUB-08', async () => {
    const fixed = await aProduct('fixed');
    const customer = await aFreshCustomer();
    const { return_url, failure_url } = ADDRESSES;
    await refuse(customer, { ...to(fixed), failure_url });
    await refuse(customer, { ...to(fixed), return_url });
    const { status } = await subscribe(customer, to(await aProduct('usage')));

    expect(status).toBe('active');
  });

  // SUB-10: create customer with inline subscription → same status rules, returned per subscription
  check('SUB-10', async () => {
    const [usage, fixed] = [await aProduct('usage'), await aProduct('fixed')];
    const body = {
      name: 'Contract inline',
      subscriptions: [to(usage), { ...to(fixed), ...ADDRESSES }],
    };
    const made = await useUp('customer', () => api('createCustomer', { body: body as never }, 201));

    expect(made.subscriptions.map(({ status }) => status)).toEqual(['active', 'action_required']);
    expect(made.subscriptions[1]?.required_actions).toHaveLength(1);
  });

  // SUB-11: active raises active_subscription_count by 1; action_required does not
  check('SUB-11', async () => {
    const customer = await aFreshCustomer();
    const before = await activeCount(customer);
    await subscribe(customer, { ...to(await aProduct('fixed')), ...ADDRESSES });
    const waiting = await activeCount(customer);
    await subscribe(customer, to(await aProduct('usage')));

    expect([before, waiting, await activeCount(customer)]).toEqual([0, 0, 1]);
  });

  // SUB-13: direct activation also logs the event; what was observed is recorded
  check('SUB-13', async (t) => {
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
  });

  // SUB-14: unknown customer → 404, 422 or 400
  check('SUB-14', async (t) => {
    const path = { customerId: unknownId('cust') };
    const body = to(await aProduct('usage'));
    const { status } = await call('createSubscription', { path, body }, [404, 422, 400]);
    t.observe('unknown customer', status);

    expect(status).toBe(422);
  });

  // SUB-16: return_url or failure_url that is not a URI → rejected
  check('SUB-16', async () => {
    const customer = await aCustomer();
    const fixed = to(await aProduct('fixed'));
    await refuse(customer, { ...fixed, ...ADDRESSES, return_url: 'nowhere' });
    await refuse(customer, { ...fixed, ...ADDRESSES, failure_url: 'nowhere' });
  });

  // SUB-17: redirect_to other than return_url and portal → rejected; omitted and each value accepted
  check('SUB-17', { effect: 'E1', title: 'refuses another word' }, async () => {
    const body = { ...to(await aProduct('fixed')), ...ADDRESSES, redirect_to: 'home' };
    await refuse(await aCustomer(), body);
  });

  check('SUB-17', { effect: 'E3', title: 'accepts each value' }, async () => {
    const product = await aProduct('usage');
    for (const redirect_to of ['return_url', 'portal'])
      await subscribe(await aFreshCustomer(), { ...to(product), redirect_to });
  });

  // SUB-18: version in a product reference: word other than default, 0.5, unknown number →
  // rejected; integer accepted
  check('SUB-18', async () => {
    const product = await aProduct('usage');
    const customer = await aCustomer();
    for (const version of ['latest', 0.5, 32_000]) await refuse(customer, to(product, { version }));
  });

  // SUB-21: subscribe to an unpublished version → rejected
  check('SUB-21', async (t) => {
    const draft = await aDraftProduct(t);
    await refuse(await aCustomer(), to(draft, { version: draft.version }));
  });

  // SUB-22: future starts_at, nothing to pay → scheduled, and not counted as active
  check('SUB-22', async () => {
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
  });

  // SUB-23: same product twice, or id and code that disagree → rejected
  check('SUB-23', async () => {
    const [product, other] = [await aProduct('usage'), await aProduct('fixed')];
    const customer = await aCustomer();
    await refuse(customer, { products: [{ id: product.id }, { code: product.code }] });
    await refuse(customer, { products: [{ id: product.id, code: other.code }] });
  });
});
