import { type Decimal, format, sum, ZERO } from '../../../domain/decimal.ts';
import { before, type Day, dayOf, daysBetween, startOfDay } from '../../../domain/instant.ts';
import { type Profitability, profitability } from '../../../domain/profitability.ts';
import { totalAmounts } from '../../../resources/revenue/revenue.ts';
import { type RankQuery, rank } from '../../../store/query.ts';
import type { TotalsRow } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { Chart, Legend } from '../../charts/chart.tsx';
import { Facts, Section } from '../../parts.tsx';
import { dayText, money, shortDayText } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import {
  ProfitTable,
  productsByLoss,
  profitFigures,
  profitOfSums,
  Vendors,
} from './profit-tables.tsx';

interface DayTotals {
  readonly day: Day;
  readonly sums: Profitability;
}

/** Revenue, cost and margin by product and day. @assumes */
export async function showProfit(request: InspectorRequest): Promise<PageAnswer> {
  const days = await profitByDay(request);
  const sums = profitOf(days);
  const products = await productsByLoss(request);
  const { reporting_currency: currency } = request.control.settings;
  const show = (amount: Decimal) => <Amount amount={format(amount)} asset={currency} />;
  return (
    <InspectorPage request={request} section="customers" title="Profit" path>
      <Live id="profit">
        <Facts
          areFigures
          facts={{ ...profitFigures(sums, currency), 'Net revenue': show(sums.net_revenue) }}
        />
        {days.length === 0 ? (
          <p class="muted">No revenue or cost yet.</p>
        ) : (
          <>
            <Plot days={days} currency={currency} />
            <ProfitTable
              id="by-product"
              title="Usage by product"
              of="Product"
              rows={products}
              show={show}
            />
            <Vendors show={show} />
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

/** Returns the revenue and cost of each day. */
export const profitByDay = async ({ world }: InspectorRequest): Promise<readonly DayTotals[]> =>
  rank(world.tables.totals, BY_DAY, ({ order }) =>
    [...order].map(({ key, sums }) => ({ day: key as Day, sums: profitOfSums(sums) })),
  );

const BY_DAY: RankQuery<TotalsRow> = {
  named: 'by day',
  key: ({ day }) => day,
  amounts: totalAmounts,
  compare: (left, right) => (left.key < right.key ? -1 : 1),
};

/** Sums the revenue and cost of several days. */
export const profitOf = (days: readonly DayTotals[]): Profitability =>
  profitability(
    sum(days.map(({ sums }) => sums.gross_revenue)),
    sum(days.map(({ sums }) => sums.total_costs)),
  );

/** So many days fit beside each other, also on a phone. */
const MAX_DAYS = 31;

interface PlotProps {
  readonly days: readonly DayTotals[];
  readonly currency: string;
}

/** The latest days up to the last with revenue or cost: each bar is as high as the larger of both. */
function Plot({ days, currency }: PlotProps) {
  const { link } = useRequest();
  const byDay = new Map(days.map(({ day, sums }) => [day, sums]));
  const [first, last] = [days[0]?.day as Day, days.at(-1)?.day as Day];
  const earliest = dayOf(before(startOfDay(last), `P${MAX_DAYS - 1}D`));
  const shown = daysBetween(first > earliest ? first : earliest, last);
  return (
    <Section
      id="amounts"
      title={`Revenue and cost by day, ${currency}`}
      aside={<a href={link('customers', { sort: 'Net revenue' })}>Customers, largest loss first</a>}
    >
      <Legend parts={{ one: 'net revenue', two: 'cost', fail: 'loss' }} />
      <Chart
        summary={`Revenue and cost by day from ${shown[0]} to ${last}; the table below lists the figures.`}
        unit={currency}
        parts={['two', 'one', 'fail']}
        bars={shown.map((day) => barOf(day, byDay.get(day) ?? profitability(ZERO, ZERO), currency))}
      />
    </Section>
  );
}

/** A day: the cost that revenue covers, and above it what is left of the revenue, or the loss. */
function barOf(day: Day, { gross_revenue, total_costs, net_revenue }: Profitability, code: string) {
  const [revenue, cost, net] = [gross_revenue, total_costs, net_revenue].map(Number) as Heights;
  const text = (amount: Decimal) => money(format(amount), code);
  return {
    label: shortDayText(day),
    heights: [Math.min(revenue, cost), Math.max(0, net), Math.max(0, -net)],
    title: `${dayText(day)}: revenue ${text(gross_revenue)}, cost ${text(total_costs)}`,
  };
}

type Heights = [revenue: number, cost: number, net: number];
