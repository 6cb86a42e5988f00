import { presentProductDetail } from '../../../resources/products/present-product.ts';
import { rowsOf } from '../../../store/query/rows-of.ts';
import { TableSection } from '../../data-table.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { RecordLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { currentVersion } from './product.tsx';

/** All products, with the version that new subscriptions get. */
export const showProducts = listPage({
  section: '/products',
  label: 'Products',
  rows: ({ world }) => rowsOf(world.tables.products),
  present: (row, request) => presentProductDetail(request.contextOf(row.owner), row),
  at: (row) => row.created_at,
  fields: {
    code: ({ code }) => [code],
    name: (row, request) => [currentVersion(request, row)?.name],
    id: ({ id }) => [id],
  },
  text: ({ id }, { world }) => [JSON.stringify(world.tables.versions.list('product', id))],
  columns: (request) => ({
    Code: (row) => <RecordLink table="products" row={row} text={row.code} />,
    Name: (row) => <Words text={currentVersion(request, row)?.name} />,
    'Default version': (row) => (row.archived ? 'archived' : (row.default_version ?? 'none')),
    '#Versions': (row) => row.newest_version,
    '#Prices': (row) => currentVersion(request, row)?.prices.length ?? 0,
    Created: (row) => <Time as="exact" at={row.created_at} />,
  }),
  empty: 'No products yet.',
  after: () => <Assets />,
});

function Assets() {
  const { world, link } = useRequest();
  const { tables, accountId } = world;
  const rows = tables.assets.list('listed', accountId);
  if (rows.length === 0) return null;
  return (
    <TableSection
      id="assets"
      title="Assets"
      rows={rows}
      columns={{
        Code: ({ id, code }) => (
          <a href={link(`/records/assets/${encodeURIComponent(id)}`)}>{code}</a>
        ),
        Name: ({ name }) => <Words text={name} />,
        '#Decimal places': ({ precision }) => precision,
        Rates: ({ schedules }) => Object.keys(schedules).join(', ') || 'none',
      }}
    />
  );
}
