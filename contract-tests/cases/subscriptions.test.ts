import {
  aCustomer,
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  aProduct,
  api,
  aSubscriber,
  aUnitPrice,
  aUsageEvent,
  type Body,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  type OwnCustomer,
  type OwnProduct,
  refused,
  unknownId,
  useUp,
} from '../kit/index.ts';

type Subscription = Body<'createSubscription', 201>;

const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};

const DAY_MS = 86_400_000;

async function subscribe(customer: OwnCustomer, body: object): Promise<Subscription> {
  return api('createSubscription', { path: { customerId: customer.id }, body: body as never }, 201);
}

const to = (product: OwnProduct, changes: object = {}) => ({
  products: [{ id: product.id, ...changes }],
});

function refuse(customer: OwnCustomer, body: object) {
  return refused('createSubscription', { path: { customerId: customer.id }, body });
}

async function shown(customer: OwnCustomer, id: string): Promise<Subscription> {
  const { subscriptions } = await api('getCustomer', { path: { customerId: customer.id } }, 200);
  return subscriptions?.find((one) => one.id === id) as Subscription;
}

async function activeCount(customer: OwnCustomer): Promise<number | undefined> {
  const query = { customer_id: customer.id };
  const { body } = await call('listCustomers', { query }, [200]);
  return (body as Body<'listCustomers', 200>).items[0]?.active_subscription_count;
}

async function feesOf(eventId: string): Promise<number[]> {
  const { fees } = await api('getEvent', { path: { eventId } }, 200);
  return fees.map((fee) => fee.amount);
}

describe('createSubscription', () => {
  check(['SUB-01', 'SUB-09'], async () => {
    const subscription = await subscribe(await aFreshCustomer(), to(await aProduct('usage')));

    expect(subscription.id).toMatch(/^sub_/);
    expect(subscription.status).toBe('active');
    expect(Date.parse(subscription.started_at ?? '')).not.toBeNaN();
    expect(subscription.renews_at ?? null).toBeNull();
  });

  check('SUB-02', async () => {
    const body = { ...to(await aProduct('fixed')), ...ADDRESSES };
    const { status, required_actions } = await subscribe(await aFreshCustomer(), body);

    expect(status).toBe('action_required');
    expect(required_actions?.[0]?.type).toBe('payment');
    expect(URL.canParse(required_actions?.[0]?.redirect_url ?? '')).toBe(true);
  });

  check('SUB-03', async () => {
    const customer = await aCustomer();
    await refuse(customer, { products: [] });
    await refuse(customer, {});
  });

  check('SUB-04', async () => {
    await refuse(await aCustomer(), { products: [{ version: 1 }] });
  });

  check('SUB-05', async () => {
    const product = await aProduct('usage');
    const byId = await subscribe(await aFreshCustomer(), to(product));
    const byCode = await subscribe(await aFreshCustomer(), { products: [{ code: product.code }] });
    const { id, code, version } = product;

    expect(byId.products).toEqual([{ id, code, version }]);
    expect(byCode.products).toEqual(byId.products);
  });

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

    expect([before.products[0]?.version, after.products[0]?.version]).toEqual([1, 3]);
  });

  check('SUB-07', async () => {
    const product = await aFreshProduct();
    const customer = await aCustomer();
    const path = { productId: product.id, version: String(product.version) };
    await api('archiveProductVersion', { path }, 204);
    await refuse(customer, to(product, { version: product.version }));
  });

  check('SUB-08', async () => {
    const fixed = await aProduct('fixed');
    const customer = await aFreshCustomer();
    const { return_url, failure_url } = ADDRESSES;
    await refuse(customer, { ...to(fixed), failure_url });
    await refuse(customer, { ...to(fixed), return_url });
    const { status } = await subscribe(customer, to(await aProduct('usage')));

    expect(status).toBe('active');
  });

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

  check('SUB-11', async () => {
    const customer = await aFreshCustomer();
    const before = await activeCount(customer);
    await subscribe(customer, { ...to(await aProduct('fixed')), ...ADDRESSES });
    const waiting = await activeCount(customer);
    await subscribe(customer, to(await aProduct('usage')));

    expect([before, waiting, await activeCount(customer)]).toEqual([0, 0, 1]);
  });

  check('SUB-13', async (t) => {
    const customer = await aFreshCustomer();
    const since = now(-60_000);
    const { id } = await subscribe(customer, to(await aProduct('usage')));
    const find = async () => {
      const query = { time_gte: since, limit: 1000 };
      const { items } = await api('listWebhookEvents', { query }, 200);
      return items.filter(({ data }) => data['subscription_id'] === id);
    };
    const logged = await eventually(find, (items) => items.length > 0);
    t.observe('direct activation is logged', logged.length);

    expect(logged.map(({ topic }) => topic)).toEqual(['subscription.activated']);
  });

  check('SUB-14', async (t) => {
    const path = { customerId: unknownId('cust') };
    const body = to(await aProduct('usage'));
    const { status } = await call('createSubscription', { path, body }, [404, 422, 400]);
    t.observe('unknown customer', status);

    expect(status).toBe(422);
  });

  check('SUB-16', async () => {
    const customer = await aCustomer();
    const fixed = to(await aProduct('fixed'));
    await refuse(customer, { ...fixed, ...ADDRESSES, return_url: 'nowhere' });
    await refuse(customer, { ...fixed, ...ADDRESSES, failure_url: 'nowhere' });
  });

  check('SUB-17', { effect: 'E1', title: 'refuses another word' }, async () => {
    const body = { ...to(await aProduct('fixed')), ...ADDRESSES, redirect_to: 'home' };
    await refuse(await aCustomer(), body);
  });

  check('SUB-17', { effect: 'E3', title: 'accepts each value' }, async () => {
    const product = await aProduct('usage');
    for (const redirect_to of ['return_url', 'portal'])
      await subscribe(await aFreshCustomer(), { ...to(product), redirect_to });
  });

  check('SUB-18', async () => {
    const product = await aProduct('usage');
    const customer = await aCustomer();
    for (const version of ['latest', 0.5, 32_000]) await refuse(customer, to(product, { version }));
  });

  check('SUB-21', async (t) => {
    const draft = await aDraftProduct(t);
    await refuse(await aCustomer(), to(draft, { version: draft.version }));
  });

  check('SUB-22', async () => {
    const customer = await aFreshCustomer();
    const body = { ...to(await aProduct('usage')), starts_at: now(DAY_MS) };
    const { status, started_at } = await subscribe(customer, body);

    expect([status, started_at ?? null]).toEqual(['inactive', null]);
  });

  check('SUB-23', async () => {
    const [product, other] = [await aProduct('usage'), await aProduct('fixed')];
    const customer = await aCustomer();
    await refuse(customer, { products: [{ id: product.id }, { code: product.code }] });
    await refuse(customer, { products: [{ id: product.id, code: other.code }] });
  });
});

