import type { ComponentChildren, VNode } from 'preact';
import { compare, type Decimal, decimal, format, sum, ZERO } from '../../../domain/decimal.ts';
import { type Profitability, profitability } from '../../../domain/profitability.ts';
import { type Ranking, type RankQuery, rank, rowsOf, type Sums } from '../../../store/query.ts';
import type { EventRow } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { Words } from '../../parts.tsx';
import { marginText } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { currentVersion } from './product.tsx';

/** Revenue and cost of a day or a product. */
interface ProfitRow {
  readonly name: ComponentChildren;
  readonly sums: Profitability;
}

/** The figures of a world, a customer or a page. */
export const profitFigures = (sums: Profitability, currency: string) => ({
  Revenue: <Amount amount={format(sums.gross_revenue)} asset={currency} />,
  Cost: <Amount amount={format(sums.total_costs)} asset={currency} />,
  Margin: marginText(sums),
});

interface ProfitTableProps {
  readonly id: string;
  readonly title: string;
  /** The heading of the names. */
  readonly of: string;
  readonly rows: readonly ProfitRow[];
  readonly show: (amount: Decimal) => VNode;
}

export function ProfitTable({ id, title, of, rows, show }: ProfitTableProps) {
  return (
    <TableSection
      id={id}
      title={title}
      rows={rows}
      most={MAX_ROWS}
      columns={{
        [of]: ({ name }) => name,
        '#Revenue': ({ sums }) => show(sums.gross_revenue),
        '#Cost': ({ sums }) => show(sums.total_costs),
        '^#Net revenue': ({ sums }) => show(sums.net_revenue),
        '#Margin': ({ sums }) => marginText(sums),
      }}
    />
  );
}

const MAX_ROWS = 31;

/** Usage by the products that it is billed by, which loses most first. */
export function productsByLoss(
  request: InspectorRequest,
): readonly ProfitRow[] | Promise<readonly ProfitRow[]> {
  const { world, link } = request;
  const nameOf = (code: string): string => {
    const [product] = rowsOf(world.tables.products, { code });
    return (product && currentVersion(request, product)?.name) ?? code;
  };
  return rank(world.tables.events, BY_PRODUCT, ({ order }) =>
    [...order].map(({ key: codes, sums }) => ({
      name: (
        <a href={link('usage', { q: codes === '' ? 'amount:none' : `product:${codes}` })}>
          <Words text={codes === '' ? 'Without a fee' : codes.split(', ').map(nameOf).join(', ')} />
        </a>
      ),
      sums: profitOfSums(sums),
    })),
  );
}

export const profitOfSums = (sums: Sums): Profitability =>
  profitability(sums.get('revenue') ?? ZERO, sums.get('cost') ?? ZERO);

function biggestLossFirst(left: Ranking, right: Ranking): number {
  const [one, other] = [profitOfSums(left.sums), profitOfSums(right.sums)];
  return compare(one.net_revenue, other.net_revenue) || (left.key < right.key ? -1 : 1);
}

const BY_PRODUCT: RankQuery<EventRow> = {
  named: 'by product',
  key: ({ fees }) => [...new Set(fees.map(({ terms }) => terms.product_code))].join(', '),
  amounts: ({ revenue, cost }) => [
    ['revenue', decimal(revenue)],
    ['cost', decimal(cost)],
  ],
  compare: biggestLossFirst,
};

export function Vendors({ show }: Pick<ProfitTableProps, 'show'>) {
  const { tables } = useRequest().world;
  const rows = [...tables.vendors.values()];
  if (rows.length === 0) return null;
  return (
    <TableSection
      id="vendors"
      title="Vendors"
      rows={rows}
      most={MAX_ROWS}
      columns={{
        Vendor: ({ name }) => <Words text={name} />,
        'External id': ({ external_id }) => <Words text={external_id} />,
        '^#Cost': ({ id }) =>
          show(sum(tables.vendor_days.list('vendor', id).map(({ cost }) => decimal(cost)))),
      }}
    />
  );
}
