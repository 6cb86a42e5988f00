import type { ComponentChildren, VNode } from 'preact';
import {
  compare,
  type Decimal,
  decimal,
  format,
  isZero,
  multiply,
  sum,
  ZERO,
} from '../../../domain/decimal.ts';
import { after, before, type Day, dayOf, startOfDay, toMillis } from '../../../domain/instant.ts';
import { type Profitability, profitability } from '../../../domain/profitability.ts';
import { totalAmounts } from '../../../resources/revenue/totals.ts';
import { type RankQuery, rank, type Sums } from '../../../store/query/rank.ts';
import type { EventRow, TotalsRow } from '../../../store/records.ts';
import type { World } from '../../../store/world.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { Chart } from '../../charts/chart.tsx';
import { TableSection } from '../../data-table.tsx';
import { Facts, Section, Words } from '../../parts.tsx';
import { dayText, marginText } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { CustomerTabs } from './customers.tsx';

interface DayTotals {
  readonly day: Day;
  readonly sums: Profitability;
}

/** Revenue, cost and margin by customer, product and day, of the whole world or of one customer. @assumes */
export async function showProfit(request: InspectorRequest): Promise<PageAnswer> {
  const customer = request.query('customer');
  const days = await profitByDay(request, customer);
  const products = customer === '' ? await productsByLoss(request) : [];
  const { reporting_currency: currency } = request.control.settings;
  const show = (amount: Decimal) => <Amount amount={format(amount)} asset={currency} />;
  const all = profitOf(days);
  return (
    <InspectorPage request={request} section="customers" title="Profit">
      <CustomerTabs current="profit" />
      {customer !== '' && (
        <p>
          Only <CustomerLink id={customer} />.{' '}
          <a href={request.link('profit')}>Show all customers</a>
        </p>
      )}
      <Live id="profit">
        <Facts
          areFigures
          facts={{
            Revenue: show(all.gross_revenue),
            Cost: show(all.total_costs),
            'Net revenue': show(all.net_revenue),
            Margin: marginText(all),
          }}
        />
        {days.length === 0 ? (
          <p class="muted">No revenue or cost yet.</p>
        ) : (
          <>
            <Plots days={days} currency={currency} />
            {customer === '' && (
              <>
                <ProfitTable
                  id="by-customer"
                  title="By customer, who loses most first"
                  of="Customer"
                  rows={customersByLoss(request.world)}
                  show={show}
                />
                <ProfitTable
                  id="by-product"
                  title="Usage by product"
                  of="Product"
                  rows={products}
                  show={show}
                />
                <Vendors show={show} />
              </>
            )}
            <ProfitTable
              id="days"
              title="By day"
              of="Day"
              rows={days.toReversed().map(({ day, sums }) => ({ name: dayText(day), sums }))}
              show={show}
            />
          </>
        )}
      </Live>
    </InspectorPage>
  );
}

/** Returns the revenue and cost of each day, of one customer or of the whole world. */
export async function profitByDay(
  { world }: InspectorRequest,
  customer = '',
): Promise<readonly DayTotals[]> {
  const { totals } = world.tables;
  if (customer !== '')
    return totals
      .list('days', customer)
      .map(({ day, revenue, cost }) => totalsOf(day as Day, decimal(revenue), decimal(cost)));
  return rank(totals, BY_DAY, ({ order }) =>
    [...order].map(({ key, sums }) => ({ day: key as Day, sums: profitOfSums(sums) })),
  );
}

const BY_DAY: RankQuery<TotalsRow> = {
  named: 'by day',
  key: ({ day }) => day,
  amounts: totalAmounts,
  compare: (left, right) => (left.key < right.key ? -1 : 1),
};

const totalsOf = (day: Day, revenue = ZERO, cost = ZERO): DayTotals => ({
  day,
  sums: profitability(revenue, cost),
});

/** Sums the revenue and cost of several days. */
export const profitOf = (days: readonly DayTotals[]): Profitability =>
  profitability(
    sum(days.map(({ sums }) => sums.gross_revenue)),
    sum(days.map(({ sums }) => sums.total_costs)),
  );

const HUNDRED = decimal(100);

/** A margin in percent; without revenue there is none. @assumes A-902 */
const marginPercent = ({ gross_revenue, margin }: Profitability): Decimal | null =>
  isZero(gross_revenue) ? null : multiply(margin, HUNDRED);

