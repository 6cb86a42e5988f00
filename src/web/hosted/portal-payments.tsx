import type { VNode } from 'preact';
import type { Context } from '../../resources/context.ts';
import type {
  PaymentMethod,
  TopUpRow,
  TopUpStatus,
  WalletAccountRow,
} from '../../state/records.ts';
import { DataTable } from '../data-table.tsx';
import { Button, Choice } from '../forms.tsx';
import { Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { money, quantity } from '../wording.ts';
import { accountText } from './account-text.ts';
import { CardFields } from './card-fields.tsx';
import { checkoutPath } from './checkout-page.tsx';
import type { AccountView, Outstanding } from './portal.ts';
import { AmountField, currenciesFor } from './portal-auto-top-up.tsx';
import { PortalForm, problemOf } from './portal-form.tsx';
import type { PortalProps } from './portal-page.tsx';

/** Fixed fees that wait for their payment. */
export function OutstandingPayments({ payments }: { readonly payments: readonly Outstanding[] }) {
  if (payments.length === 0) return null;
  return (
    <Section id="outstanding" title="Payment required" isLandmark>
      {payments.map(({ name, amount, currency, payment }) => (
        <article key={payment.token} class="outstanding" data-testid="outstanding-payment">
          <p>
            <bdi>{name}</bdi>: <strong>{money(amount, currency)}</strong>
          </p>
          {payment.status === 'processing' ? (
            <p>The payment is on its way.</p>
          ) : (
            <form action={checkoutPath(payment.token)}>
              <Button>Pay {money(amount, currency)}</Button>
            </form>
          )}
        </article>
      ))}
    </Section>
  );
}

type TopUpFormProps = PortalProps & { readonly accounts: readonly AccountView[] };

/** Buys credit for an account: it leads to the payment page and back. */
export function TopUpForm({ accounts, ...props }: TopUpFormProps): VNode {
  const { context, visit } = props;
  const problem = problemOf(props, 'top-up');
  const rows = accounts.map(({ account }) => account);
  const currencies = payableCurrencies(context, rows);
  return (
    <Section id="top-up" title="Top up" isLandmark>
      <PortalForm visit={visit} action="top-up" problem={problem}>
        <div class="grid">
          <AmountField
            label="Amount"
            name="amount"
            value={problem?.values.amount}
            testId="top-up-amount"
          />
          <Choice
            label="Currency"
            name="currency"
            options={currencies}
            chosen={problem?.values.currency}
          />
          <Choice label="Account" name="account" options={accountOptions(context, rows)} />
        </div>
        <Button data-testid="top-up-submit">Top up</Button>
      </PortalForm>
    </Section>
  );
}

/** The accounts of a customer, or the one that a first top-up opens. */
function accountOptions(context: Context, accounts: readonly WalletAccountRow[]) {
  const asset = context.settings.reporting_currency;
  if (accounts.length === 0) return [[`default:${asset}`, asset]] as const;
  return accounts.map((account) => [account.account_id, accountText(context, account)] as const);
}

/** Every currency in which credit of some account can be paid. */
function payableCurrencies(context: Context, accounts: readonly WalletAccountRow[]): string[] {
  const payable = accounts.flatMap(({ asset }) => currenciesFor(context, asset));
  return payable.length > 0 ? [...new Set(payable)] : [context.settings.reporting_currency];
}

const STATUS_TEXTS: Readonly<Record<TopUpStatus, string>> = {
  initiated: 'Not paid yet',
  pending: 'On its way',
  succeeded: 'Paid',
  failed: 'Declined',
  expired: 'Expired',
};

interface TopUpHistoryProps {
  readonly context: Context;
  readonly topUps: readonly TopUpRow[];
}

/** Every top-up, newest first; one that can still be paid has its link. */
export function TopUpHistory({ context, topUps }: TopUpHistoryProps): VNode {
  return (
    <Section id="top-ups" title="Top-ups" isLandmark>
      <DataTable
        label="Top-up history"
        rows={topUps}
        columns={{
          When: ({ created_at }) => <Time at={created_at} />,
          '#Paid': ({ amount, currency }) => money(amount, currency),
          '#Credit': ({ credit, asset }) => quantity(context, credit, asset),
          For: ({ description }) => <Words text={description} />,
          Status: (topUp) => (
            <>
              {STATUS_TEXTS[topUp.status]}{' '}
              {isPayable(context, topUp) && <a href={checkoutPath(topUp.payment.token)}>Pay now</a>}
            </>
          ),
        }}
        empty="There is none yet."
        testId="top-up-row"
      />
    </Section>
  );
}

function isPayable({ now }: Context, { status, payment }: TopUpRow): boolean {
  return (status === 'initiated' || status === 'failed') && payment.expires_at > now;
}

/** The card that renewals and automatic top-ups are paid with. */
export function SavedCard(props: PortalProps): VNode {
  const { payment_method } = props.customer;
  const problem = problemOf(props, 'card');
  return (
    <Section id="card" title="Saved card" isLandmark>
      <p data-testid="saved-card">
        {payment_method
          ? `${methodText(payment_method)} pays renewals and automatic top-ups.`
          : 'None is saved. A card that pays is saved automatically.'}
      </p>
      {payment_method && (
        <PortalForm visit={props.visit} action="card/remove">
          <Button class="secondary outline">Remove</Button>
        </PortalForm>
      )}
      <details open={problem !== undefined}>
        <summary>{payment_method ? 'Replace it' : 'Save a card'}</summary>
        <PortalForm visit={props.visit} action="card" problem={problem} label="Card">
          <CardFields {...problem?.card} />
          <Button>Save card</Button>
        </PortalForm>
      </details>
    </Section>
  );
}

function methodText({ kind, last4 }: PaymentMethod): string {
  return kind === 'card' ? `The card ending in ${last4}` : `The bank account ending in ${last4}`;
}
