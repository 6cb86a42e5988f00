import type { VNode } from 'preact';
import { decimal, isNegative, isZero } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import type { GrantPurpose, GrantRow } from '../../state/records.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../parts.tsx';
import { Time } from '../time.tsx';
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

/** Each wallet account: what it holds, from which credit, until when, and its automatic top-up. */
export function Balances({
  accounts,
  ...props
}: PortalProps & { readonly accounts: readonly AccountView[] }): VNode {
  return (
    <Section id="balances" title="Balances" isLandmark>
      {accounts.length === 0 && <p>There is no account yet. A top-up opens one.</p>}
      <div class="accounts">
        {accounts.map((view) => (
          <Account key={view.account.id} view={view} {...props} />
        ))}
      </div>
    </Section>
  );
}

function Account({ view, ...props }: PortalProps & { readonly view: AccountView }): VNode {
  const { context } = props;
  const { account, open, ended, pending } = view;
  const { account_id, asset, available } = account;
  const name = accountText(context, account);
  return (
    <article data-testid={`account-${account_id}`} aria-label={name}>
      <header>
        <h3>{name}</h3>
      </header>
      <p class="balance" data-testid="balance">
        {quantity(context, available, asset)}
      </p>
      {isNegative(decimal(available)) && <p class="debt">Owed; the next credit repays it first.</p>}
      {!isZero(decimal(pending)) && (
        <p data-testid="pending">{quantity(context, pending, asset)} more is on its way.</p>
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
      <AutoTopUpForm account={account} {...props} />
    </article>
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
        Left: ({ remaining, amount, asset }) =>
          `${quantity(context, remaining, asset)} of ${quantity(context, amount, asset)}`,
        Until: ({ expires_at }) => (expires_at === null ? 'No end' : <Time at={expires_at} />),
      }}
      testId="grant"
    />
  );
}
