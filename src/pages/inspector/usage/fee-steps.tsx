import type { ComponentChildren } from 'preact';
import type { FeeExplanation } from '../../../control/explain/fee.ts';
import { countedText, dimensionsText, stepsOfFee } from '../../../control/explain/text.ts';
import { plural } from '../../../text/wording.ts';
import { Amount } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Id, Sentence } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { capitalized, plainNumber } from '../../wording.ts';
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
                <Sentence text={grouped(line.trim())} />
              </p>
            ))}
        </li>
      ))}
    </ol>
  );
}

/** The text with thousands separators in its whole numbers. */
const grouped = (text: string): string =>
  text.replaceAll(/(?<![\d.])\d{4,}(?!-)/g, (digits) => plainNumber(digits));

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

/** All values of the price, with the chosen one highlighted. */
function ValueStep({ explanation: { matching } }: FeeStepsProps) {
  const isMixed = new Set(matching.map(({ asset }) => asset)).size > 1;
  return (
    <DataTable<FeeExplanation['matching'][number]>
      label="Values of the price"
      rows={matching}
      isMarked={({ chosen }) => chosen}
      columns={{
        Value: ({ name, place }) => <Words text={name ?? `Value ${place}`} />,
        ...(isMixed && { Asset: ({ asset }) => asset }),
        Needs: ({ dimensions }) => <Words text={dimensionsText(dimensions)} />,
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
  const account = {
    name: <AccountName id={wallet.account_id} asset={asset} />,
    had: wallet.balance_before,
    paid: amount,
    left: wallet.balance_after,
  };
  return (
    <>
      <DataTable
        label="What paid"
        rows={[...grantsOf(wallet), account]}
        isMarked={(row) => row === account}
        columns={{
          Grant: ({ name }) => name,
          '#Had': ({ had }) => show(had),
          '^#Paid': ({ paid }) => show(paid),
          '#Left': ({ left }) => show(left),
        }}
      />
      {wallet.waiting_count > MAX_WAITING && (
        <p>Not used: {plural(wallet.waiting_count - MAX_WAITING, 'further grant')}.</p>
      )}
      {Number(wallet.debt) > 0 && (
        <p>{show(wallet.debt)} was not covered by credit and became debt.</p>
      )}
      <p>
        Posted as the ledger transaction <Id id={wallet.transaction_id} />.
      </p>
    </>
  );
}

const MAX_WAITING = 10;

/** Those that paid, in the order in which they were drawn, then the first that were not used. */
const grantsOf = ({ draws, waiting }: Wallet) =>
  [...draws, ...waiting.slice(0, MAX_WAITING).map(notUsed)].map((grant) => ({
    name: <Grant {...grant} />,
    had: grant.available,
    paid: grant.amount,
    left: grant.left,
  }));

/** A grant from which nothing was drawn, as it comes after those that paid. */
const notUsed = (grant: Wallet['waiting'][number]): Wallet['draws'][number] => ({
  ...grant,
  amount: 0,
  left: grant.available,
  reason: 'not used',
});

type Wallet = NonNullable<FeeExplanation['wallet']>;

function Grant({ grant_id, purpose, source, expires_at, reason }: Wallet['draws'][number]) {
  return (
    <>
      {capitalized(purpose)} credit <Id id={grant_id} />
      <small class="beneath">
        by {source.replace('_', '-')}, {expires_at === null ? 'never expires' : 'expires '}
        <Time at={expires_at} />; <Sentence text={reason} />
      </small>
    </>
  );
}
