import type { ComponentChildren } from 'preact';
import type { FeeExplanation } from '../../../control/explain/fee.ts';
import type { Context } from '../../../resources/context.ts';
import type { FeeRecord } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import { feeExplanation } from '../../fee-explanation.ts';
import { useServiceContext } from '../../page-context.ts';
import { plainNumber } from '../../wording.ts';

interface ExplainedFeeProps {
  readonly fee: FeeRecord;
  readonly explanation: FeeExplanation;
}

/** A number of the calculation, with its name and its operator. */
interface Factor {
  readonly sign: string;
  readonly name: string;
  readonly value: ComponentChildren;
}

/** A fee as one line of arithmetic, such as 417,000 × $10.00 ÷ 1,000,000 = $4.17. */
export function FeeSum(props: ExplainedFeeProps) {
  const { fee, explanation } = props;
  const { rounded } = explanation.arithmetic;
  const total = <Amount amount={fee.amount} asset={fee.terms.currency} />;
  const factors: readonly Factor[] = [
    ...factorsOf(props, useServiceContext()),
    { sign: rounded ? '≈' : '=', name: rounded ? 'fee, rounded' : 'fee', value: <b>{total}</b> },
  ];
  return (
    <p class="sum" data-testid="sum">
      {factors.map(({ sign, name, value }) => (
        <span key={sign} class="term">
          {sign !== '' && <span class="sign"> {sign} </span>}
          <span>
            <small>{name} </small>
            {value}
          </span>
        </span>
      ))}
    </p>
  );
}

/** Returns the factors of a fee; its explanation if it is not a simple product, such as with tiers or a minimum. */
function factorsOf({ fee, explanation }: ExplainedFeeProps, context: Context): readonly Factor[] {
  const { terms, counted, input_volume } = fee;
  const { unit_price, volume_rate, package_size, currency } = terms;
  const isSum = unit_price !== null && volume_rate !== null;
  if (counted || isSum || explanation.arithmetic.bound !== undefined)
    return [{ sign: '', name: 'used', value: feeExplanation(context, fee) }];
  const rate = unit_price ?? volume_rate;
  if (rate === null) return [];
  const name = explanation.matching.find(({ chosen }) => chosen)?.name ?? 'rate';
  const size = (volume_rate !== null && package_size) || 1;
  return [
    {
      sign: '',
      name: unit_price === null ? (terms.volume_field ?? 'volume') : 'events',
      value: unit_price === null ? plainNumber(input_volume ?? '1') : '1',
    },
    { sign: '×', name, value: <Amount amount={rate} asset={currency} /> },
    ...(size === 1 ? [] : [{ sign: '÷', name: 'per', value: plainNumber(String(size)) }]),
  ];
}
