import { presentProductDetail } from '../../../resources/products/products.ts';
import { rowsOf } from '../../../store/query.ts';
import type { PriceRecord } from '../../../store/records.ts';
import { TableSection } from '../../data-table.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { RecordLink, SendLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { currentVersion, FeeOfPrice } from './product.tsx';

/** All products, with the version that new subscriptions get. */
export const showProducts = listPage({
  section: 'products',
  label: 'Products',
  rows: ({ world }) => rowsOf(world.tables.products),
  actions: () => (
    <SendLink to={{ operation: 'createProduct', fill: 'required' }}>Create a product</SendLink>
  ),
  present: (row, request) => presentProductDetail(request.contextOf(row.owner), row),
  at: (row) => row.created_at,
  fields: {
    code: ({ code }) => [code],
    name: (row, request) => [currentVersion(request, row)?.name],
    id: ({ id }) => [id],
  },
  text: ({ id }, { world }) => [JSON.stringify(rowsOf(world.tables.versions, { product_id: id }))],
  columns: (request) => ({
    Product: (row) => (
      <RecordLink
        table="products"
        row={row}
        text={currentVersion(request, row)?.name ?? row.code}
      />
    ),
    Code: (row) => <Words text={row.code} />,
    '^Price': (row) =>
      currentVersion(request, row)?.prices.map((price) => <InShort price={price} />),
    'Default version': (row) =>
      row.archived ? 'archived' : `${row.default_version ?? 'none'} of ${row.newest_version}`,
    Created: (row) => <Time as="day" at={row.created_at} />,
  }),
  empty: 'No products yet. A product has prices and included credit.',
  after: () => <Assets />,
});

/** What a price costs: its fee, or that it is counted by usage. */
function InShort({ price }: { readonly price: PriceRecord }) {
  return (
    <div>
      {price.usage_calculation ? (
        <>
          {price.name} <span class="muted">by usage</span>
        </>
      ) : (
        <FeeOfPrice price={price} />
      )}
    </div>
  );
}

function Assets() {
  const { tables, accountId } = useRequest().world;
  return (
    <TableSection
      id="assets"
      title="Assets"
      rows={[...tables.assets.sorted('listed', accountId)]}
      columns={{
        Code: ({ code }) => code,
        Name: ({ name }) => <Words text={name} />,
        '#Decimal places': ({ precision }) => precision,
        'Has rates in': ({ schedules }) => Object.keys(schedules).join(', ') || 'none',
      }}
    />
  );
}
