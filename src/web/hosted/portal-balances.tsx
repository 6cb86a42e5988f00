import type { VNode } from 'preact';
import { decimal, isNegative, isZero } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import type { GrantPurpose, GrantRow, WalletAccountRow } from '../../state/records.ts';
import { Amount } from '../amount.tsx';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { Time } from '../time.tsx';
import { accountText } from './account-text.ts';
import type { AccountView } from './portal.ts';
import { AutoTopUpForm } from './portal-auto-top-up.tsx';
import { problemOf } from './portal-form.tsx';
import type { PortalProps } from './portal-page.tsx';
import { currenciesFor, TopUpForm } from './portal-top-up.tsx';

const PURPOSE_TEXTS: Readonly<Record<GrantPurpose, string>> = {
  promotion: 'Promotion',
  bundled: 'Included',
  paid: 'Paid',
};
const MOST_ENDED = 20;

/** The place of an account on the page. */
export const accountAnchor = (accountId: string): string => `account-${accountId}`;

/** Each wallet account: what it holds, from which credit, until when, and how more is bought. */
export function Balances({
  accounts,
  ...props
}: PortalProps & { readonly accounts: readonly AccountView[] }): VNode {
  return (
    <Section id="balances" title="Balances" isLandmark>
      <div class="accounts">
        {accounts.length === 0 && <NewAccount {...props} />}
        {accounts.map((view) => (
          <Account key={view.account.id} view={view} {...props} />
        ))}
      </div>
    </Section>
  );
}

/** What stands in place of accounts where there is none. */
function NewAccount(props: PortalProps): VNode {
  const asset = props.context.settings.reporting_currency;
  const account = { account_id: `default:${asset}`, name: 'default', asset };
  const problem = problemOf(props, 'top-up');
  return (
    <article aria-label={asset}>
      <p>There is no account yet. A top-up opens one.</p>
      <TopUpForm {...props} account={account} currencies={[asset]} problem={problem} />
    </article>
  );
}

function Account({ view, ...props }: PortalProps & { readonly view: AccountView }): VNode {
  const { context } = props;
  const { account, open, ended, pending } = view;
  const { account_id, asset, available } = account;
  const name = accountText(context, account);
  return (
    <article id={accountAnchor(account_id)} data-testid={`account-${account_id}`} aria-label={name}>
      <h3>{name}</h3>
      <p class="balance" data-testid="balance">
        <Amount context={context} amount={available} asset={asset} />
      </p>
      {isNegative(decimal(available)) && (
        <p class="muted">Owed; the next credit repays it first.</p>
      )}
      {!isZero(decimal(pending)) && (
        <p class="muted" data-testid="pending">
          <Amount context={context} amount={pending} asset={asset} /> more is on its way.
        </p>
      )}
      {open.length > 0 && <Grants context={context} label={`Credit in ${name}`} grants={open} />}
      {ended.length > 0 && (
        <details>
          <summary>Used up or expired</summary>
          <Grants
            context={context}
            label={`Ended credit in ${name}`}
            grants={ended.slice(0, MOST_ENDED)}
          />
        </details>
      )}
      <TopUps {...props} account={account} />
    </article>
  );
}

/** How more of an account is bought: once, or by itself. */
function TopUps({
  account,
  ...props
}: PortalProps & { readonly account: WalletAccountRow }): VNode {
  const { account_id, asset } = account;
  const currencies = currenciesFor(props.context, asset);
  if (currencies.length === 0) return <p>It cannot be topped up: {asset} has no price.</p>;
  const problem = problemOf(props, `top-up ${account_id}`);
  return (
    <>
      <TopUpForm {...props} account={account} currencies={currencies} problem={problem} />
      <AutoTopUpForm {...props} account={account} currencies={currencies} />
    </>
  );
}

interface GrantsProps {
  readonly context: Context;
  readonly label: string;
  readonly grants: readonly GrantRow[];
}

function Grants({ context, label, grants }: GrantsProps): VNode {
  return (
    <DataTable
      label={label}
      rows={grants}
      columns={{
        Credit: ({ purpose }) => PURPOSE_TEXTS[purpose],
        Left: ({ remaining, amount, asset }) => (
          <>
            <Amount context={context} amount={remaining} asset={asset} /> of{' '}
            <Amount context={context} amount={amount} asset={asset} />
          </>
        ),
        Until: ({ expires_at }) => (expires_at === null ? 'No end' : <Time at={expires_at} />),
      }}
      testId="grant"
    />
  );
}
