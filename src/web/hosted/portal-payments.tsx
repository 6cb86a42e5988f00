import type { VNode } from 'preact';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import type {
  PaymentMethod,
  TopUpRow,
  TopUpStatus,
  WalletAccountRow,
} from '../../state/records.ts';
import { DataTable } from '../data-table.tsx';
import { Alert, Section, Time, Words } from '../parts.tsx';
import { money, quantity } from '../wording.ts';
import { accountText } from './account-text.ts';
import { CardFields } from './card-fields.tsx';
import { checkoutPath } from './checkout-page.tsx';
import type { AccountView, Outstanding } from './portal.ts';
import { CurrencyChoice, currenciesFor } from './portal-auto-top-up.tsx';
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
              <button type="submit">Pay {money(amount, currency)}</button>
            </form>
          )}
        </article>
      ))}
    </Section>
  );
}

/** Buys credit for an account: it leads to the payment page and back. */
export function TopUpForm({
  context,
  visit,
  problem,
  accounts,
}: PortalProps & { readonly accounts: readonly AccountView[] }): VNode {
  const ours = problem?.form === 'top-up' ? problem : undefined;
  const choices = accounts.map(({ account }) => account);
  return (
    <Section id="top-up" title="Top up" isLandmark>
      <form method="post" action={`${visitPath(visit)}/top-up`} novalidate>
        {ours && <Alert text={ours.text} />}
        <div class="grid">
          <div>
            <label for="top-up-amount">Amount</label>
            <input
              id="top-up-amount"
              name="amount"
              inputmode="decimal"
              autocomplete="off"
              value={ours?.values.amount ?? ''}
              data-testid="top-up-amount"
            />
          </div>
          <CurrencyChoice
            id="top-up-currency"
            currencies={payableCurrencies(context, choices)}
            chosen={ours?.values.currency ?? ''}
          />
          <AccountChoice context={context} accounts={choices} />
        </div>
        <button type="submit" data-testid="top-up-submit">
          Top up
        </button>
      </form>
    </Section>
  );
}

function AccountChoice({
  context,
  accounts,
}: {
  readonly context: Context;
  readonly accounts: readonly WalletAccountRow[];
}): VNode {
  const fallback = context.settings.reporting_currency;
  const options = accounts.map(
    (account) => [account.account_id, accountText(context, account)] as const,
  );
  const choices = options.length > 0 ? options : ([[`default:${fallback}`, fallback]] as const);
  return (
    <div>
      <label for="top-up-account">Account</label>
      <select id="top-up-account" name="account">
        {choices.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
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
export function SavedCard({ customer, visit, problem }: PortalProps): VNode {
  const { payment_method } = customer;
  const ours = problem?.form === 'card' ? problem : undefined;
  return (
    <Section id="card" title="Saved card" isLandmark>
      <p data-testid="saved-card">
        {payment_method
          ? `${methodText(payment_method)} pays renewals and automatic top-ups.`
          : 'None is saved. A card that pays is saved by itself.'}
      </p>
      {payment_method && (
        <form method="post" action={`${visitPath(visit)}/card/remove`}>
          <button type="submit" class="secondary outline">
            Remove
          </button>
        </form>
      )}
      <details open={ours !== undefined}>
        <summary>{payment_method ? 'Replace it' : 'Save a card'}</summary>
        <form method="post" action={`${visitPath(visit)}/card`} aria-label="Card" novalidate>
          {ours && <Alert text={ours.text} />}
          <CardFields {...ours?.card} />
          <button type="submit">Save card</button>
        </form>
      </details>
    </Section>
  );
}

function methodText({ kind, last4 }: PaymentMethod): string {
  return kind === 'card' ? `The card ending in ${last4}` : `The bank account ending in ${last4}`;
}
