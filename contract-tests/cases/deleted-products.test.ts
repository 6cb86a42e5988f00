import {
  ADDRESSES,
  aCustomerWorld,
  aDraftProduct,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  assuming,
  aUnitPrice,
  aUsageEvent,
  check,
  expect,
  now,
  type OwnProduct,
  refused,
  table,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { addVersion, versionOf } from './shared/products.ts';
import { shown, subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

const remove = (productId: string) => api('deleteProduct', { path: { productId } }, 204);

async function archive({ id }: Pick<OwnProduct, 'id'>, versions: readonly number[]): Promise<void> {
  for (const version of versions.map(String))
    await api('archiveProductVersion', { path: { productId: id, version } }, 204);
}

/** An unused product with three versions: a published one, the default and a draft. */
async function aProductOfVersions(archived: readonly number[]) {
  const product = await aFreshProduct();
  const prices = [aUnitPrice(product.eventType)];
  for (const publish of [true, false])
    await addVersion(product, { prices, publish, make_default: publish });
  await archive(product, archived);
  return product;
}

table<readonly number[]>(
  'PRD-55',
  { requirement: 'R-PRD-22 R-PRD-29 R-PRD-49', effect: 'E3' },
  'unused product with published and draft versions, or archived ones, deleted → 204, then gone by id, by version and from the lists, its code free for another',
  { 'none archived': [], 'one archived': [1], 'all archived': [1, 2, 3] },
  async (archived, t) => {
    const { id, code } = await aProductOfVersions(archived);
    const path = { productId: id };
    await remove(id);
    await api('getProduct', { path }, 404);
    for (const version of ['default', '1', '3'])
      await api('getProductVersion', { path: { ...path, version } }, 404);
    const { items } = await api('listProductVersions', { query: { limit: 1000 } }, 200);
    const found = async () => (await api('listProducts', { query: { code } }, 200)).items;

    expect(items.filter((one) => one.id === id)).toEqual([]);
    expect(await found()).toEqual([]);
    await assuming('A-503', async () => {
      const again = await aDraftProduct(t, { code });
      expect((await found()).map((one) => one.id)).toEqual([again.id]);
      await api('getProductVersion', { path: { productId: again.id, version: '2' } }, 404);
    });
  },
);

interface Use {
  /** Whether the second version is a draft. */
  readonly isDraft?: boolean;
  readonly version?: number;
  readonly archived?: readonly number[];
  readonly isEnded?: boolean;
  readonly isPaid?: boolean;
  readonly isLater?: boolean;
}

table<Use>(
  'PRD-56',
  { requirement: 'R-PRD-23 R-PRD-30 R-PRD-49', effect: 'E3', partly: 'A-502 A-503' },
  'deletion of a product whose only subscription is of any kind → 204, readable as archived with all its versions, without a default, and its code stays taken',
  {
    'active, beside a draft': { version: 1, isDraft: true },
    ended: { isEnded: true },
    'awaits its payment': { isPaid: true },
    'awaits its start': { isLater: true },
    'has another version than the default': { version: 1 },
    'ended, and had an archived version': { version: 1, isEnded: true, archived: [1] },
  },
  async ({ version = 2, archived = [], isDraft, isEnded, isPaid, isLater }) => {
    const prices = [isPaid ? aFixedPrice() : aUnitPrice('contract.deleted')];
    const product = await aFreshProduct({ prices });
    await addVersion(product, { prices, ...(!isDraft && { publish: true, make_default: true }) });
    const customer = await aFreshCustomer();
    const terms = { ...(isPaid && ADDRESSES), ...(isLater && { starts_at: now(DAY_MS) }) };
    const { id } = await subscribe(customer, { ...to(product, { version }), ...terms });
    if (isEnded) await update(customer, id, { status: 'inactive' });
    await archive(product, archived);
    await remove(product.id);
    const { versions } = await api('getProduct', { path: { productId: product.id } }, 200);

    expect(versions.map(({ status }) => status)).toEqual(['archived', 'archived']);
    const path = { productId: product.id, version: 'default' };
    await assuming('A-502', () => api('getProductVersion', { path }, 404));
    await assuming('A-503', async () => {
      await refused('createProduct', { body: { name: 'Contract', code: product.code, prices } });
    });
  },
);

check(
  'PRD-44',
  {
    requirement: 'R-PRD-21 R-PRD-49 R-PRD-61 R-VER-06',
    effect: 'E3',
    assumes: 'A-502 A-503 A-501',
  },
  'a version in use archived, then its product deleted, each twice → 204; subscribed customers continue to be billed, nobody new can subscribe, and no version can be changed or added',
  async () => {
    const product = await aFreshProduct();
    const [customer, other] = [await aFreshCustomer(), await aFreshCustomer()];
    const { id } = await subscribe(customer, to(product));
    const path = { productId: product.id, version: '1' };
    const body = { path: { customerId: other.id }, body: to(product) };
    for (const step of [
      () => archive(product, [1]),
      () => archive(product, [1]),
      () => remove(product.id),
      () => remove(product.id),
    ]) {
      await step();
      const event = await aUsageEvent(customer, product.eventType);
      const { fees } = await stored(event.id);
      expect(fees.map((fee) => fee.amount)).toEqual([0.25]);
      expect((await shown(customer, id)).status).toBe('active');
      await refused('createSubscription', body);
      await refused('updateProductVersion', { path, body: { name: 'Contract' } }, [409]);
      expect((await versionOf(product, 1)).status).toBe('archived');
    }
    const next = { prices: [aUnitPrice('c')], publish: true };
    await refused('createProductVersion', { path, body: next });
    const { items } = await api('listProducts', { query: { code: product.code } }, 200);

    expect(items).toEqual([{ id: product.id, code: product.code, name: 'Contract fresh' }]);
  },
);

const MONTHLY = {
  name: 'Included',
  asset: 'EUR',
  amount: 5,
  purpose: 'bundled',
  lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
};

const START = '2026-03-05T00:00:00.000Z';

check(
  'SUB-71',
  { requirement: 'R-PRD-61', effect: 'E4', assumes: 'A-502 A-603', needs: 'clock.movable' },
  'a version archived and replaced by another default, or its product deleted, while subscriptions wait for their start, for their payment, are paid before their start, and are active → each becomes active at its time, is billed by that version, gets its credit each month and renews at its fee; nobody new can subscribe to that version, whatever the start, and nobody can resume it',
  async (t) => {
    const world = await aCustomerWorld(t);
    const { call, path, until } = world;
    const plan = (prices: object[]) => world.product({ prices, entitlements: [MONTHLY] });
    const free = await plan([aUnitPrice('call', 2)]);
    const paid = await plan([aFixedPrice(10)]);
    const subscribe = async (product: string, terms?: object): Promise<string> =>
      (await world.subscribe([product], terms)).id;
    const ahead = { starts_at: START };
    const scheduled = await subscribe(free, ahead);
    const unpaid = await subscribe(paid);
    const early = await subscribe(paid, ahead);
    await world.settle(early);
    const running = await subscribe(free);
    const ids = [scheduled, unpaid, early, running];

    for (const productId of [free, paid]) {
      await call('archiveProductVersion', { path: { productId, version: '1' } });
      if (productId === paid) await call('deleteProduct', { path: { productId } });
      for (const [version, more] of [
        [1, ahead],
        ['default', {}],
        [undefined, ahead],
      ] as const) {
        await world.subscribe([{ id: productId, version }], more, [422]);
      }
      const inline = { products: [{ id: productId, version: 1 }], ...ADDRESSES };
      await call('createCustomer', { body: { name: 'B', subscriptions: [inline] } }, [422]);
    }
    for (const version of [1, 'default']) await world.change(running, free, version, [422]);
    // Another default must not replace the version of a subscription that has not started.
    await world.version(free, { prices: [aUnitPrice('call', 9)], entitlements: [] });
    const states = async () => {
      const { subscriptions } = await call('getCustomer', { path });
      const statuses = new Map<string, string>(
        subscriptions.map((each: { id: string; status: string }) => [each.id, each.status]),
      );
      return ids.map((id) => statuses.get(id));
    };
    const account = { path: { ...path, accountId: 'default:EUR' } };
    const eur = async () => [
      (await call('getWalletAccount', account)).available,
      await world.revenue(),
    ];

    expect(await states()).toEqual(['scheduled', 'action_required', 'active', 'active']);
    expect(await eur()).toEqual([5, 10]);
    await world.settle(unpaid);
    expect(await states()).toEqual(['scheduled', 'active', 'active', 'active']);
    expect(await eur()).toEqual([10, 20]);
    await until(START);
    expect(await states()).toEqual(['active', 'active', 'active', 'active']);
    expect(await world.subscription(scheduled)).toMatchObject({ started_at: START });
    expect(await eur()).toEqual([20, 20]);
    // The version bills once for both of its free subscriptions, also when only the late one is left.
    await world.use();
    expect(await eur()).toEqual([20, 22]);
    await world.update(running, { status: 'inactive' });
    await world.update(running, { status: 'active' }, [422]);
    await world.use();
    expect(await eur()).toEqual([20, 24]);
    // Credit of all but the ended one is replaced, and both fees are collected again.
    await until('2026-04-05T00:00:00.000Z');
    expect(await eur()).toEqual([15, 44]);
    expect((await world.subscription(early)).renews_at).toBe('2026-05-05T00:00:00.000Z');
    expect((await call('listWebhookEvents', {})).items).toHaveLength(4);
  },
);
