import type { ComponentChildren } from 'preact';
import type { FeeExplanation } from '../../../control/explain/fee.ts';
import { Amount } from '../../amount.tsx';
import { Words } from '../../parts.tsx';
import { numberText } from '../../wording.ts';

/** A number of the formula, with what it is and how it is joined to the one before it. */
interface Factor {
  readonly operator: string;
  readonly label: string;
  readonly value: ComponentChildren;
}

/** The calculation of a fee. Each number is named above it. */
export function FeeFormula({ explanation }: { readonly explanation: FeeExplanation }) {
  const { parts } = explanation.arithmetic;
  const factors = [...parts.flatMap((part) => factorsOf(explanation, part)), ...endOf(explanation)];
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset is of a form.
    <div class="sum" role="group" aria-label="Formula">
      {factors.map(({ operator, label, value }, place) => (
        <span key={place}>
          {place > 0 && <span class="muted">{operator}</span>}
          <span>
            <small class="beneath">
              <Words text={label} />
            </small>{' '}
            {value}
          </span>
        </span>
      ))}
    </div>
  );
}

type Part = FeeExplanation['arithmetic']['parts'][number];

const NOUNS = { unit: 'units', volume: 'volume', package: 'packages' } as const;

/** The numbers of one part of the sum: how much, at which rate, for how many. */
function factorsOf({ price, matching, asset }: FeeExplanation, part: Part): readonly Factor[] {
  const { counts, quantity, rate, package_size } = part;
  const noun = counts === 'volume' ? (price.volume_field ?? NOUNS.volume) : NOUNS[counts];
  const name = part.name ?? matching.find(({ chosen }) => chosen)?.name ?? 'rate';
  const operator = quantity === undefined ? '+' : '×';
  const factors: Factor[] = [];
  if (quantity !== undefined)
    factors.push({ operator: '+', label: noun, value: numberText(String(quantity)) });
  const label = counts === 'volume' ? name : `${name}, per ${counts}`;
  factors.push({ operator, label, value: <Amount amount={String(rate)} asset={asset} /> });
  if (package_size !== undefined)
    factors.push({ operator: '÷', label: 'per', value: numberText(String(package_size)) });
  return factors;
}

/** The bound that replaced the sum, if any, and the fee. */
function endOf({ arithmetic, asset }: FeeExplanation): readonly Factor[] {
  const { bound, bound_amount, rounded, amount } = arithmetic;
  const fee = {
    operator: rounded ? '≈' : '=',
    label: `fee, ${rounded ? 'rounded' : 'exact'}`,
    value: (
      <strong>
        <Amount amount={String(amount)} asset={asset} />
      </strong>
    ),
  };
  if (bound === undefined) return [fee];
  const limit = {
    operator: bound === 'minimum' ? 'raised to' : 'lowered to',
    label: bound,
    value: <Amount amount={String(bound_amount)} asset={asset} />,
  };
  return [limit, fee];
}
