import { groupBy } from '../../domain/collections.ts';
import { add, decimal, format, isZero, negate, sum, ZERO } from '../../domain/decimal.ts';
import { type Day, dayOf, daysBetween, type Instant, monthStart } from '../../domain/instant.ts';
import { gainOf } from '../../domain/postings.ts';
import type { Context } from '../../resources/context.ts';
import { type RankQuery, rank, rowsOf } from '../../store/query.ts';
import type { CustomerRow } from '../../store/records.ts';
import type { Row } from '../../store/row.ts';
import type { Table } from '../../store/table.ts';
import { Amount, compareAssets } from '../amount.tsx';
import { Chart, Legend } from '../charts/chart.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { dayText, monthText, quantity, shortDayText } from '../wording.ts';
import { type DaySpend, type Portal, usePortal } from './portal.ts';

/** The spend of this month by day, as a chart and as a table. */
export function Spend() {
  const { context, spending } = usePortal();
  const spends = monthSpend(spending, context.now);
  return (
    <Section id="spend" title={`Spend in ${monthText(context.now)}`}>
      {spends.length === 0 ? (
        <p class="muted">No spend in this month.</p>
      ) : (
        <div class="charts">
          {spends.map((spend) => (
            <SpendOfAsset key={spend.asset} spend={spend} />
          ))}
        </div>
      )}
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
      <Legend
        parts={{
          one: <>usage {value(total.usage)}</>,
          two: <>plan fees {value(total.fixed)}</>,
        }}
      />
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

type SpendParts = ReturnType<typeof partsOf>;

/** A customer's spend in one asset in a month. */
type MonthSpend = ReturnType<typeof monthSpend>[number];

/**
 * Returns the spend of this month by asset, with all of its days up to today. Usage fees count on the day of the usage;
 * charges and fixed fees count on the day of their creation.
 *
 * @assumes A-903, A-1104
 */
function monthSpend(spending: Portal['spending'], now: Instant) {
  const [first, today] = [monthStart(now), dayOf(now)];
  const inMonth = spending.filter(({ day }) => day >= first && day <= today);
  const byDay = groupBy(inMonth, ({ day }) => day);
  const assets = new Set(inMonth.flatMap(({ sums }) => [...sums.keys()]));
  return [...assets].sort(compareAssets).map((asset) => ({
    asset,
    total: partsOf(inMonth, asset),
    days: daysBetween(first, today).map((day) => ({
      day,
      spend: partsOf(byDay.get(day) ?? [], asset),
    })),
  }));
}

/** Spend on usage (with charges), on fixed fees, and the sum of both. */
function partsOf(spending: Portal['spending'], asset: string) {
  const ofKind = (kind: DaySpend['kind']) =>
    sum(spending.filter((each) => each.kind === kind).map(({ sums }) => sums.get(asset) ?? ZERO));
  const [usage, fixed] = [ofKind('usage'), ofKind('fixed')];
  return { usage: format(usage), fixed: format(fixed), both: format(add(usage, fixed)) };
}

/** Returns what a customer spent on each day. The sums are kept, as a look at all usage would take long. */
export async function readSpending({ tables }: Context, customer: CustomerRow) {
  const usage = await sumByDay('usage', tables.events, customer, {
    day: ({ occurred_at }) => occurred_at,
    amounts: ({ fees }) => fees.map(({ terms, amount }) => [terms.currency, decimal(amount)]),
  });
  const charges = await sumByDay('usage', tables.transactions, customer, {
    day: ({ source, created_at }) => (source === 'charge' ? created_at : undefined),
    amounts: (row) => [[row.asset, negate(gainOf(row))]],
  });
  const fixed = await sumByDay('fixed', tables.fee_payments, customer, {
    day: ({ created_at }) => created_at,
    amounts: ({ currency, amount }) => [[currency, decimal(amount)]],
  });
  return [...usage, ...charges, ...fixed];
}

interface Expenses<R> extends Pick<RankQuery<R>, 'amounts'> {
  /** An instant of the day; undefined if the row is no expense. */
  readonly day: (row: R) => Instant | undefined;
}

function sumByDay<R extends Row & { readonly customer_id: string }, N extends string>(
  kind: DaySpend['kind'],
  table: Table<R, N>,
  { id }: CustomerRow,
  { day, amounts }: Expenses<R>,
): Promise<DaySpend[]> | DaySpend[] {
  const query: RankQuery<R> = {
    named: `spend of ${id}`,
    rows: () => rowsOf(table, { customer_id: id } as Partial<R>),
    key(row) {
      const at = row.customer_id === id ? day(row) : undefined;
      return at && dayOf(at);
    },
    amounts,
    compare: (left, right) => (left.key < right.key ? -1 : 1),
  };
  return rank(table, query, ({ order }) =>
    [...order].map(({ key, sums }) => ({ kind, day: key as Day, sums })),
  );
}
