import { type Loose, type Mutant, showing } from '../../mutant.ts';
import { across, bugs } from '../bug.ts';
import { ask, keeping, refuse, rescheduled, seeing } from '../deep.ts';
import { midnightBefore } from '../due-bug.ts';
import { alike, isDefault, referencesIn } from './pairs-of-operations.ts';

/** Bugs in assets and products that show only where two sentences of the specification meet. */

const productOf = ({ id, code }: Loose, { tables, owner }: Loose): Loose =>
  tables.products.get(id) ?? tables.products.first('code', `${owner}\n${code}`);

const versionOf = ({ tables }: Loose, productId: string, version: Loose): Loose => {
  const product = tables.products.get(productId);
  const number = version === 'default' ? product?.default_version : version;
  return tables.versions.get(`${productId}\n${number}`);
};

/** Whether the prices of a version use a created asset without a rate. */
const hasAssetWithoutRate = ({ prices }: Loose, { tables, owner }: Loose): boolean =>
  prices
    .flatMap(({ pricing }: Loose) => pricing)
    .map(({ asset }: Loose) => tables.assets.get(`${owner}\n${asset}`))
    .some((row: Loose) => row && Object.keys(row.schedules).length === 0);

/** Only the last entitlement of each asset, at its position. */
function lastOfEachAsset(entitlements: readonly Loose[]): Loose[] {
  const kept: Loose[] = [];
  for (const [place, entitlement] of entitlements.entries()) {
    const isLast = !entitlements.slice(place + 1).some(({ asset }) => asset === entitlement.asset);
    if (isLast) kept[place] = entitlement;
  }
  return kept;
}

export const pairedCatalogBugs: readonly Mutant[] = [
  across('has no default for subscriptions where the first version was published later', {
    ...alike(
      (call, context, run) => {
        for (const reference of referencesIn(call).filter(isDefault)) {
          const product = productOf(reference, context);
          if (product && versionOf(context, product.id, 'default')?.isLate) refuse('products');
        }
        return run();
      },
      'createSubscription',
      'createCustomer',
    ),
    updateProductVersion: keeping('versions', (row, _, { tables }) => ({
      ...row,
      isLate:
        row.isLate ||
        (row.version === 1 &&
          row.status === 'published' &&
          tables.versions.get(row.id)?.status === 'draft'),
    })),
  }),
  across(
    'gives the credit of one entitlement in each asset',
    alike(
      seeing('versions', (row) => ({ ...row, entitlements: lastOfEachAsset(row.entitlements) })),
      'createSubscription',
      'createCustomer',
    ),
  ),
  across('takes subscriptions to the default along to a new one', {
    createProductVersion(_, context, run) {
      const reply = run();
      if (!reply.body.is_default) return reply;
      const { id: productId, version } = reply.body;
      const followers = [...context.tables.subscriptions.values()].filter(
        (row: Loose) => row.status !== 'inactive' && row.follows?.includes(productId),
      );
      for (const { id: subscriptionId, customer_id: customerId } of followers)
        ask(
          'updateSubscriptionProduct',
          { path: { customerId, subscriptionId, productId }, body: { version } },
          context,
        );
      return reply;
    },
    createSubscription: keeping('subscriptions', (row, call, context) => ({
      ...row,
      follows: referencesIn(call)
        .filter(isDefault)
        .map((reference) => productOf(reference, context)?.id),
    })),
  }),
  across(
    'rounds and judges by the precision that the platform gave the same code',
    alike(
      seeing('assets', (row, _, { tables, world }) => ({
        ...row,
        precision: tables.assets.get(`${world.accountId}\n${row.code}`)?.precision ?? row.precision,
      })),
      'quoteAsset',
      'adjustWallet',
      'chargeWallet',
      'submitEvents',
    ),
  ),
  ...bugs({
    quoteAsset: {
      'takes a rate that begins later on its day from midnight on': seeing('assets', (row) =>
        rescheduled(row, (list) =>
          list.map((period) => ({ ...period, valid_from: midnightBefore(period.valid_from) })),
        ),
      ),
    },
    updateProductVersion: {
      'publishes no draft with a price in an asset without a rate': (call, context, run) => {
        const { productId, version } = call.path;
        const before = versionOf(context, productId, version);
        const reply = run();
        if (!call.body.publish || before?.status !== 'draft') return reply;
        if (hasAssetWithoutRate(versionOf(context, productId, before.version), context))
          refuse('publish');
        return reply;
      },
    },
    getCustomerStats: {
      'has no margin where there are costs and no revenue': showing((body) => {
        if (body.gross_revenue === 0 && body.total_costs > 0) delete body.margin;
      }),
    },
  }),
];