/** A subscription to 5 USD a month that awaits its first payment. */
async function anUnpaid() {
  const customer = await aFreshCustomer();
  const body = { ...to(await aProduct('fixed')), ...ADDRESSES };
  const { id, required_actions } = await subscribe(customer, body);
  const link = required_actions?.[0]?.redirect_url ?? '';
  return { customer, id, link };
}

describe('payment', () => {
  check('SUB-12', async () => {
    const since = now(-60_000);
    const { customer, id, link } = await anUnpaid();
    await completePaymentPage(link, 'paid');
    const paid = await eventually(
      () => shown(customer, id),
      ({ status }) => status === 'active',
    );
    const { items } = await api(
      'listWebhookEvents',
      { query: { time_gte: since, limit: 1000 } },
      200,
    );

    expect(paid.status).toBe('active');
    expect(paid.required_actions ?? []).toEqual([]);
    expect(Date.parse(paid.started_at ?? '')).not.toBeNaN();
    expect(items.filter(({ data }) => data['subscription_id'] === id)).toHaveLength(1);
  });

  check('SUB-24', async () => {
    const { customer, id, link } = await anUnpaid();
    await completePaymentPage(link, 'declined');
    const { status, required_actions } = await shown(customer, id);

    expect(status).toBe('action_required');
    expect(URL.canParse(required_actions?.[0]?.redirect_url ?? '')).toBe(true);
  });

  check('SUB-25', async () => {
    const { customer, id, link } = await anUnpaid();
    await completePaymentPage(link, 'paid');
    const { started_at = '', renews_at } = await shown(customer, id);
    const start = new Date(started_at);
    const month = start.getUTCMonth() + 1;
    const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const due = new Date(start);
    due.setUTCMonth(month, Math.min(start.getUTCDate(), lastDay));

    expect(Date.parse(renews_at ?? '')).toBe(due.getTime());
  });
});

