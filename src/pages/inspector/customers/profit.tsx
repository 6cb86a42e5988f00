import type { ComponentChildren } from 'preact';
import { compare, type Decimal, decimal, format, sum, ZERO } from '../../../domain/decimal.ts';
import { before, type Day, dayOf, daysBetween, startOfDay } from '../../../domain/instant.ts';
import { type Profitability, profitability } from '../../../domain/profitability.ts';
import { totalAmounts } from '../../../resources/revenue/revenue.ts';
import { type Ranking, type RankQuery, rank, rowsOf, type Sums } from '../../../store/query.ts';
import type { EventRow, TotalsRow } from '../../../store/records.ts';
import type { Tables } from '../../../store/schema.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Chart, Legend } from '../../charts/chart.tsx';
import { DataTable, TableSection } from '../../data-table.tsx';
import { Facts, Section, Words } from '../../parts.tsx';
import { dayText, marginText, money, shortDayText } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { CustomerTabs, reported } from './customers.tsx';
import { currentVersion } from './product.tsx';

/** Revenue and cost of a day, a customer or a product. */
interface ProfitRow {
  readonly name: ComponentChildren;
  readonly sums: Profitability;
}

/** The tab of customers that says who loses money, by customer, by product and by day. @assumes */
export async function showProfit(request: InspectorRequest): Promise<PageAnswer> {
  const days = await profitByDay(request);
  const customers = await customersByLoss(request);
  const products = await productsByLoss(request);
  const sums = profitOf(days);
  const netRevenue = reported(request, sums.net_revenue);
  return (
    <InspectorPage request={request} section="customers" title="Profit" heading="Customers">
      <CustomerTabs current="profit" />
      <Live id="profit">
        <Facts areFigures facts={{ ...profitFigures(request, sums), 'Net revenue': netRevenue }} />
        {days.size === 0 ? (
          <p class="muted">No revenue or cost yet. Usage brings both.</p>
        ) : (
          <>
            <Plot days={days} />
            <TableSection
              id="by-customer"
              title="By customer, largest loss first"
              aside={<a href={request.link('customers', { sort: 'Net revenue' })}>All</a>}
              rows={customers}
              columns={columnsOf('Customer', request)}
            />
            <TableSection
              id="by-product"
              title="Usage by product, largest loss first"
              rows={products}
              most={MAX_ROWS}
              columns={columnsOf('Product', request)}
            />
          </>
        )}
      </Live>
    </InspectorPage>
  );
}

/** The figures of a world or of a customer. */
export const profitFigures = (request: InspectorRequest, sums: Profitability) => ({
  Revenue: reported(request, sums.gross_revenue),
  Cost: reported(request, sums.total_costs),
  Margin: marginText(sums),
});

const columnsOf = (of: string, request: InspectorRequest) => ({
  [of]: ({ name }: ProfitRow) => name,
  '#Revenue': ({ sums }: ProfitRow) => reported(request, sums.gross_revenue),
  '#Cost': ({ sums }: ProfitRow) => reported(request, sums.total_costs),
  '^#Net revenue': ({ sums }: ProfitRow) => reported(request, sums.net_revenue),
  '#Margin': ({ sums }: ProfitRow) => marginText(sums),
});

const MAX_ROWS = 31;

/** What each day brought in and cost, from the first to the last with either. */
type ProfitByDay = ReadonlyMap<Day, Profitability>;

export const profitByDay = async ({ world }: InspectorRequest): Promise<ProfitByDay> =>
  rank(
    world.tables.totals,
    BY_DAY,
    ({ order }) => new Map([...order].map(({ key, sums }) => [key as Day, profitOfSums(sums)])),
  );

const BY_DAY: RankQuery<TotalsRow> = {
  named: 'by day',
  key: ({ day }) => day,
  amounts: totalAmounts,
  compare: (left, right) => (left.key < right.key ? -1 : 1),
};

/** Sums the revenue and cost of all days. */
export function profitOf(days: ProfitByDay): Profitability {
  const all = [...days.values()];
  return profitability(
    sum(all.map(({ gross_revenue }) => gross_revenue)),
    sum(all.map(({ total_costs }) => total_costs)),
  );
}

