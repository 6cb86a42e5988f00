import type { VNode } from 'preact';
import { toMillis } from '../../../domain/instant.ts';
import type { CustomerRow, GrantRow, WalletAccountRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import type { PageAnswer } from '../../answer.ts';
import { errorPage } from '../../error-pages.tsx';
import { DataTable, Words } from '../../sections.tsx';
import { money, plainNumber, quantity } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Facts, JsonView, Part, WorldTime } from '../parts.tsx';
import { TimeChart } from '../time-chart.tsx';
import { GrantChart } from './grant-chart.tsx';
import { TransactionListing } from './ledger.tsx';

interface CustomerProps {
  readonly request: InspectorRequest;
  readonly customer: CustomerRow;
}

/** One customer: who it is, what it is subscribed to, and its wallet. */
export function showCustomer(request: InspectorRequest): PageAnswer {
  const { tables } = request.world;
  const customer = tables.customers.get(request.parameters['id'] ?? '');
  if (!customer) return errorPage('unknown');
  const path = `/customers/${encodeURIComponent(customer.id)}`;
  return {
    page: (
      <InspectorPage
        request={request}
        section="/customers"
        title={customer.name.slice(0, MOST_TITLE)}
        heading={<Words text={customer.name} />}
      >
        <CustomerFacts request={request} customer={customer} />
        <Live request={request} id="wallet">
          <Subscriptions request={request} customer={customer} />
          <Accounts request={request} customer={customer} />
        </Live>
        <Part id="transactions" title="Transactions">
          <TransactionListing
            request={request}
            path={path}
            rows={tables.transactions.list('customer', customer.id)}
            withCustomer={false}
          />
        </Part>
      </InspectorPage>
    ),
  };
}

const MOST_TITLE = 80;
const MOST_ACCOUNTS = 30;

function Accounts({ request, customer }: CustomerProps): VNode {
  const accounts = request.world.tables.wallet_accounts.list('customer', customer.id);
  return (
    <>
      {accounts.slice(0, MOST_ACCOUNTS).map((account) => (
        <Account key={account.id} request={request} customer={customer} account={account} />
      ))}
      {accounts.length > MOST_ACCOUNTS && (
        <p>
          The first {MOST_ACCOUNTS} of {accounts.length} accounts.
        </p>
      )}
    </>
  );
}

function CustomerFacts({ request, customer }: CustomerProps): VNode {
  const totals = request.world.tables.totals.get(customer.id);
  const { reporting_currency } = request.options.settings;
  return (
    <>
      <Facts
        facts={{
          Id: <code>{customer.id}</code>,
          'External id': customer.external_id && <Words text={customer.external_id} />,
          Email: customer.email && <Words text={customer.email} />,
          Created: <WorldTime at={customer.created_at} />,
          Revenue: money(totals?.revenue ?? '0', reporting_currency),
          Cost: money(totals?.cost ?? '0', reporting_currency),
          Account: customer.owner !== request.world.accountId && <code>{customer.owner}</code>,
        }}
      />
      <p>
        <a href={request.link('/events', { q: `customer:${customer.id}` })}>Usage</a> ·{' '}
        <a href={request.link('/profit', { customer: customer.id })}>Profit</a>
      </p>
      {customer.metadata && <JsonView label="Metadata" value={customer.metadata} />}
    </>
  );
}

function Subscriptions({ request, customer }: CustomerProps): VNode | null {
  const rows = request.world.tables.subscriptions.list('customer', customer.id);
  if (rows.length === 0) return null;
  return (
    <Part id="subscriptions" title="Subscriptions">
      <DataTable label="Subscriptions" headings={['Status', 'Products', 'Started', 'Renews', 'Id']}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{row.status.replace('_', ' ')}</td>
            <td>{row.products.map(({ code, version }) => `${code} v${version}`).join(', ')}</td>
            <td>
              <WorldTime at={row.started_at} />
            </td>
            <td>
              <WorldTime at={row.renews_at} />
            </td>
            <td>
              <code>{row.id}</code>
            </td>
          </tr>
        ))}
      </DataTable>
    </Part>
  );
}

function Account({
  request,
  customer,
  account,
}: CustomerProps & { readonly account: WalletAccountRow }): VNode {
  const context = request.contextOf(customer.owner);
  const text = (amount: string) => quantity(context, amount, account.asset);
  const grants = context.tables.grants.list('account', key(customer.id, account.account_id));
  const moves = context.tables.transactions
    .list('customer', customer.id)
    .filter(({ account_id }) => account_id === account.account_id);
  const points = moves.map((row) => ({
    at: toMillis(row.created_at),
    value: Number(row.balance_after),
  }));
  if (points.length > 0)
    points.push({ at: toMillis(context.now), value: Number(account.available) });
  const name = account.account_id;
  return (
    <Part id={`account-${account.account_id}`} title={name}>
      <p class="balance" data-testid="balance">
        {text(account.available)}
      </p>
      <TimeChart
        summary={`Balance of ${name} over time: ${text(account.available)} now, after ${points.length - 1} movements.`}
        series={[{ name, points }]}
        between="steps"
        valueText={(value) => plainNumber(String(value))}
      />
      {grants.length > 0 && <h3>Grants</h3>}
      <GrantChart
        grants={grants}
        now={context.now}
        nameOf={(grant) =>
          `${text(grant.remaining)} left of ${text(grant.amount)}, ${grant.purpose}, ${endText(grant)}`
        }
      />
      <Grants request={request} owner={customer.owner} grants={grants} />
    </Part>
  );
}

const endText = ({ expires_at }: GrantRow): string =>
  expires_at === null ? 'never ends' : `ends ${expires_at.slice(0, 10)}`;

const MOST_GRANTS = 100;

function Grants({
  request,
  owner,
  grants,
}: {
  readonly request: InspectorRequest;
  readonly owner: string;
  readonly grants: readonly GrantRow[];
}): VNode | null {
  if (grants.length === 0) return null;
  const context = request.contextOf(owner);
  const headings = ['Purpose', 'Source', '#Left', '#Given', 'Begins', 'Ends', 'Grant'];
  return (
    <>
      <DataTable label={`Grants of ${grants[0]?.account_id}`} headings={headings}>
        {grants
          .slice(-MOST_GRANTS)
          .reverse()
          .map((grant) => (
            <tr key={grant.id}>
              <td>{grant.purpose}</td>
              <td>{grant.source.replace('_', '-')}</td>
              <td class="number">{quantity(context, grant.remaining, grant.asset)}</td>
              <td class="number">{quantity(context, grant.amount, grant.asset)}</td>
              <td>
                <WorldTime at={grant.effective_at} />
              </td>
              <td>{grant.expires_at ? <WorldTime at={grant.expires_at} /> : 'never'}</td>
              <td>
                <code>{grant.id}</code>
              </td>
            </tr>
          ))}
      </DataTable>
      {grants.length > MOST_GRANTS && (
        <p>
          The latest {MOST_GRANTS} of {grants.length}.
        </p>
      )}
    </>
  );
}
