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
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { activeCount } from './shared/member.ts';
import { addVersion } from './shared/products.ts';
import { detailOf, type Subscription, shown, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { activationsOf } from './shared/webhooks.ts';

const _refuse = (customer: OwnObject, body: object) =>
  refused('createSubscription', { path: { customerId: customer.id }, body });

/** A customer created with these subscriptions. */
const withSubscriptions = (subscriptions: readonly object[]) =>
  api('createCustomer', { body: { name: 'Contract inline', subscriptions } as never }, 201);

table<(product: OwnProduct) => object>(
  'SUB-01',
  {
    requirement:
      'R-PRD-18 R-SUB-01 R-SUB-02 R-SUB-03 R-SUB-04 R-SUB-08 R-SUB-09 R-SUB-13 R-SUB-14 R-SUB-18 R-SUB-19 R-SUB-20 R-SUB-26 R-VER-04',
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
  'product with fixed fee → action_required, action type payment with an absolute redirect_url; with a fee of 0 → active',
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

/** Bodies that are rejected, made from a product for usage, one with a fee and an unpublished one. */
const REJECTED: Readonly<
  Record<string, (usage: OwnProduct, fixed: OwnProduct, draft: OwnProduct) => object>
> = {
  'no products': () => ({ products: [] }),
  'products left out': () => ADDRESSES,
  'neither id nor code': () => ({ products: [{ version: 1 }] }),
  'id and code that disagree': ({ id }, { code }) => ({ products: [{ id, code }] }),
  'the same product twice': ({ id, code }) => ({ products: [{ id }, { code }] }),
  'redirect_to another word': (usage) => ({ ...to(usage), redirect_to: 'home' }),
  'version a word other than default': (usage) => to(usage, { version: 'latest' }),
  'version a fraction': (usage) => to(usage, { version: 0.5 }),
  'version an unknown number': (usage) => to(usage, { version: 32_000 }),
  'an unpublished version': (_usage, _fixed, draft) => to(draft, { version: draft.version }),
  'a fee without return_url': (_, fixed) => ({ ...to(fixed), ...ADDRESSES, return_url: undefined }),
  'a fee without failure_url': (_, fixed) => ({
    ...{ ...to(fixed), ...ADDRESSES, failure_url: undefined },
  }),
  'return_url that is no URI': (_, fixed) => ({ ...to(fixed), ...ADDRESSES, return_url: 'x' }),
  'failure_url that is no URI': (_, fixed) => ({ ...to(fixed), ...ADDRESSES, failure_url: 'x' }),
};

check(
  'SUB-03',
  {
    requirement:
      'R-LIM-08 R-SUB-07 R-SUB-10 R-SUB-11 R-SUB-12 R-SUB-13 R-SUB-14 R-SUB-15 R-SUB-16 R-SUB-33 R-SUB-37',
    effect: 'E1',
    partly: 'A-603',
  },
  'a missing or invalid field, product or version → rejected',
  async (t) => {
    const products = [await aProduct('usage'), await aProduct('fixed')] as const;
    const draft = await aDraftProduct(t);
    const path = { customerId: (await aCustomer()).id };
    for (const bodyOf of Object.values(REJECTED))
      await refused('createSubscription', { path, body: bodyOf(...products, draft) });
  },
);

check(
  'SUB-27',
  { requirement: 'R-SUB-36 R-SUB-46', effect: 'E3', assumes: 'A-603 A-605' },
  'starts_at a moment ahead, nothing to pay → scheduled and not counted; becomes active at that time, started_at is starts_at; renews_at a moment ahead → returned as given, later a later one, still active',
  async () => {
    const product = await aProduct('usage');
    const { customer, at, coming, count, running } = await aheadOf(async (at) => {
      const customer = await aFreshCustomer();
      const coming = await subscribe(customer, { ...to(product), starts_at: at });
      const count = await activeCount(customer);
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

    expect([coming.status, coming.started_at ?? null, count]).toEqual(['scheduled', null, 0]);
    expect([begun.status, renewed.status, await activeCount(customer)]).toEqual([
      ...['active', 'active', 2],
    ]);
    expect(Date.parse(begun.started_at ?? ''), 'started_at').toBe(Date.parse(at));
    expect(Date.parse(running.renews_at ?? ''), 'renews_at').toBe(Date.parse(at));
  },
);

check(
  'SUB-10',
  {
    requirement: 'R-CUS-05 R-CUS-11 R-CUS-16 R-CUS-20 R-PRD-18 R-SUB-25 R-SUB-34 R-WHK-35',
    effect: 'E3',
    partly: 'A-603',
  },
  'subscriptions with a start, a renewal, URLs, a version and a code, created with the customer and added later → the same status rules and fields, and all of the customer; the active ones are counted, and each logs one event',
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
