import {
  ADDRESSES,
  aCustomer,
  aDraftProduct,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aheadOf,
  aProduct,
  api,
  assuming,
  check,
  eventually,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  refused,
  table,
  useUp,
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { activeCount } from './shared/member.ts';
import { addVersion } from './shared/products.ts';
import { detailOf, type Subscription, shown, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { activationsOf } from './shared/webhooks.ts';

const refuse = (customer: OwnObject, body: object) =>
  refused('createSubscription', { path: { customerId: customer.id }, body });

/** A customer created with these subscriptions. */
const withSubscriptions = (subscriptions: readonly object[]) =>
  useUp('customer', () =>
    api('createCustomer', { body: { name: 'Contract inline', subscriptions } as never }, 201),
  );

table<(product: OwnProduct) => object>(
  'SUB-01',
  {
    requirement: [
      ...['R-PRD-18', 'R-SUB-01', 'R-SUB-02', 'R-SUB-03', 'R-SUB-04', 'R-SUB-08', 'R-SUB-09'],
      ...['R-SUB-13', 'R-SUB-14', 'R-SUB-18', 'R-SUB-19', 'R-SUB-20', 'R-SUB-26', 'R-VER-04'],
    ],
    level: 'MUST',
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
  {
    requirement: [...['R-SUB-05', 'R-SUB-06', 'R-SUB-10', 'R-SUB-11', 'R-SUB-21', 'R-SUB-22']],
    level: 'MUST',
    effect: 'E4',
  },
  'product with fixed fee → action_required, action type payment with an absolute redirect_url; without return_url or failure_url → rejected; with a fee of 0 → active',
  async () => {
    const fixed = to(await aProduct('fixed'));
    const customer = await aFreshCustomer();
    const { return_url, failure_url } = ADDRESSES;
    await refuse(customer, { ...fixed, failure_url });
    await refuse(customer, { ...fixed, return_url });
    const { status, required_actions } = await subscribe(customer, { ...fixed, ...ADDRESSES });

    expect(status).toBe('action_required');
    expect(required_actions).toMatchObject([{ type: 'payment' }]);
    const free = to(await aFreshProduct({ prices: [aFixedPrice(0)] }));
    expect((await subscribe(customer, { ...free, ...ADDRESSES })).status).toBe('active');
    expect(URL.canParse(required_actions?.[0]?.redirect_url ?? ''), 'redirect_url').toBe(true);
  },
);

table<object>(
  'SUB-03',
  {
    requirement: ['R-LIM-08', 'R-SUB-07', 'R-SUB-13', 'R-SUB-14', 'R-SUB-15', 'R-SUB-16'],
    level: 'MUST',
    effect: 'E1',
  },
  'a missing or invalid field → rejected',
  {
    'no products': { products: [] },
    'products left out': { products: undefined },
    'neither id nor code': { products: [{ version: 1 }] },
    'redirect_to another word': { redirect_to: 'home' },
    'version a word other than default': { version: 'latest' },
    'version a fraction': { version: 0.5 },
    'version an unknown number': { version: 32_000 },
  },
  async ({ version, ...fields }: { version?: unknown }) => {
    const product = to(await aProduct('usage'), version === undefined ? {} : { version });
    await refuse(await aCustomer(), { ...product, ...ADDRESSES, ...fields });
  },
);

check(
  'SUB-16',
  { requirement: ['R-SUB-12', 'R-SUB-33'], level: 'IMPLIED', effect: 'E1' },
  'return_url or failure_url that is not a URI, and an unpublished version → rejected',
  async (t) => {
    const customer = await aCustomer();
    const fixed = { ...to(await aProduct('fixed')), ...ADDRESSES };
    const draft = await aDraftProduct(t);
    await refuse(customer, { ...fixed, return_url: 'nowhere' });
    await refuse(customer, { ...fixed, failure_url: 'nowhere' });
    await refuse(customer, to(draft, { version: draft.version }));
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

check(
  'SUB-11',
  { requirement: ['R-CUS-11', 'R-SUB-34', 'R-WHK-35'], level: 'IMPLIED', effect: 'E3' },
  'active raises active_subscription_count by 1 and logs an event; action_required does not; what was observed is recorded',
  async (t) => {
    const customer = await aFreshCustomer();
    const before = await activeCount(customer);
    await subscribe(customer, { ...to(await aProduct('fixed')), ...ADDRESSES });
    const waiting = await activeCount(customer);
    const { id } = await subscribe(customer, to(await aProduct('usage')));

    expect([before, waiting, await activeCount(customer)]).toEqual([0, 0, 1]);
    const logged = await eventually(
      () => activationsOf(id),
      (items) => items.length > 0,
    );
    t.observe('direct activation is logged', logged.length);
    expect(logged.map(({ topic }) => topic)).toEqual(['subscription.activated']);
  },
);

check(
  'SUB-27',
  { requirement: 'R-SUB-36', level: 'ASSUMED', effect: 'E3', assumes: 'A-603' },
  'starts_at a moment ahead, nothing to pay → scheduled and not counted; becomes active at that time, started_at is starts_at',
  async () => {
    const product = await aProduct('usage');
    const { customer, starts_at, made, count } = await aheadOf(async (starts_at) => {
      const customer = await aFreshCustomer();
      const made = await subscribe(customer, { ...to(product), starts_at });
      return { customer, starts_at, made, count: await activeCount(customer) };
    });
    const begun = await eventually(
      () => shown(customer, made.id),
      (seen) => seen.status === 'active',
    );

    expect([made.status, made.started_at ?? null, count]).toEqual(['scheduled', null, 0]);
    expect([begun.status, await activeCount(customer)]).toEqual(['active', 1]);
    expect(Date.parse(begun.started_at ?? ''), 'started_at').toBe(Date.parse(starts_at));
  },
);

check(
  'SUB-28',
  { requirement: 'R-SUB-46', level: 'ASSUMED', effect: 'E3', assumes: 'A-605' },
  'renews_at given → returned as given; once it has passed, a later one, still active',
  async () => {
    const product = await aProduct('usage');
    const { customer, renews_at, id, given } = await aheadOf(async (renews_at) => {
      const customer = await aFreshCustomer();
      const recurring = { ...to(product), ...ADDRESSES, renews_at };
      const { id, renews_at: given } = await subscribe(customer, recurring);
      return { customer, renews_at, id, given };
    });
    const renewed = await eventually(
      () => shown(customer, id),
      (seen) => Date.parse(seen.renews_at ?? '') > Date.parse(renews_at),
    );

    expect(Date.parse(given ?? ''), 'renews_at').toBe(Date.parse(renews_at));
    expect(renewed.status).toBe('active');
  },
);

check(
  'SUB-10',
  {
    requirement: ['R-CUS-05', 'R-CUS-16', 'R-CUS-20', 'R-PRD-18', 'R-SUB-25'],
    level: 'MUST',
    effect: 'E3',
  },
  'customer created with subscriptions, and one added later → same status rules, returned per subscription; the customer has all, each with its product',
  async () => {
    const [usage, fixed] = [await aProduct('usage'), await aProduct('fixed')];
    const [second, later] = [await aFreshProduct(), await aFreshProduct()];
    const products = [usage, fixed, second, later];
    const inline = [to(usage), { ...to(fixed), ...ADDRESSES }, to(second)];
    const made = await withSubscriptions(inline);
    const added = await subscribe(made as never, to(later));
    const { subscriptions } = await detailOf(made);
    const all = [...made.subscriptions, added].map(({ id }) => id);

    const statuses = made.subscriptions.map(({ status }) => status);
    expect(statuses).toEqual(['active', 'action_required', 'active']);
    for (const { id, status } of made.subscriptions.filter((one) => one.status === 'active'))
      expect(
        await eventually(
          () => activationsOf(id),
          (items) => items.length > 0,
        ),
        `activations of a subscription that is ${status}`,
      ).toHaveLength(1);
    expect(made.subscriptions[1]?.required_actions).toHaveLength(1);
    expect(subscriptions?.map(({ id }) => id).sort()).toEqual([...all].sort());
    expect(subscriptions?.flatMap((one) => one.products.map(({ id }) => id)).sort()).toEqual(
      products.map(({ id }) => id).sort(),
    );
  },
);

check(
  'SUB-45',
  { requirement: ['R-CUS-05', 'R-SUB-25'], level: 'IMPLIED', effect: 'E3' },
  'subscriptions with a start, a renewal, URLs, a version and a code, created with the customer or added later → the same',
  async () => {
    const usage = await aFreshProduct();
    const fixed = await aFreshProduct({ prices: [aFixedPrice(20)] });
    await addVersion(usage, { publish: true });
    const bodies = [
      { products: [{ code: usage.code }], starts_at: now(DAY_MS) },
      { products: [{ id: usage.id, version: 2 }], starts_at: now(-DAY_MS) },
      { ...to(fixed), ...ADDRESSES, redirect_to: 'portal', renews_at: now(3 * DAY_MS) },
    ];
    const inline = await withSubscriptions(bodies);
    const other = await aFreshCustomer();
    const added: Subscription[] = [];
    for (const each of bodies) added.push(await subscribe(other, each));

    expect(inline.subscriptions.map(comparable)).toEqual(added.map(comparable));
    expect(added.slice(1).map(({ status }) => status)).toEqual(['active', 'action_required']);
    await assuming('A-603', async () => expect(added[0]?.status).toBe('scheduled'));
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
