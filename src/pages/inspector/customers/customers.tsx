import { type Decimal, decimal, format } from '../../../domain/decimal.ts';
import { type Profitability, profitability } from '../../../domain/profitability.ts';
import { activeSubscriptions } from '../../../resources/customers/customer-lookup.ts';
import { presentCustomer } from '../../../resources/subscribers/customers.ts';
import { rowsOf } from '../../../store/query.ts';
import type { CustomerRow } from '../../../store/records.ts';
import type { Row } from '../../../store/row.ts';
import type { Tables } from '../../../store/schema.ts';
import type { Table } from '../../../store/table.ts';
import type { World } from '../../../store/world.ts';
import {
  Amount,
  type AmountProps,
  amountLines,
  SubscriptionPrice,
  sumsByAsset,
} from '../../amount.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, namesOf, SendLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import type { List } from '../search/list.ts';
import { namedValue, type Search } from '../search/search.ts';

/** All customers with their balances and revenue. */
export const CUSTOMERS: List<CustomerRow> = {
  section: 'customers',
  label: 'Customers',
  rows: ({ world }) => rowsOf(world.tables.customers),
  actions: () => (
    <SendLink to={{ operation: 'createCustomer', fill: 'required' }}>Create a customer</SendLink>
  ),
  before: () => <CustomerTabs current="customers" />,
  present: (row, request) => presentCustomer(request.contextOf(row.owner), row),
  figures: (row, request) => {
    const { gross_revenue, total_costs } = profitOfCustomer(request, row);
    const balances = balancesOf(request, row).map(({ asset, amount }) => [asset, amount]);
    return {
      revenue: format(gross_revenue),
      cost: format(total_costs),
      currency: request.control.settings.reporting_currency,
      balance: Object.fromEntries(balances),
    };
  },
  at: (row) => row.created_at,
  fields: {
    customer: ({ id, external_id, name }) => [id, external_id, name],
    account: ({ owner }) => [owner],
    email: ({ email }) => [email],
    balance: (row, request) => balancesOf(request, row).map(({ amount }) => amount),
    revenue: (row, request) => [format(profitOfCustomer(request, row).gross_revenue)],
    status: ({ id }, { world }) => statusesOf(world, id),
  },
  columns: (request) => ({
    Customer: (row) => <CustomerLink id={row.id} />,
    'External id': (row) => <Words text={row.external_id} />,
    Plan: (row) => <Plan row={row} />,
    '^#Balance': (row) => amountLines(balancesOf(request, row)),
    '#Revenue': (row) => reported(request, profitOfCustomer(request, row).gross_revenue),
    '#Net revenue': (row) => reported(request, profitOfCustomer(request, row).net_revenue),
    Created: (row) => <Time as="day" at={row.created_at} />,
  }),
  orders: {
    Customer: ({ name }) => name.toLowerCase(),
    Balance: (row, request) => lowestOf(request, row),
    Revenue: (row, request) => Number(profitOfCustomer(request, row).gross_revenue),
    'Net revenue': (row, request) => Number(profitOfCustomer(request, row).net_revenue),
    Created: ({ created_at }) => created_at,
  },
  chips: [{ Active: 'status:active', Unpaid: 'status:unpaid', 'Below zero': 'balance:<0' }],
  empty: 'No customers yet.',
};

export const showCustomers = listPage(CUSTOMERS);

const TABS = { customers: 'All customers', profit: 'Profit' } as const;

/** The tabs of the section: who there is, and who loses money. */
export function CustomerTabs({ current }: { readonly current: keyof typeof TABS }) {
  const { link } = useRequest();
  return (
    <nav class="tabs" aria-label="Customers">
      {(['customers', 'profit'] as const).map((page) => (
        <a key={page} href={link(page)} aria-current={page === current ? 'page' : undefined}>
          {TABS[page]}
        </a>
      ))}
    </nav>
  );
}

/** The products of a customer's active subscriptions, each with its price. */
function Plan({ row }: { readonly row: CustomerRow }) {
  const { world } = useRequest();
  const rows = activeSubscriptions(world.tables, row.id);
  return (
    <>
      {rows.slice(0, MAX_PLANS).map((subscription) => (
        <div key={subscription.id}>
          <Words text={namesOf(world.tables, subscription)} />{' '}
          <SubscriptionPrice subscription={subscription} />
        </div>
      ))}
    </>
  );
}

const MAX_PLANS = 3;

/** An amount in the reporting currency. */
export const reported = ({ control }: InspectorRequest, amount: Decimal) => (
  <Amount amount={format(amount)} asset={control.settings.reporting_currency} />
);

/** What a customer brings in and costs. @units the reporting currency */
export function profitOfCustomer({ world }: InspectorRequest, { id }: CustomerRow): Profitability {
  const { revenue = '0', cost = '0' } = world.tables.totals.get(id) ?? {};
  return profitability(decimal(revenue), decimal(cost));
}

/** Returns the names by which a search finds a customer; none if there is no such customer. */
export function customerNames({ tables }: World, id: string): readonly (string | undefined)[] {
  const customer = tables.customers.get(id);
  return [customer?.id, customer?.external_id, customer?.name];
}

/** The statuses of a customer's subscriptions. One with status `action_required` is found by `unpaid` too. */
function statusesOf({ tables }: World, id: string): readonly string[] {
  const statuses = rowsOf(tables.subscriptions, { customer_id: id }).map(({ status }) => status);
  return statuses.includes('action_required') ? [...statuses, 'unpaid'] : statuses;
}

/** The balance in the reporting currency, for sorting; what is owed comes first. */
const lowestOf = (request: InspectorRequest, row: CustomerRow): number =>
  Number(
    balancesOf(request, row).find(
      ({ asset }) => asset === request.control.settings.reporting_currency,
    )?.amount ?? 0,
  );

/** Returns a customer's balance in each asset, summed over its accounts. */
export const balancesOf = (
  { world }: InspectorRequest,
  { id }: CustomerRow,
): readonly AmountProps[] =>
  sumsByAsset(
    rowsOf(world.tables.wallet_accounts, { customer_id: id }).map(
      ({ owner, asset, available }) => ({ owner, asset, amount: available }),
    ),
  );

/** Narrows a list to the rows of the customer whose id is in the search; undefined if there is none. */
export const ofCustomer =
  <R extends Row & { readonly customer_id: string }>(tableOf: (tables: Tables) => Table<R>) =>
  (search: Search, { world: { tables } }: InspectorRequest): readonly R[] | undefined => {
    const id = namedValue(search, 'customer') ?? '';
    return tables.customers.get(id) && rowsOf(tableOf(tables), { customer_id: id } as Partial<R>);
  };
