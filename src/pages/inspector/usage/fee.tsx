import type { ComponentChildren } from 'preact';
import type { FeeExplanation } from '../../../control/explain/fee.ts';
import { countedText, dimensionsText, stepsOfFee } from '../../../control/explain/text.ts';
import { Amount } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Id, Sentence } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { capitalized, numberText } from '../../wording.ts';
import { AccountName, ProductLink } from '../links.tsx';

interface FeeStepsProps {
  readonly explanation: FeeExplanation;
}

/** Steps that show tables and links instead of text. */
const STEPS: Readonly<Record<string, (props: FeeStepsProps) => ComponentChildren>> = {
  'Which price': PriceStep,
  'Which value': ValueStep,
  'Paid from': WalletStep,
};

export function FeeSteps(props: FeeStepsProps) {
  const { asset_choice } = props.explanation;
  const hasChoice = asset_choice.choices.length > 0;
  const steps = stepsOfFee(props.explanation).filter(
    ({ title }) => hasChoice || title !== 'Which asset',
  );
  return (
    <ol class="steps">
      {steps.map(({ title, lines }) => (
        <li key={title}>
          <h3>{title}</h3>
          {STEPS[title]?.(props) ??
            lines.map((line) => (
              <p key={line}>
                <Sentence text={line.trim()} />
              </p>
            ))}
        </li>
      ))}
    </ol>
  );
}

function PriceStep({ explanation }: FeeStepsProps) {
  const { product, price } = explanation;
  return (
    <p>
      <bdi>{price.name}</bdi> of <ProductLink product={{ ...product, id: product.product_id }} />{' '}
      counts <code>{price.event_type}</code>: {countedText(price)}. The customer holds it by the
      subscription <Id id={product.subscription_id} />, {product.reason}.
    </p>
  );
}

/** All values of the price, and which one was chosen. */
function ValueStep({ explanation: { matching } }: FeeStepsProps) {
  const isMixed = new Set(matching.map(({ asset }) => asset)).size > 1;
  return (
    <DataTable<FeeExplanation['matching'][number]>
      label="Values of the price"
      rows={matching}
      columns={{
        Value: ({ name, dimensions }) => <Words text={name ?? dimensionsText(dimensions)} />,
        ...(isMixed && { Asset: ({ asset }) => asset }),
        Why: ({ reason }) => `it ${reason}`,
        '^Chosen': ({ chosen }) => (chosen ? 'yes' : 'no'),
      }}
    />
  );
}

/** The grants that paid, in the order in which they were drawn, and the account as a whole. */
function WalletStep({ explanation }: FeeStepsProps) {
  const { wallet, asset, amount } = explanation;
  if (!wallet) return <p>Nothing: a fee of 0 is not charged.</p>;
  const show = (value: unknown) => <Amount amount={String(value)} asset={asset} />;
  const account = { available: wallet.balance_before, amount, left: wallet.balance_after };
  return (
    <>
      <DataTable
        label="What paid"
        rows={[...wallet.draws, account]}
        columns={{
          Grant: (row) =>
            row === account ? (
              <AccountName id={wallet.account_id} asset={asset} />
            ) : (
              <Grant {...(row as Draw)} />
            ),
          '#Had': ({ available }) => show(available),
          '^#Paid': (row) => show(row.amount),
          '#Left': ({ left }) => show(left),
        }}
      />
      {Number(wallet.debt) > 0 && (
        <p>{show(wallet.debt)} was not covered by credit and became debt.</p>
      )}
      <p>
        Posted as the ledger transaction <Id id={wallet.transaction_id} />.
      </p>
    </>
  );
}

type Draw = NonNullable<FeeExplanation['wallet']>['draws'][number];

function Grant({ grant_id, purpose, source, expires_at, reason }: Draw) {
  return (
    <>
      {capitalized(purpose)} credit <Id id={grant_id} />
      <small class="beneath">
        by {source.replace('_', '-')},{' '}
        <Time before="expires " at={expires_at} none="never expires" />; <Sentence text={reason} />
      </small>
    </>
  );
}

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
