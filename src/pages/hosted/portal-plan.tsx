import { findCurrency } from '../../domain/currencies.ts';
import { decimal, format, isZero, sum } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf } from '../../store/query.ts';
import type { EntitlementRecord, SubscriptionRow, WalletAccountRow } from '../../store/records.ts';
import { Amount, SubscriptionPrice } from '../amount.tsx';
import { TableSection } from '../data-table.tsx';
import { Badge, Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { cycleText, quantity } from '../wording.ts';
import { accountText, usePortal } from './portal.ts';
import { AutoTopUpForm, currenciesFor, TopUpForm } from './portal-forms.tsx';

const MAX_SUBSCRIPTIONS = 50;

/** The customer's subscriptions: products with their included credit, next renewal and price. */
export function Plan() {
  const { context, customer } = usePortal();
  const subscriptions = rowsOf(context.tables.subscriptions, { customer_id: customer.id })
    .filter(({ status }) => status !== 'inactive')
    .toReversed();
  return (
    <TableSection
      id="plan"
      title="Your plan"
      rows={subscriptions}
      most={MAX_SUBSCRIPTIONS}
      columns={{
        Product: (subscription) => <Products subscription={subscription} />,
        'Next renewal': renewalOf,
        '^#Price': (subscription) => <SubscriptionPrice subscription={subscription} />,
      }}
      empty="No subscriptions yet."
      testId="plan-row"
    />
  );
}

function Products({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { status, products } = subscription;
  const { context } = usePortal();
  return (
    <>
      {versionsOf(context, products).map(({ product_id, name, entitlements }) => (
        <div key={product_id}>
          <b>
            <Words text={name} />
          </b>
          {entitlements.map((entitlement) => (
            <div key={entitlement.name} class="muted">
              includes {creditText(context, entitlement)}
            </div>
          ))}
        </div>
      ))}
      {status === 'action_required' && <Badge text="to be paid" />}
    </>
  );
}

function creditText(context: Context, { amount, asset, lifecycle }: EntitlementRecord): string {
  const credit = quantity(context, amount, asset);
  if (!lifecycle?.refresh) return credit;
  const { duration: interval, duration_count: interval_count = 1 } = lifecycle;
  return `${credit} ${cycleText({ interval, interval_count })}`;
}

function renewalOf({ status, begins_at, renews_at }: SubscriptionRow) {
  if (status === 'action_required') return <span class="muted">once paid</span>;
  if (status !== 'scheduled') return <Time at={renews_at} as="day" none="never" />;
  return <Time before="starts " at={begins_at} as="day" />;
}

/** All wallet accounts: balance, the credit that is left and until when, and forms to buy more credit. */
export function Balances({ accounts }: { readonly accounts: readonly WalletAccountRow[] }) {
  return (
    <Section id="balances" title="Balances">
      <div class="accounts">
        {accounts.length === 0 && <NewAccount />}
        {accounts.map((account) => (
          <Account key={account.id} account={account} />
        ))}
      </div>
    </Section>
  );
}

interface AccountProps {
  readonly account: WalletAccountRow;
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

function Account({ account }: AccountProps) {
  const { context } = usePortal();
  const { grants, top_ups } = context.tables;
  const { id, account_id, asset, available } = account;
  const name = accountText(context, account);
  const pending = sum(top_ups.list('pending', id).map(({ credit }) => decimal(credit)));
  return (
    <article data-testid={`account-${account_id}`} aria-label={name}>
      <h3>{findCurrency(asset) ? `Balance in ${name}` : name}</h3>
      <p class="balance" data-testid="balance">
        <Amount amount={available} asset={asset} />
      </p>
      {!isZero(pending) && (
        <p class="muted" data-testid="pending">
          <Amount amount={format(pending)} asset={asset} /> more is pending.
        </p>
      )}
      <ul class="rows">
        {[...grants.sorted('open', id)].map((grant) => (
          <li key={grant.id} data-testid="grant">
            <Amount amount={grant.remaining} asset={asset} />{' '}
            <Time before="until " at={grant.expires_at} as="day" none="without end" />
          </li>
        ))}
      </ul>
      <TopUps account={account} />
    </article>
  );
}

function TopUps({ account }: AccountProps) {
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
