import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aheadOf,
  aProduct,
  assuming,
  aWebhook,
  call,
  check,
  eventually,
  expect,
  now,
  type OwnProduct,
  refused,
  table,
} from '../kit/index.ts';
import { accountsOf, activeCount, aMember, aMomentAgo } from './shared/customers.ts';
import { expectChanged, omit } from './shared/fields.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import {
  detailOf,
  type Subscription,
  shown,
  subscribe,
  to,
  update,
  withSubscriptions,
} from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { activationsOf, isMatched } from './shared/webhooks.ts';

table<(product: OwnProduct) => object>(
  'SUB-01',
  {
    requirement:
      'R-CONV-06 R-PRD-18 R-SUB-01 R-SUB-02 R-SUB-03 R-SUB-04 R-SUB-08 R-SUB-09 R-SUB-13 R-SUB-14 R-SUB-18 R-SUB-19 R-SUB-20 R-SUB-26 R-VER-04',
    effect: 'E3',
  },
  'subscription to a usage-only product → 201 with its id, code and version, status active, started_at set; perpetual → renews_at empty',
  {
    'by id': to,
    'by code': ({ code }) => ({ products: [{ code }] }),
    'by id, code and version': ({ id, code, version }) => ({ products: [{ id, code, version }] }),
    'redirect_to return_url': (product) => ({ ...to(product), redirect_to: 'return_url' }),
    'redirect_to portal': (product) => ({ ...to(product), redirect_to: 'portal' }),
  },
  async (bodyFor) => {
    const product = await aProduct('usage');
    const made = await subscribe(await aFreshCustomer(), bodyFor(product));
    const { id, code, version } = product;

    expect(made).toMatchObject({ status: 'active', products: [{ id, code, version }] });
    expect(made.id).toMatch(/^sub_/);
    expect(Date.parse(made.started_at ?? ''), 'started_at').not.toBeNaN();
    expect(made.renews_at ?? null, 'renews_at').toBeNull();
  },
);

check(
  'SUB-02',
  { requirement: 'R-SUB-05 R-SUB-06 R-SUB-21 R-SUB-22', effect: 'E4' },
  'product with a fixed fee → action_required, an action of type payment with an absolute redirect_url; with a fee of 0 → active',
  async () => {
    const customer = await aFreshCustomer();
    const fixed = { ...to(await aProduct('fixed')), ...ADDRESSES };
    const { status, required_actions } = await subscribe(customer, fixed);

    expect(status).toBe('action_required');
    expect(required_actions).toMatchObject([{ type: 'payment' }]);
    const free = to(await aFreshProduct({ prices: [aFixedPrice(0)] }));
    expect((await subscribe(customer, { ...free, ...ADDRESSES })).status).toBe('active');
    expect(URL.canParse(required_actions?.[0]?.redirect_url ?? ''), 'redirect_url').toBe(true);
  },
);

check(
  'SUB-27',
  { requirement: 'R-SUB-36 R-SUB-46', effect: 'E3', assumes: 'A-603 A-605' },
  'starts_at a moment ahead, nothing to pay → scheduled and not counted, and cannot be set active; becomes active at that time, and started_at is starts_at; renews_at a moment ahead → returned as sent; once it is reached, a later one, still active',
  async () => {
    const product = await aProduct('usage');
    const { customer, at, coming, count, running } = await aheadOf(async (at) => {
      const customer = await aFreshCustomer();
      const coming = await subscribe(customer, { ...to(product), starts_at: at });
      const count = await activeCount(customer);
      const path = { customerId: customer.id, subscriptionId: coming.id };
      await refused('updateSubscription', { path, body: { status: 'active' } });
      const terms = { ...to(product), ...ADDRESSES, renews_at: at };
      return { customer, at, coming, count, running: await subscribe(customer, terms) };
    });
    const begun = await eventually(
      () => shown(customer, coming.id),
      (seen) => seen.status === 'active',
    );
    const renewed = await eventually(
      () => shown(customer, running.id),
      (seen) => Date.parse(seen.renews_at ?? '') > Date.parse(at),
    );
    // It would renew between later reads.
    await update(customer, running.id, { renews_at: null });

    expect([coming.status, coming.started_at ?? null, count]).toEqual(['scheduled', null, 0]);
    expect([begun.status, renewed.status, await activeCount(customer)]).toEqual([
      'active',
      'active',
      2,
    ]);
    expect(Date.parse(begun.started_at ?? ''), 'started_at').toBe(Date.parse(at));
    expect(Date.parse(running.renews_at ?? ''), 'renews_at').toBe(Date.parse(at));
  },
);

