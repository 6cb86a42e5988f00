import { after, type Loose, type Mutant } from '../mutant.ts';
import { bugs, onlyThose, sending } from './bug.ts';
import { ask, keeping } from './deep.ts';

/** The content of a version as in a request, without ids. */
const contentOf = ({ prices, entitlements }: Loose): Loose => ({
  prices: prices.map(({ id: _id, ...price }: Loose) => price),
  entitlements,
});

/** The account's subscriptions to a product. */
const subscriptionsTo = ({ tables, owner }: Loose, productId: string): Loose[] =>
  tables.subscriptions
    .list('owner', owner)
    .filter(({ products }: Loose) => products.some(({ id }: Loose) => id === productId));

/** Products, versions and simulation. */
export const catalogBugs: readonly Mutant[] = bugs({
  createProductVersion: {
    'copies what is left out from the default version': (call, context, run) => {
      const path = { productId: call.path.productId, version: 'default' };
      const product = context.tables.products.get(path.productId);
      if (product?.default_version === undefined) return run();
      const former = contentOf(ask('getProductVersion', { path }, context).body);
      return run({ ...call, body: { ...former, ...call.body } });
    },
  },
  deleteProduct: {
    'ends the subscriptions to what it archives': after((call, context) => {
      for (const { id, customer_id } of subscriptionsTo(context, call.path.productId))
        ask(
          'updateSubscription',
          { path: { customerId: customer_id, subscriptionId: id }, body: { status: 'inactive' } },
          context,
        );
    }),
  },
  archiveProductVersion: {
    'moves the default to the oldest version': keeping('products', (row, { path }, { tables }) => {
      const versions = tables.versions.list('product', row.id);
      const oldest = versions.find(
        ({ status, version }) => status === 'published' && String(version) !== String(path.version),
      );
      const isMoved = row.default_version !== tables.products.get(row.id)?.default_version;
      return isMoved && oldest ? { ...row, default_version: oldest.version } : row;
    }),
  },
  updateProductVersion: {
    'removes the entitlements of a draft where they are left out': sending((body) => {
      if (body.prices) body.entitlements ??= [];
    }),
  },
  listProducts: {
    'leaves out archived products': onlyThose(
      ({ id }, _, { tables }) => !tables.products.get(id).archived,
    ),
  },
  simulateUsage: {
    'counts each event from the same quantity': (call, _, run) => {
      const replies = call.body.events.map((event: Loose) =>
        run({ ...call, body: { ...call.body, events: [event] } }),
      );
      const fees = replies.flatMap(({ body }: Loose) => body.fees);
      const warnings = replies.flatMap(({ body }: Loose) => body.warnings ?? []);
      return { status: 200, body: { fees, ...(warnings.length > 0 && { warnings }) } };
    },
  },
});