const profitOfSums = (sums: Sums): Profitability =>
  profitability(sums.get('revenue') ?? ZERO, sums.get('cost') ?? ZERO);

function biggestLossFirst(left: Ranking, right: Ranking): number {
  const [one, other] = [profitOfSums(left.sums), profitOfSums(right.sums)];
  return compare(one.net_revenue, other.net_revenue) || (left.key < right.key ? -1 : 1);
}

const MAX_CUSTOMERS = 10;

const customersByLoss = async ({ world }: InspectorRequest): Promise<readonly ProfitRow[]> =>
  rank(world.tables.totals, lossOfCustomers(world.tables), ({ order }) =>
    order.page(0, MAX_CUSTOMERS).map(({ key: id, sums }) => ({
      name: <CustomerLink id={id} />,
      sums: profitOfSums(sums),
    })),
  );

/** A customer has a row of its own beside those of its days, of which there are many more. */
const lossOfCustomers = ({ customers, totals }: Tables): RankQuery<TotalsRow> => ({
  named: 'by customer',
  rows: () => [...customers.values()].flatMap(({ id }) => totals.get(id) ?? []),
  key: ({ of, day }) => (day === undefined ? of : undefined),
  amounts: totalAmounts,
  compare: biggestLossFirst,
});

/** Usage by the products that it is billed by. */
async function productsByLoss(request: InspectorRequest): Promise<readonly ProfitRow[]> {
  const { world, link } = request;
  const nameOf = (code: string): string => {
    const [product] = rowsOf(world.tables.products, { code });
    return (product && currentVersion(request, product)?.name) ?? code;
  };
  return rank(world.tables.events, BY_PRODUCT, ({ order }) =>
    [...order].map(({ key, sums }) => {
      const codes = key === '' ? [] : key.split(', ');
      const q = codes.map((code) => `product:${code}`).join(' ') || 'amount:none';
      const name = codes.map(nameOf).join(', ') || 'Without a fee';
      return {
        name: (
          <a href={link('usage', { q })}>
            <Words text={name} />
          </a>
        ),
        sums: profitOfSums(sums),
      };
    }),
  );
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

/** So many days fit beside each other, also on a phone. */
const MAX_DAYS = 31;

/** The latest days up to the last with revenue or cost: each bar is as high as the larger of both. */
function Plot({ days }: { readonly days: ProfitByDay }) {
  const request = useRequest();
  const { reporting_currency: currency } = request.control.settings;
  const all = [...days.keys()];
  const [first, last] = [all[0] as Day, all.at(-1) as Day];
  const earliest = dayOf(before(startOfDay(last), `P${MAX_DAYS - 1}D`));
  const shown = daysBetween(first > earliest ? first : earliest, last);
  return (
    <Section id="amounts" title={`Revenue and cost by day, ${currency}`}>
      <Legend parts={{ one: 'net revenue', two: 'cost', fail: 'loss' }} />
      <Chart
        summary={`Revenue and cost by day from ${shown[0]} to ${last}; the table below lists the figures.`}
        unit={currency}
        parts={['two', 'one', 'fail']}
        bars={shown.map((day) => barOf(day, days.get(day) ?? profitability(ZERO, ZERO), currency))}
      />
      <details>
        <summary>As a table</summary>
        <DataTable
          label="By day"
          rows={[...days].toReversed().map(([day, sums]) => ({ name: dayText(day), sums }))}
          most={MAX_ROWS}
          columns={columnsOf('Day', request)}
        />
      </details>
    </Section>
  );
}

/** A day: the cost that revenue covers, and above it what is left of the revenue, or the loss. */
function barOf(day: Day, { gross_revenue, total_costs, net_revenue }: Profitability, code: string) {
  const net = Number(net_revenue);
  const text = (amount: Decimal) => money(format(amount), code);
  return {
    label: shortDayText(day),
    heights: [
      Math.min(Number(gross_revenue), Number(total_costs)),
      Math.max(0, net),
      Math.max(0, -net),
    ],
    title: `${dayText(day)}: revenue ${text(gross_revenue)}, cost ${text(total_costs)}`,
  };
}