check(
  'SUB-10',
  {
    requirement:
      'R-CUS-05 R-CUS-11 R-CUS-16 R-CUS-20 R-PRD-18 R-SUB-17 R-SUB-25 R-SUB-34 R-SUB-44 R-VER-04 R-WHK-35',
    effect: 'E3',
    partly: 'A-603',
  },
  'subscriptions with a start, a renewal, URLs, a version and a code, created with the customer and added later → the same status rules and fields, and all of them in the customer; without a version, the default one; the active ones are counted, and each logs one event',
  async () => {
    const usage = await aFreshProduct();
    const fixed = await aFreshProduct({ prices: [aFixedPrice(20)] });
    await addVersion(usage, { publish: true });
    const bodies = [
      { products: [{ id: usage.id, version: 2 }], starts_at: now(-DAY_MS) },
      { ...to(fixed), ...ADDRESSES, redirect_to: 'portal', renews_at: now(3 * DAY_MS) },
      { products: [{ code: usage.code }], starts_at: now(DAY_MS) },
    ];
    const inline = await withSubscriptions(bodies);
    const other = await aFreshCustomer();
    const added: Subscription[] = [];
    for (const each of bodies) added.push(await subscribe(other, each));

    expect(inline.subscriptions.map(comparable)).toEqual(added.map(comparable));
    expect(added[2]?.products[0]?.version, 'version left out').toBe(1);
    const statuses = added.map(({ status }) => status);
    expect(statuses.slice(0, 2)).toEqual(['active', 'action_required']);
    expect(added[1]?.required_actions).toHaveLength(1);
    await assuming('A-603', async () => expect(statuses[2]).toBe('scheduled'));
    for (const [customer, made] of [
      [inline, inline.subscriptions],
      [other, added],
    ] as const) {
      const { subscriptions = [] } = await detailOf(customer);
      const ids = (all: readonly Subscription[]) => all.map(({ id }) => id).sort();
      expect(ids(subscriptions)).toEqual(ids(made));
      expect(await activeCount(customer)).toBe(1);
      const logged = await eventually(
        () => activationsOf(made[0]?.id as string),
        (items) => items.length > 0,
      );
      expect(logged.map(({ topic }) => topic)).toEqual(['subscription.activated']);
    }
  },
);

/** A subscription without its id, and with only the host of its payment link, so that two can be compared. */
function comparable(subscription: Subscription): object {
  const { required_actions = [], ...rest } = subscription;
  const actions = required_actions.map(({ type, redirect_url }) => [
    type,
    new URL(redirect_url).host,
  ]);
  return { ...omit(rest, 'id'), actions };
}

check(
  'SUB-19',
  { requirement: 'R-CUS-11 R-SUB-27 R-SUB-40 R-SUB-41', effect: 'E3', assumes: 'A-606 A-608' },
  'subscription with credit, beside another one, ended and reactivated → shown, counted and billed only while active, by the time of usage; logged once for each activation; its credit stays, and is not given twice; a change of URL or renewal does not reactivate it',
  async (t) => {
    const webhook = await aWebhook(t);
    const product = await aFreshProduct({ entitlements: [ENTITLEMENT] });
    const { customer, made, look, set, cost } = await aMember(product);
    await subscribe(customer, to(await aFreshProduct()));
    const seen = async () => [
      (await look()).status,
      await activeCount(customer),
      await accountsOf(customer),
    ];
    expect(await seen()).toEqual(['active', 2, ['default:USD 5']]);
    const before = await aMomentAgo();
    await set({ status: 'inactive' });
    expect(await seen()).toEqual(['inactive', 1, ['default:USD 5']]);
    await aMomentAgo();
    expect(await cost(), 'usage after the end').toEqual([]);
    const between = await aMomentAgo();
    const renews_at = now(20 * DAY_MS);
    await set({ return_url: 'https://contract.invalid/again' });
    await set({ renews_at });
    expect((await look()).status, 'after other updates').toBe('inactive');

    await set({ status: 'active' });
    expect(await seen()).toEqual(['active', 2, ['default:USD 5']]);
    expect((await look()).renews_at).toBe(renews_at);
    await aMomentAgo();
    expect(await cost(), 'usage after the reactivation').toEqual([0.25]);
    expect(await cost({ occurred_at: between }), 'usage from between').toEqual([]);
    expect(await cost({ occurred_at: before }), 'usage from before').toEqual([0.25]);
    const items = await eventually(
      () => activationsOf(made.id),
      (found) => found.length > 1,
    );
    expect(items.map((item) => [item.topic, isMatched(item, webhook)])).toEqual([
      ['subscription.activated', true],
      ['subscription.activated', true],
    ]);
  },
);

check(
  'SUB-34',
  { requirement: 'R-SUB-04 R-SUB-41', effect: 'E3', assumes: 'A-307 A-606' },
  'a subscription updated by renews_at, by each URL, by null for each, and by nothing → only that field changes; id, products, status, start and another subscription stay; renews_at and all else as null at creation → a perpetual one; in the past → rejected; a URL of null while it renews → rejected',
  async () => {
    const product = await aFreshProduct();
    const renews_at = now(DAY_MS);
    const { customer, made, look, set } = await aMember(product, { renews_at });
    const nothing = { starts_at: null, renews_at: null, redirect_to: null };
    const noUrls = { return_url: null, failure_url: null };
    const unversioned = to(await aFreshProduct(), { code: null, version: null });
    const other = await subscribe(customer, { ...unversioned, ...nothing, ...noUrls });
    const read = async () => ({ renews_at: null, ...(await look()) });
    expect((await look()).renews_at).toBe(renews_at);
    expect(other.renews_at ?? null).toBeNull();
    const path = { customerId: customer.id, subscriptionId: made.id };
    for (const url of ['return_url', 'failure_url'])
      await call('updateSubscription', { path, body: { [url]: null } }, [422]);
    await expectChanged({
      made,
      read,
      update: (_, body) => set(body),
      changes: [
        { renews_at: now(2 * DAY_MS) },
        { return_url: 'https://contract.invalid/other' },
        { renews_at: null },
      ],
    });
    const before = await read();
    await call('updateSubscription', { path, body: { renews_at: now(-1_000) } }, [422]);
    expect(await read()).toEqual(before);
    for (const return_url of ['https://contract.invalid/again', null])
      await update(customer, other.id, { return_url });
    expect(await shown(customer, other.id)).toEqual(other);
  },
);
