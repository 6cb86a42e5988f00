import { dayOf, daysBetween, type Instant } from '../../../domain/instant.ts';
import { rowsOf } from '../../../store/query.ts';
import type { GrantRow, SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import { Amount, SubscriptionPrice } from '../../amount.tsx';
import { Chart } from '../../charts/chart.tsx';
import { Shown } from '../../data-table.tsx';
import { checkoutPath } from '../../hosted/checkout.tsx';
import { accountText } from '../../hosted/portal.ts';
import { useServiceContext } from '../../page.tsx';
import { Badge, Section } from '../../parts.tsx';
import { distanceText, Time } from '../../time.tsx';
import { capitalized, dayText, quantity, shortDayText } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { type CustomerProps, ProductLink, SendLink } from '../links.tsx';

const MAX_SUBSCRIPTIONS = 20;

/** The customer's latest subscriptions, newest first, each with its price and next renewal. */
export function Subscriptions({ customer }: CustomerProps) {
  const { world } = useRequest();
  const rows = rowsOf(world.tables.subscriptions, { customer_id: customer.id });
  return (
    <Section id="subscriptions" title="Subscriptions">
      {rows.length === 0 && <p class="muted">No subscriptions yet.</p>}
      <ul class="rows">
        {rows
          .slice(-MAX_SUBSCRIPTIONS)
          .toReversed()
          .map((row) => (
            <li key={row.id} id={row.id}>
              <div class="row">
                <span>
                  {row.products.map((product, place) => [
                    place > 0 && ', ',
                    <ProductLink key={product.id} product={product} />,
                  ])}{' '}
                  {row.status !== 'inactive' && <SubscriptionPrice subscription={row} />}
                </span>
                <Badge text={statusText(row)} />
              </div>
              {row.status !== 'inactive' && <Next row={row} />}
            </li>
          ))}
      </ul>
    </Section>
  );
}

const statusText = ({ status }: SubscriptionRow): string =>
  status === 'action_required' ? 'payment awaited' : status;

/** The next renewal of a subscription that has not ended, its payment and its change. */
function Next({ row }: { readonly row: SubscriptionRow }) {
  const { world } = useRequest();
  const { id, customer_id, status, payment, renews_at } = row;
  const change = { operation: 'updateSubscription', customerId: customer_id, subscriptionId: id };
  return (
    <small class="row">
      <span class="muted">
        {status === 'active' && renews_at !== undefined && (
          <>
            renews <Time at={renews_at} as="day" />, {distanceText(renews_at, world.now)}
          </>
        )}
        {status === 'action_required' && payment && (
          <a href={checkoutPath(payment.token)}>Pay now</a>
        )}
      </span>
      <SendLink isPlain to={change}>
        Change
      </SendLink>
    </small>
  );
}

const MAX_ACCOUNTS = 30;
const MAX_MOVEMENTS = 1_000;
const MAX_DAYS = 90;

/** All accounts of a customer, each with its balance over time and its grants. */
export function Accounts({ customer }: CustomerProps) {
  const { tables } = useServiceContext();
  const accounts = rowsOf(tables.wallet_accounts, { customer_id: customer.id });
  const shown = accounts.slice(0, MAX_ACCOUNTS);
  return (
    <>
      {shown.map((account) => (
        <Account key={account.id} account={account} />
      ))}
      <Shown count={shown.length} total={accounts.length} />
    </>
  );
}

interface AccountProps {
  readonly account: WalletAccountRow;
}

function Account({ account }: AccountProps) {
  const context = useServiceContext();
  const { link } = useRequest();
  const { account_id: name, asset, available, customer_id } = account;
  return (
    <Section
      id={`account-${name}`}
      title={accountText(context, account)}
      aside={
        <>
          <Amount amount={available} asset={asset} />
          <a href={link('ledger', { q: `customer:${customer_id} account:"${name}"` })}>
            Transactions
          </a>
        </>
      }
    >
      <BalanceOverTime account={account} />
      <Grants grants={rowsOf(context.tables.grants, { customer_id, account_id: name })} />
    </Section>
  );
}

/** The balance at the end of each day since the first of the latest transactions. Nothing if all are of today. */
function BalanceOverTime({ account }: AccountProps) {
  const context = useServiceContext();
  const { account_id: name, asset, available, customer_id } = account;
  const today = dayOf(context.now);
  const movements = rowsOf(context.tables.transactions, { customer_id })
    .slice(-MAX_MOVEMENTS)
    .filter(({ account_id }) => account_id === name);
  const balances = new Map(movements.map((each) => [dayOf(each.created_at), each.balance_after]));
  balances.set(today, available);
  let balance = available;
  const days = daysBetween([...balances.keys()].sort()[0] ?? today, today).map((day) => {
    balance = balances.get(day) ?? balance;
    return { day, balance };
  });
  const text = (amount: string) => quantity(context, amount, asset);
  return (
    days.length > 1 && (
      <Chart
        isLine
        summary={`Balance of ${name} by day: ${text(available)} now, after ${movements.length} transactions.`}
        unit={asset}
        bars={days.slice(-MAX_DAYS).map(({ day, balance }) => ({
          label: shortDayText(day),
          heights: [Number(balance)],
          title: `${dayText(day)}: ${text(balance)}`,
        }))}
      />
    )
  );
}

const MAX_GRANTS = 50;

/** Grants, newest first. A bar shows the remaining share. */
function Grants({ grants }: { readonly grants: readonly GrantRow[] }) {
  const shown = grants.slice(-MAX_GRANTS).reverse();
  return (
    <>
      <ul class="rows">
        {shown.map((grant) => (
          <Grant key={grant.id} {...grant} />
        ))}
      </ul>
      <Shown count={shown.length} total={grants.length} />
    </>
  );
}

function Grant(grant: GrantRow) {
  const { now } = useServiceContext();
  const { link } = useRequest();
  const { id, purpose, source, remaining, amount, asset } = grant;
  return (
    <li id={id} data-testid="grant">
      <div class="row">
        <span>
          <strong>{capitalized(purpose)}</strong>{' '}
          <span class="muted">by {source.replace('_', '-')}</span>
        </span>
        <a href={link('ledger', { q: `customer:${grant.customer_id} grant:${id}` })}>
          Its transactions
        </a>
      </div>
      <progress aria-label="Left" value={Number(remaining) / Number(amount) || 0} />
      <div class="row">
        <span>
          <Amount amount={remaining} asset={asset} /> of <Amount amount={amount} asset={asset} />
        </span>
        <span class="muted">
          from {dayText(grant.effective_at)}, {endText(grant, now)}
        </span>
      </div>
    </li>
  );
}

function endText({ expires_at, remaining, pending }: GrantRow, now: Instant): string {
  if (pending) return 'pending';
  // Nothing remains of it then, used or not.
  if (expires_at !== null && expires_at <= now) return `expired ${dayText(expires_at)}`;
  if (remaining === '0') return 'used up';
  return expires_at === null ? 'never expires' : `expires ${distanceText(expires_at, now)}`;
}
