import { findCurrency } from '../../domain/currencies.ts';
import { decimal, isZero } from '../../domain/decimal.ts';
import type { GrantPurpose, GrantRow, WalletAccountRow } from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { Time } from '../time.tsx';
import { type AccountView, accountText, usePortal } from './portal.ts';
import { AutoTopUpForm, currenciesFor, TopUpForm } from './portal-forms.tsx';

const PURPOSE_TEXTS: Readonly<Record<GrantPurpose, string>> = {
  promotion: 'Promotion',
  bundled: 'Included',
  paid: 'Paid',
};
const MAX_ENDED = 20;

export const accountAnchor = (accountId: string): string => `account-${accountId}`;

/** All wallet accounts: balance, grants with their expiry, and forms to buy more credit. */
export function Balances({ accounts }: { readonly accounts: readonly AccountView[] }) {
  return (
    <Section id="balances" title="Balances">
      <div class="accounts">
        {accounts.length === 0 && <NewAccount />}
        {accounts.map((view) => (
          <Account key={view.account.id} {...view} />
        ))}
      </div>
    </Section>
  );
}

function NewAccount() {
  const asset = usePortal().context.settings.reporting_currency;
  const account = { account_id: `default:${asset}`, name: 'default', asset };
  return (
    <article aria-label={asset}>
      <h3>Balance in {asset}</h3>
      <p class="muted">No credit yet. A top-up adds some.</p>
      <TopUpForm account={account} currencies={[asset]} form="top-up" />
    </article>
  );
}

function Account({ account, open, ended, pending }: AccountView) {
  const { account_id, asset, available } = account;
  const name = accountText(usePortal().context, account);
  return (
    <article id={accountAnchor(account_id)} data-testid={`account-${account_id}`} aria-label={name}>
      <h3>{findCurrency(asset) ? `Balance in ${name}` : name}</h3>
      <p class="balance" data-testid="balance">
        <Amount amount={available} asset={asset} />
      </p>
      {!isZero(decimal(pending)) && (
        <p class="muted" data-testid="pending">
          <Amount amount={pending} asset={asset} /> more is pending.
        </p>
      )}
      {open.length > 0 && <Grants label={`Credit in ${name}`} grants={open} />}
      {ended.length > 0 && (
        <details>
          <summary>Used up or expired</summary>
          <Grants label={`Ended credit in ${name}`} grants={ended.slice(0, MAX_ENDED)} />
        </details>
      )}
      <TopUps account={account} />
    </article>
  );
}

function TopUps({ account }: { readonly account: WalletAccountRow }) {
  const { account_id, asset } = account;
  const currencies = currenciesFor(usePortal().context, asset);
  if (currencies.length === 0)
    return <p class="muted">This balance cannot be topped up: {asset} has no price.</p>;
  return (
    <>
      <TopUpForm account={account} currencies={currencies} form={`top-up ${account_id}`} />
      <AutoTopUpForm account={account} currencies={currencies} />
    </>
  );
}

interface GrantsProps {
  readonly label: string;
  readonly grants: readonly GrantRow[];
}

function Grants({ label, grants }: GrantsProps) {
  return (
    <DataTable
      label={label}
      rows={grants}
      columns={{
        Credit: ({ purpose }) => PURPOSE_TEXTS[purpose],
        '#Left': ({ remaining, asset }) => <Amount amount={remaining} asset={asset} />,
        '#Of': ({ amount, asset }) => <Amount amount={amount} asset={asset} />,
        Until: ({ expires_at }) => <Time at={expires_at} as="day" none="no expiry" />,
      }}
      testId="grant"
    />
  );
}