interface PlotsProps {
  readonly days: readonly DayTotals[];
  readonly currency: string;
}

/** Adds the first and the last day without revenue and cost of each gap, so that no line slopes across it. */
function withGaps(days: readonly DayTotals[]): readonly DayTotals[] {
  return days.flatMap((each, place) => {
    const earlier = days[place - 1];
    if (!earlier) return each;
    const first = dayOf(after(startOfDay(earlier.day), 'P1D'));
    const last = dayOf(before(startOfDay(each.day), 'P1D'));
    const gap = [first, last].filter((day) => day > earlier.day && day < each.day);
    return [...new Set(gap)].map((day) => totalsOf(day)).concat(each);
  });
}

function Plots({ days, currency }: PlotsProps) {
  const seriesOf = (name: string, pick: (sums: Profitability) => Decimal | null) => ({
    name,
    points: withGaps(days).map(({ day, sums }) => {
      const value = pick(sums);
      return {
        at: toMillis(startOfDay(day)),
        value: value && Number(value),
        title: () => `${dayText(day)}: ${value ? format(value) : '–'}`,
      };
    }),
  });
  const period = `from ${days[0]?.day} to ${days.at(-1)?.day}`;
  return (
    <>
      <Section id="amounts" title={`Revenue and cost by day, ${currency}`}>
        <Chart
          summary={`Revenue, cost and net revenue by day ${period}; the table below lists the figures.`}
          series={[
            seriesOf('Revenue', ({ gross_revenue }) => gross_revenue),
            seriesOf('Cost', ({ total_costs }) => total_costs),
            seriesOf('Net revenue', ({ net_revenue }) => net_revenue),
          ]}
          between="slopes"
          unit={currency}
        />
      </Section>
      <Section id="margin" title="Margin by day, %">
        <Chart
          summary={`Margin by day ${period}; the table below lists the figures.`}
          series={[seriesOf('Margin', marginPercent)]}
          between="slopes"
          unit="%"
        />
      </Section>
    </>
  );
}

/** Revenue and cost of a day, a customer or a product. */
interface ProfitRow {
  readonly name: ComponentChildren;
  readonly sums: Profitability;
}

interface ProfitTableProps {
  readonly id: string;
  readonly title: string;
  /** The heading of the names. */
  readonly of: string;
  readonly rows: readonly ProfitRow[];
  readonly show: (amount: Decimal) => VNode;
}

function ProfitTable({ id, title, of, rows, show }: ProfitTableProps) {
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

/** The customers with revenue or cost, who loses most first. */
function customersByLoss({ tables }: World): readonly ProfitRow[] {
  return [...tables.totals.values()]
    .filter(({ of, day }) => day === undefined && tables.customers.get(of) !== undefined)
    .map(({ of, revenue, cost }) => ({
      name: <CustomerLink id={of} />,
      sums: profitability(decimal(revenue), decimal(cost)),
    }))
    .sort(({ sums: left }, { sums: right }) => compare(left.net_revenue, right.net_revenue));
}

/** Usage by the products that it is billed by, which loses most first. */
function productsByLoss({
  world,
  link,
}: InspectorRequest): readonly ProfitRow[] | Promise<readonly ProfitRow[]> {
  return rank(world.tables.events, BY_PRODUCT, ({ order }) =>
    [...order].map(({ key: codes, sums }) => ({
      name: (
        <a href={link('usage', { q: codes === '' ? 'amount:none' : `product:${codes}` })}>
          {codes || 'without a fee'}
        </a>
      ),
      sums: profitOfSums(sums),
    })),
  );
}

const profitOfSums = (sums: Sums): Profitability =>
  profitability(sums.get('revenue') ?? ZERO, sums.get('cost') ?? ZERO);

const BY_PRODUCT: RankQuery<EventRow> = {
  named: 'by product',
  key: ({ fees }) => [...new Set(fees.map(({ terms }) => terms.product_code))].join(', '),
  amounts: ({ revenue, cost }) => [
    ['revenue', decimal(revenue)],
    ['cost', decimal(cost)],
  ],
  compare: (left, right) =>
    compare(profitOfSums(left.sums).net_revenue, profitOfSums(right.sums).net_revenue) ||
    (left.key < right.key ? -1 : 1),
};

function Vendors({ show }: Pick<ProfitTableProps, 'show'>) {
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
