import type { ComponentChildren } from 'preact';
import type { FeeExplanation } from '../../../control/explain/fee.ts';
import { countedText, dimensionsText, stepsOfFee } from '../../../control/explain/text.ts';
import { Amount } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Id, Sentence } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { capitalized } from '../../wording.ts';
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
