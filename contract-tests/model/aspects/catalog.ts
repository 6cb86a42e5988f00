import { Rational } from '../../kit/rational.ts';
import { NEVER } from '../account.ts';
import { instant, VENDORS } from '../calls.ts';
import { START } from '../history.ts';
import type { Subscription } from '../subscription.ts';
import { inOrder } from '../views.ts';
import { placesOf, rateAt, shelfOf } from '../world.ts';
import type { Aspect, Compared, Stage } from './aspect.ts';

/** Products, versions and subscribers, assets with rates and quotes, connected accounts, and the lists of all these. */
export const catalog: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  for (const [operation, items] of listed(stage)) {
    const found = await call(operation, { query: { limit: 1000 } });
    yield [operation, found, { items, total_count: items.length }];
  }
  for (const [product, productId] of ids.products.entries()) {
    const found = await call('getProduct', { path: { productId } });
    yield [`p${product}`, found, wantedProduct(stage, product)];
    for (const [index, content] of shelfOf(world, product).contents.entries()) {
      const path = { productId, version: index + 1 };
      yield [
        `p${product} ${index}`,
        await call('getProductVersion', { path }),
        withoutEmpty(content),
      ];
    }
    const { items } = await call('listSubscribers', { path: { productId } });
    const subscribers = inOrder(items, ids.customers, ({ customer_id }) => customer_id);
    yield [`p${product} subscribers`, subscribers, subscribersOf(stage, product)];
  }
  for (const [index, accountId] of ids.accounts.entries())
    yield [
      `account ${index}`,
      await call('getConnectedAccount', { path: { accountId } }),
      connectedAccount(accountId),
    ];
  for (const code of new Set([...world.history.assets.map((asset) => asset.code), 'EUR']))
    yield* ofAsset(stage, code);
};

const connectedAccount = (id: string) => ({
  ...{ id, name: 'Beside', external_id: 'x', metadata: { k: 'v' }, created_at: instant(START) },
});

function listed({ ids, world }: Stage) {
  const customers = world.customers.map(({ index, name }) => ({ id: ids.customers[index], name }));
  const vendors = VENDORS.map((external_id, index) => ({ id: ids.vendors[index], external_id }));
  const assets = world.history.assets.map(({ code }) => ({ code, name: code }));
  const versions = ids.products.flatMap((id, product) =>
    versionsOf(world, product).map((version) => ({ id, code: `p${product}`, ...version })),
  );
  return [
    ['listConnectedAccounts', ids.accounts.map(connectedAccount)],
    ['listCustomers', customers.reverse()],
    ['listVendors', vendors.reverse()],
    ['listAssets', assets],
    ['listProducts', ids.products.map((id, product) => ({ id, code: `p${product}` })).reverse()],
    ['listProductVersions', versions.reverse()],
  ] as const;
}

const versionsOf = (world: Stage['world'], product: number) =>
  shelfOf(world, product).contents.map((_, index) => {
    const { archived, drafts, standard } = shelfOf(world, product);
    const [version, is_default] = [index + 1, index + 1 === standard];
    const unavailable = archived.has(version) ? 'archived' : drafts.has(version) && 'draft';
    return { version, status: unavailable || 'published', is_default };
  });

function wantedProduct({ ids, world }: Stage, product: number): object {
  const { standard: version } = shelfOf(world, product);
  return {
    id: ids.products[product],
    default_version: version === undefined ? undefined : { version },
    versions: versionsOf(world, product)
      .reverse()
      .map(({ version: number, status }) => ({ version: number, status })),
  };
}

/** Removes empty `dimensions`, because the service may omit them. */
const withoutEmpty = (content: object): object =>
  JSON.parse(
    JSON.stringify(content, (key, value) =>
      key === 'dimensions' && Object.keys(value).length === 0 ? undefined : value,
    ),
  );

/** The expected subscribers of a product, each with one subscription that has started and not ended. */
function subscribersOf({ ids, world }: Stage, product: number): object[] {
  return world.customers.flatMap(({ index, name, external_id, email }) => {
    const [first] = world.subscriptions
      .filter((each) => each.customer === index && each.product === product)
      .filter(({ startedAt, status }) => startedAt !== NEVER && status !== 'inactive')
      .sort(
        (one, other) =>
          rankOf(one, world.now) - rankOf(other, world.now) ||
          other.startedAt - one.startedAt ||
          other.index - one.index,
      );
    if (!first) return [];
    return [
      {
        ...{ customer_id: ids.customers[index], customer_name: name },
        ...{ external_id: external_id ?? undefined, email: email ?? undefined },
        ...{ subscription_id: ids.subscriptions[first.index], subscription_status: first.status },
        ...{ product_rate_plan_id: ids.products[product], version: first.version },
      },
    ];
  });
}

/** 0 bills usage, 1 bills it past due, 2 starts later, 3 awaits the payment of its reactivation. */
function rankOf({ status, startedAt, isPastDue }: Subscription, now: number): number {
  if (isPastDue) return 1;
  if (status !== 'active') return 3;
  return startedAt > now ? 2 : 0;
}

const SOURCE_AMOUNT = 10;

/** An asset with its rates, and a quote just before and at the start of each rate. */
async function* ofAsset({ call, world }: Stage, code: string): AsyncGenerator<Compared> {
  const path = { assetCode: code };
  const schedule = world.rates.get(code) ?? [];
  const periods = schedule.map(({ from, rate }, index) => {
    const next = schedule[index + 1];
    return {
      valid_from: instant(from),
      valid_to: next && instant(next.from),
      rate,
      inverse_rate: Rational.of(1).over(rate).significant(12),
    };
  });
  const rates = periods.length ? [{ source: 'USD', schedule: periods.reverse() }] : [];
  const asset = world.history.assets.find((each) => each.code === code);
  const { precision } = asset ?? {};
  const made = asset && { name: code, precision, label: code, created_at: instant(START) };
  yield [code, await call('getAsset', { path }), { code, ...made, rates }];
  for (const at of schedule.flatMap(({ from }) => [from - 1, from])) {
    const body = { source: 'USD', amount: SOURCE_AMOUNT, exchange_at: instant(at) };
    const rate = rateAt(world, code, at);
    const answer = await call('quoteAsset', { path, body }, [rate ? 200 : 422]);
    if (!rate) continue;
    const bought = Rational.of(SOURCE_AMOUNT).over(rate).rounded(placesOf(world, code));
    const wanted = { source_amount: SOURCE_AMOUNT, destination_amount: bought, rate };
    yield [`${code} at ${at}`, answer, wanted];
  }
}
