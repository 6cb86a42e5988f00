import type { VNode } from 'preact';
import { decimal, isZero } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import { Chart } from '../chart.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { dayText, monthText, quantity } from '../wording.ts';
import type { MonthSpend } from './portal.ts';

interface SpendProps {
  readonly context: Context;
  readonly spends: readonly MonthSpend[];
}

/** What was spent this month, by day: a drawing, and the same as a table. */
export function Spend({ context, spends }: SpendProps): VNode {
  return (
    <Section id="spend" title={`Spend in ${monthText(context.now)}`} isLandmark>
      {spends.length === 0 && <p>Nothing was spent this month.</p>}
      <div class="charts">
        {spends.map((spend) => (
          <SpendOfAsset key={spend.asset} context={context} spend={spend} />
        ))}
      </div>
    </Section>
  );
}

interface SpendOfAssetProps {
  readonly context: Context;
  readonly spend: MonthSpend;
}

function SpendOfAsset({ context, spend: { asset, total, days } }: SpendOfAssetProps): VNode {
  const text = (amount: string): string => quantity(context, amount, asset);
  return (
    <article data-testid={`spend-${asset}`}>
      <p class="balance" data-testid="month-total">
        {text(total)}
      </p>
      <Chart
        summary={`Spend of ${asset} by day, ${text(total)} in all. The table below has the days.`}
        bars={days.map(({ day, amount }) => ({
          label: String(Number(day.slice(8))),
          heights: [Number(amount)],
          title: `${dayText(day)}: ${text(amount)}`,
        }))}
        unit={asset}
      />
      <details>
        <summary>Days</summary>
        <DataTable
          label={`Spend of ${asset} by day`}
          rows={days.filter(({ amount }) => !isZero(decimal(amount)))}
          columns={{
            Day: ({ day }) => dayText(day),
            '#Spent': ({ amount }) => text(amount),
          }}
        />
      </details>
    </article>
  );
}
