import type { VNode } from 'preact';
import { toMillis } from '../../../domain/instant.ts';
import type { Context } from '../../../resources/context.ts';
import type { CustomerRow, GrantRow, WalletAccountRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import type { PageAnswer } from '../../answer.ts';
import { Chart, type Point } from '../../chart.tsx';
import { DataTable, Shown } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Facts, JsonView, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { makeListing } from '../listing.tsx';
import { notHere } from '../not-here.tsx';
import { customerTotal } from './customers.tsx';
import { CUSTOMER_TRANSACTIONS } from './ledger.tsx';

interface CustomerProps {
  readonly request: InspectorRequest;
  readonly customer: CustomerRow;
}

/** One customer: who it is, what it is subscribed to, and its wallet. */
export async function showCustomer(request: InspectorRequest): Promise<PageAnswer> {
  const { tables } = request.world;
  const customer = tables.customers.get(request.parameters['id'] ?? '');
  if (!customer) return notHere(request);
  const path = `/customers/${encodeURIComponent(customer.id)}`;
  const rows = tables.transactions.list('customer', customer.id);
  const listing = await makeListing({ request, path, list: CUSTOMER_TRANSACTIONS, rows });
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
        <Section id="transactions" title="Transactions">
          {listing}
        </Section>
      </InspectorPage>
    ),
  };
}

const MOST_TITLE = 80;
const MOST_ACCOUNTS = 30;

function Accounts({ request, customer }: CustomerProps): VNode {
  const accounts = request.world.tables.wallet_accounts.list('customer', customer.id);
  const shown = accounts.slice(0, MOST_ACCOUNTS);
  return (
    <>
      {shown.map((account) => (
        <Account key={account.id} request={request} customer={customer} account={account} />
      ))}
      <Shown count={shown.length} total={accounts.length} />
    </>
  );
}

function CustomerFacts({ request, customer }: CustomerProps): VNode {
  return (
    <>
      <Facts
        facts={{
          Id: <Id id={customer.id} />,
          'External id': customer.external_id && <Words text={customer.external_id} />,
          Email: customer.email && <Words text={customer.email} />,
          Created: <Time as="exact" at={customer.created_at} />,
          Revenue: customerTotal(request, customer, 'revenue'),
          Cost: customerTotal(request, customer, 'cost'),
          Account: customer.owner !== request.world.accountId && <Id id={customer.owner} />,
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
    <Section id="subscriptions" title="Subscriptions">
      <DataTable
        label="Subscriptions"
        rows={rows}
        columns={{
          Status: ({ status }) => status.replace('_', ' '),
          Products: ({ products }) =>
            products.map(({ code, version }) => `${code} v${version}`).join(', '),
          Started: ({ started_at }) => <Time as="exact" at={started_at} />,
          Renews: ({ renews_at }) => <Time as="exact" at={renews_at} />,
          Id: ({ id }) => <Id id={id} />,
        }}
      />
    </Section>
  );
}

type AccountProps = CustomerProps & { readonly account: WalletAccountRow };

function Account({ request, customer, account }: AccountProps): VNode {
  const { account_id: name, asset, available } = account;
  const context = request.contextOf(customer.owner);
  const text = (amount: string) => quantity(context, amount, asset);
  const grants = context.tables.grants.list('account', key(customer.id, name));
  const points = balancePoints(context, account);
  return (
    <Section id={`account-${name}`} title={name}>
      <p class="balance" data-testid="balance">
        {text(available)}
      </p>
      <Chart
        summary={`Balance of ${name} over time: ${text(available)} now, after ${points.length - 1} movements.`}
        series={[{ name, points }]}
        between="steps"
        unit={asset}
      />
      {grants.length > 0 && <h3>Grants</h3>}
      <Grants grants={grants} text={text} />
    </Section>
  );
}

/** The balance after each movement, and now. */
function balancePoints({ tables, now }: Context, account: WalletAccountRow): Point[] {
  const points = tables.transactions
    .list('customer', account.customer_id)
    .filter(({ account_id }) => account_id === account.account_id)
    .map((row) => ({
      at: toMillis(row.created_at),
      value: Number(row.balance_after),
      title: `${row.balance_after} from ${row.created_at}`,
    }));
  if (points.length > 0)
    points.push({
      at: toMillis(now),
      value: Number(account.available),
      title: `${account.available} now`,
    });
  return points;
}

const MOST_GRANTS = 100;

interface GrantsProps {
  readonly grants: readonly GrantRow[];
  readonly text: (amount: string) => string;
}

/** Grants, the latest first. */
function Grants({ grants, text }: GrantsProps): VNode | null {
  if (grants.length === 0) return null;
  return (
    <DataTable
      label={`Grants of ${grants[0]?.account_id}`}
      rows={grants.toReversed()}
      most={MOST_GRANTS}
      columns={{
        Purpose: ({ purpose }) => purpose,
        Source: ({ source }) => source.replace('_', '-'),
        '#Left': ({ remaining }) => text(remaining),
        '#Given': ({ amount }) => text(amount),
        Begins: ({ effective_at }) => <Time as="exact" at={effective_at} />,
        Ends: ({ expires_at }) => <Time as="exact" at={expires_at} none="never" />,
        Grant: ({ id }) => <Id id={id} />,
      }}
    />
  );
}
