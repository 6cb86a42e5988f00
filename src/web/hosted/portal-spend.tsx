import type { VNode } from 'preact';
import { decimal, isZero } from '../../domain/decimal.ts';
import { Amount } from '../amount.tsx';
import { Chart } from '../charts/chart.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { dayText, monthText, quantity } from '../wording.ts';
import { type MonthSpend, monthSpend, type SpendParts } from './month-spend.ts';
import { usePortal } from './portal.ts';

/** What was spent this month, by day: a drawing, and the same as a table. */
export function Spend(): VNode {
  const { context, customer } = usePortal();
  const spends = monthSpend(context, customer);
  return (
    <Section id="spend" title={`Spend in ${monthText(context.now)}`} isLandmark>
      {spends.length === 0 && <p class="muted">Nothing was spent this month.</p>}
      <div class="charts">
        {spends.map((spend) => (
          <SpendOfAsset key={spend.asset} spend={spend} />
        ))}
      </div>
    </Section>
  );
}

interface SpendOfAssetProps {
  readonly spend: MonthSpend;
}

function SpendOfAsset({ spend }: SpendOfAssetProps): VNode {
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
        summary={`Spend of ${asset} by day, ${text(total.both)} in all. The table below has the days.`}
        bars={days.map(({ day, spend }) => ({
          label: String(Number(day.slice(8))),
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

function SpendByDay({ spend: { asset, total, days } }: SpendOfAssetProps): VNode {
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
