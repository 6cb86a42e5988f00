import {
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
import { totalAmounts } from '../../../resources/revenue/revenue.ts';
import { type RankQuery, rank } from '../../../store/query/found.ts';
import type { TotalsRow } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { Chart } from '../../charts/chart.tsx';
import { Facts, Section } from '../../parts.tsx';
import { dayText } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerTabs } from './customers.tsx';
import {
  customersByLoss,
  ProfitOfAll,
  ProfitTable,
  productsByLoss,
  profitFigures,
  profitOfSums,
} from './profit-tables.tsx';

interface DayTotals {
  readonly day: Day;
  readonly sums: Profitability;
}

/** Revenue, cost and margin by customer, product and day. @assumes */
export async function showProfit(request: InspectorRequest): Promise<PageAnswer> {
  const days = await profitByDay(request);
  const sums = profitOf(days);
  const customers = await customersByLoss(request);
  const products = await productsByLoss(request);
  const { reporting_currency: currency } = request.control.settings;
  const show = (amount: Decimal) => <Amount amount={format(amount)} asset={currency} />;
  return (
    <InspectorPage request={request} section="customers" title="Profit">
      <CustomerTabs current="profit" />
      <Live id="profit">
        <Facts
          areFigures
          facts={{ ...profitFigures(sums, currency), 'Net revenue': show(sums.net_revenue) }}
        />
        {days.length === 0 ? (
          <p class="muted">No revenue or cost yet.</p>
        ) : (
          <>
            <Plots days={days} currency={currency} />
            <ProfitOfAll customers={customers} products={products} show={show} />
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
    const nothing = profitability(ZERO, ZERO);
    return [...[...new Set(gap)].map((day) => ({ day, sums: nothing })), each];
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
