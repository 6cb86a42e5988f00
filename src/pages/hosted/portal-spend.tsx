import { groupBy } from '../../domain/collections.ts';
import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  format,
  isZero,
  negate,
  sum,
} from '../../domain/decimal.ts';
import { before, type Day, dayOf, monthStart, startOfDay } from '../../domain/instant.ts';
import { gainOf } from '../../domain/postings.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/links.ts';
import { rowsOf } from '../../store/query/query.ts';
import type { CustomerRow } from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { Chart } from '../charts/chart.tsx';
import { DataTable } from '../data-table.tsx';
import { fieldText } from '../forms.tsx';
import { Section } from '../parts.tsx';
import { dayText, monthText, quantity, shortDayText } from '../wording.ts';
import { usePortal } from './portal.ts';

/** The spend of this month or of the last one by day, as a chart and as a table, with a link to the other month. */
export function Spend() {
  const { context, visit, customer, query } = usePortal();
  const today = dayOf(context.now);
  const endOfLast = dayOf(before(startOfDay(monthStart(context.now)), 'P1D'));
  const isLast = fieldText(query, 'spend') === 'last-month';
  const [until, other] = isLast ? [endOfLast, today] : [today, endOfLast];
  const spends = monthSpend(context, customer, until);
  return (
    <Section id="spend" title={`Spend in ${monthText(until)}`} isLandmark>
      {spends.length === 0 && <p class="muted">No spend in this month.</p>}
      <div class="charts">
        {spends.map((spend) => (
          <SpendOfAsset key={spend.asset} spend={spend} />
        ))}
      </div>
      <p class="pages">
        <a href={`${visitPath(visit)}${isLast ? '' : '?spend=last-month'}#spend`}>
          Spend in {monthText(other)}
        </a>
      </p>
    </Section>
  );
}

interface SpendOfAssetProps {
  readonly spend: MonthSpend;
}

function SpendOfAsset({ spend }: SpendOfAssetProps) {
  const { context } = usePortal();
  const { asset, total, days } = spend;
  const text = (amount: string): string => quantity(context, amount, asset);
  const partsText = ({ usage, fixed }: SpendParts): string =>
    `usage ${text(usage)}, plan fees ${text(fixed)}`;
  const value = (amount: string) => <Amount amount={amount} asset={asset} />;
  return (
    <div data-testid={`spend-${asset}`}>
      <p class="balance" data-testid="month-total">
        {value(total.both)}
      </p>
      <p class="parts">
        <span class="usage">usage {value(total.usage)}</span>
        <span class="fixed">plan fees {value(total.fixed)}</span>
      </p>
      <Chart
        summary={`Spend of ${asset} by day, ${text(total.both)} in all. The table below lists the days.`}
        bars={days.map(({ day, spend }) => ({
          label: shortDayText(day),
          heights: [Number(spend.usage), Number(spend.fixed)],
          title: `${dayText(day)}: ${partsText(spend)}`,
        }))}
        parts={['one', 'two']}
        unit={asset}
      />
      <SpendByDay spend={spend} />
    </div>
  );
}

function SpendByDay({ spend: { asset, total, days } }: SpendOfAssetProps) {
  const value = (amount: string) => <Amount amount={amount} asset={asset} />;
  return (
    <details>
      <summary>Usage by day</summary>
      <DataTable
        label={`Spend of ${asset} by day`}
        rows={[
          ...days
            .filter(({ spend }) => !isZero(decimal(spend.both)))
            .map(({ day, spend }) => ({ name: dayText(day), spend })),
          { name: 'Total', spend: total },
        ]}
        columns={{
          Day: ({ name }) => name,
          '#Usage': ({ spend }) => value(spend.usage),
          '#Plan fees': ({ spend }) => value(spend.fixed),
          '^#Together': ({ spend }) => value(spend.both),
        }}
        testId="spend-row"
      />
    </details>
  );
}

/** Spend on usage (with charges), on fixed fees, and the sum of both. */
type SpendParts = Readonly<Record<'usage' | 'fixed' | 'both', DecimalText>>;

/** A customer's spend in one asset in a month. */
interface MonthSpend {
  readonly asset: string;
  readonly total: SpendParts;
  /** All days of the month up to the last that is asked for, also those without spend. */
  readonly days: readonly { readonly day: Day; readonly spend: SpendParts }[];
}

/**
 * Returns a customer's spend in a month by asset, up to a day. Usage fees count on the day of the usage; charges and
 * fixed fees count on the day of their creation.
 *
 * @assumes A-903, A-1104
 */
function monthSpend(context: Context, customer: CustomerRow, until: Day): MonthSpend[] {
  const { reporting_currency } = context.settings;
  const first = monthStart(startOfDay(until));
  const expenses = [...expensesOf(context, customer)].filter(
    ({ day }) => day >= first && day <= until,
  );
  const byAsset = [...groupBy(expenses, ({ asset }) => asset)].sort(([left], [right]) =>
    left === reporting_currency || (right !== reporting_currency && left < right) ? -1 : 1,
  );
  return byAsset.map(([asset, own]) => {
    const byDay = groupBy(own, ({ day }) => day);
    const days = daysBetween(first, until).map((day) => ({
      day,
      spend: spendOf(byDay.get(day) ?? []),
    }));
    return { asset, total: spendOf(own), days };
  });
}

function spendOf(expenses: readonly Expense[]): SpendParts {
  const ofKind = (kind: Expense['kind']) =>
    sum(expenses.filter((each) => each.kind === kind).map(({ amount }) => amount));
  const [usage, fixed] = [ofKind('usage'), ofKind('fixed')];
  return { usage: format(usage), fixed: format(fixed), both: format(add(usage, fixed)) };
}

interface Expense {
  readonly asset: string;
  readonly day: Day;
  readonly kind: 'usage' | 'fixed';
  readonly amount: Decimal;
}

function* expensesOf({ tables }: Context, { id }: CustomerRow): Generator<Expense> {
  for (const { occurred_at, fees } of rowsOf(tables.events, { customer_id: id })) {
    const day = dayOf(occurred_at);
    for (const { terms, amount } of fees)
      yield { asset: terms.currency, day, kind: 'usage', amount: decimal(amount) };
  }
  for (const { source, asset, created_at, ...row } of rowsOf(tables.transactions, {
    customer_id: id,
  }))
    if (source === 'charge')
      yield { asset, day: dayOf(created_at), kind: 'usage', amount: negate(gainOf(row)) };
  for (const { currency: asset, created_at, amount } of rowsOf(tables.fee_payments, {
    customer_id: id,
  }))
    yield { asset, day: dayOf(created_at), kind: 'fixed', amount: decimal(amount) };
}

/** Returns the days from one to another in the same month, including both. */
function daysBetween(first: Day, last: Day): Day[] {
  const count = Number(last.slice(8)) - Number(first.slice(8)) + 1;
  return Array.from(
    { length: count },
    (_, place) => `${first.slice(0, 8)}${String(place + 1).padStart(2, '0')}` as Day,
  );
}
