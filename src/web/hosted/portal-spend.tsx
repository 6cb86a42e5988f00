import type { VNode } from 'preact';
import { decimal, isZero } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import { Amount } from '../amount.tsx';
import { Chart } from '../charts/chart.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { dayText, monthText, quantity } from '../wording.ts';
import type { MonthSpend, SpendParts } from './month-spend.ts';

interface SpendProps {
  readonly context: Context;
  readonly spends: readonly MonthSpend[];
}

/** What was spent this month, by day: a drawing, and the same as a table. */
export function Spend({ context, spends }: SpendProps): VNode {
  return (
    <Section id="spend" title={`Spend in ${monthText(context.now)}`} isLandmark>
      {spends.length === 0 && <p class="muted">Nothing was spent this month.</p>}
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

function SpendOfAsset({ context, spend }: SpendOfAssetProps): VNode {
  const { asset, total, days } = spend;
  const text = (amount: string): string => quantity(context, amount, asset);
  const partsText = ({ usage, fixed }: SpendParts): string =>
    `usage ${text(usage)}, plan fees ${text(fixed)}`;
  const value = (amount: string) => <Amount context={context} amount={amount} asset={asset} />;
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
        summary={`Spend of ${asset} by day, ${text(total.both)} in all. The table below has the days.`}
        bars={days.map(({ day, spend }) => ({
          label: String(Number(day.slice(8))),
          heights: [Number(spend.usage), Number(spend.fixed)],
          title: `${dayText(day)}: ${partsText(spend)}`,
        }))}
        parts={['one', 'two']}
        unit={asset}
      />
      <SpendByDay context={context} spend={spend} />
    </div>
  );
}

function SpendByDay({ context, spend: { asset, total, days } }: SpendOfAssetProps): VNode {
  const value = (amount: string) => <Amount context={context} amount={amount} asset={asset} />;
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
