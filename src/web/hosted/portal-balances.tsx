import type { VNode } from 'preact';
import { decimal, isNegative, isZero } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import type { GrantPurpose, GrantRow, WalletAccountRow } from '../../state/records.ts';
import { DataTable, PageSection, Time } from '../sections.tsx';
import { quantity } from '../wording.ts';
import { accountText } from './account-text.ts';
import type { AccountView } from './portal.ts';
import { AutoTopUpForm } from './portal-auto-top-up.tsx';
import type { PortalProps } from './portal-page.tsx';

const PURPOSE_TEXTS: Readonly<Record<GrantPurpose, string>> = {
  promotion: 'Promotion',
  bundled: 'Included',
  paid: 'Paid',
};
const MOST_ENDED = 20;

/** Each wallet account: what it holds, from which credit, until when, and how it is topped up by itself. */
export function Balances({
  accounts,
  ...props
}: PortalProps & { readonly accounts: readonly AccountView[] }): VNode {
  return (
    <PageSection id="balances" title="Balances">
      {accounts.length === 0 && <p>There is no account yet. A top-up opens one.</p>}
      <div class="accounts">
        {accounts.map((view) => (
          <Account key={view.account.id} view={view} {...props} />
        ))}
      </div>
    </PageSection>
  );
}

function Account({ view, ...props }: PortalProps & { readonly view: AccountView }): VNode {
  const { context } = props;
  const { account, open, ended, pending } = view;
  const { account_id, asset, available } = account;
  return (
    <article data-testid={`account-${account_id}`} aria-label={accountText(context, account)}>
      <header>
        <h3>{accountText(context, account)}</h3>
      </header>
      <p class="balance" data-testid="balance">
        {quantity(context, available, asset)}
      </p>
      {isNegative(decimal(available)) && <p class="debt">Owed; the next credit repays it first.</p>}
      {!isZero(decimal(pending)) && (
        <p data-testid="pending">{quantity(context, pending, asset)} more is on its way.</p>
      )}
      {open.length > 0 && <Grants context={context} account={account} grants={open} />}
      {ended.length > 0 && (
        <details>
          <summary>Used up or expired</summary>
          <Grants context={context} account={account} grants={ended.slice(0, MOST_ENDED)} ended />
        </details>
      )}
      <AutoTopUpForm account={account} {...props} />
    </article>
  );
}

function Grants({
  context,
  account,
  grants,
  ended = false,
}: {
  readonly context: Context;
  readonly account: WalletAccountRow;
  readonly grants: readonly GrantRow[];
  readonly ended?: boolean;
}): VNode {
  const label = `${ended ? 'Ended credit' : 'Credit'} in ${accountText(context, account)}`;
  return (
    <DataTable label={label} headings={['Credit', 'Left', 'Until']}>
      {grants.map(({ id, purpose, amount, remaining, asset, expires_at }) => (
        <tr key={id} data-testid="grant">
          <td>{PURPOSE_TEXTS[purpose]}</td>
          <td>
            {quantity(context, remaining, asset)} of {quantity(context, amount, asset)}
          </td>
          <td>{expires_at === null ? 'No end' : <Time at={expires_at} />}</td>
        </tr>
      ))}
    </DataTable>
  );
}