describe('subscriptions over time', () => {
  check('SUB-27', async () => {
    const customer = await aFreshCustomer();
    const product = await aProduct('usage');
    const starts_at = now(1_500);
    const { id, status } = await subscribe(customer, { ...to(product), starts_at });
    const begun = await eventually(
      () => shown(customer, id),
      (seen) => seen.status === 'active',
    );

    expect([status, begun.status]).toEqual(['inactive', 'active']);
    expect(Date.parse(begun.started_at ?? '')).toBe(Date.parse(starts_at));
  });

  check('SUB-28', async () => {
    const product = await aProduct('usage');
    const customer = await aFreshCustomer();
    const renews_at = now(1_500);
    const recurring = { ...to(product), ...ADDRESSES, renews_at };
    const body = { name: 'Contract recurring', subscriptions: [recurring] } as never;
    const inline = await useUp('customer', () => api('createCustomer', { body }, 201));
    const { id, renews_at: given } = await subscribe(customer, recurring);
    const renewed = await eventually(
      () => shown(customer, id),
      (seen) => Date.parse(seen.renews_at ?? '') > Date.parse(renews_at),
    );

    expect(Date.parse(given ?? '')).toBe(Date.parse(renews_at));
    expect(Date.parse(inline.subscriptions[0]?.renews_at ?? '')).toBe(Date.parse(renews_at));
    expect(Date.parse(renewed.renews_at ?? '')).toBeGreaterThan(Date.parse(renews_at));
    expect(renewed.status).toBe('active');
  });
});

describe('updateSubscription', () => {
  check('SUB-15', async () => {
    const { customer, product, subscription } = await aSubscriber();
    const customerId = customer.id;
    const unknown = { customerId, subscriptionId: unknownId('sub') };
    const body = { status: 'inactive' };
    await call('updateSubscription', { path: unknown, body }, [404]);
    const path = { customerId, subscriptionId: subscription.id, productId: unknownId('prp') };
    await call('updateSubscriptionProduct', { path, body: { version: 1 } }, [404]);
    const known = { customerId, subscriptionId: subscription.id, productId: product.id };
    await call('updateSubscription', { path: known, body: { status: 'paused' } }, [422]);
    await call('updateSubscriptionProduct', { path: known, body: { version: 'newest' } }, [422]);
  });

  check('SUB-19', async () => {
    const customer = await aFreshCustomer();
    const product = await aProduct('usage');
    const { id } = await subscribe(customer, to(product));
    const path = { customerId: customer.id, subscriptionId: id };
    await call('updateSubscription', { path, body: { status: 'inactive' } }, [204]);
    const stopped = await aUsageEvent(customer, product.eventType);

    expect((await shown(customer, id)).status).toBe('inactive');
    expect(await feesOf(stopped.id)).toEqual([]);

    await call('updateSubscription', { path, body: { status: 'active' } }, [204]);
    const resumed = await aUsageEvent(customer, product.eventType);

    expect((await shown(customer, id)).status).toBe('active');
    expect(await feesOf(resumed.id)).toEqual([0.25]);
  });
});

describe('updateSubscriptionProduct', () => {
  check('SUB-20', async () => {
    const customer = await aFreshCustomer();
    const product = await aFreshProduct();
    const next = { prices: [aUnitPrice(product.eventType, 1.5)], publish: true };
    const versions = { productId: product.id };
    await api('createProductVersion', { path: versions, body: next as never }, 201);
    const { id } = await subscribe(customer, to(product));
    const before = await aUsageEvent(customer, product.eventType);
    const path = { customerId: customer.id, subscriptionId: id, productId: product.id };
    await call('updateSubscriptionProduct', { path, body: { version: 2 } }, [204]);
    const after = await aUsageEvent(customer, product.eventType);

    expect([await feesOf(before.id), await feesOf(after.id)]).toEqual([[0.25], [1.5]]);
    expect((await shown(customer, id)).products[0]?.version).toBe(2);
  });
});

describe('usage before activation', () => {
  check('SUB-26', async () => {
    const customer = await aFreshCustomer();
    const product = await aProduct('usage');
    const early = await aUsageEvent(customer, product.eventType);
    await subscribe(customer, to(product));

    expect(await feesOf(early.id)).toEqual([]);
  });
});
