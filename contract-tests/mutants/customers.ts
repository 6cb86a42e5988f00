import { Refusal, RuleViolation } from 'billing-emulator/internals';
import {
  asking,
  declared,
  each,
  forgetting,
  ignoring,
  type Loose,
  type Mutant,
  onRefusal,
  showing,
} from './mutant.ts';

/** When a request is rejected because of a unique field, repeats it without that field. */
const forgive = (field: string) =>
  onRefusal((error, call, _, run) => {
    if (!(error instanceof RuleViolation)) return undefined;
    if (!error.findings.every((finding) => finding.field === field)) return undefined;
    const { [field]: __, ...body } = call.body;
    return run({ ...call, body });
  });

export const customerMutants: readonly Mutant[] = [
  declared('A match of external_id answers 200', ['CUS-04'], {
    listCustomers: (call, { tables }, run) => {
      const { external_id, ...query } = call.query;
      const found = [...tables.customers.values()].find((row) => row.external_id === external_id);
      return found ? run({ ...call, query: { ...query, customer_id: found.id } }) : run();
    },
  }),
  declared('No match of external_id answers an empty page', ['CUS-04'], {
    listCustomers: onRefusal((error) => {
      if (!(error instanceof Refusal)) return undefined;
      return { status: 200, body: { items: [], total_count: 0, limit: 100, offset: 0 } };
    }),
  }),
  declared('The email filter is ignored', ['CUS-06'], { listCustomers: ignoring('email') }),
  declared('The name filter is ignored', ['CUS-19'], { listCustomers: ignoring('name') }),
  declared('The customer_id filter is ignored', ['CUS-09'], {
    listCustomers: ignoring('customer_id'),
  }),
  declared('The status filter is ignored', ['CUS-09'], { listCustomers: ignoring('status') }),
  declared('A subscription awaiting payment is counted', ['SUB-11'], {
    listCustomers: each('items', (item, _, { tables }) => ({
      active_subscription_count: tables.subscriptions.list('customer', item.id).length,
    })),
  }),
  declared('A used external_id is accepted', ['CUS-03'], {
    createCustomer: forgive('external_id'),
  }),
  declared("A vendor's used external_id is accepted", ['VND-07'], {
    createVendor: forgive('external_id'),
  }),
  declared("An account's used external_id is accepted", ['ACC-02', 'X-41'], {
    createConnectedAccount: forgive('external_id'),
  }),
  declared('Metadata of a customer is lost', ['CUS-01'], {
    createCustomer: forgetting('metadata'),
  }),
  declared('Metadata of an account is lost', ['ACC-09'], {
    createConnectedAccount: forgetting('metadata'),
  }),
  declared('External accounts are lost', ['CUS-01'], {
    createCustomer: forgetting('external_accounts'),
  }),
  declared('An update of a customer changes nothing', ['CUS-12'], {
    updateCustomer: asking(() => ({ body: {} })),
  }),
  declared('An unknown customer is updated', ['CUS-11'], {
    updateCustomer: () => ({ status: 204 }),
  }),
  declared('Margin is costs over revenue', ['CUS-16'], {
    getCustomerStats: showing((body) => ({
      margin: body.gross_revenue === 0 ? 0 : body.total_costs / body.gross_revenue,
    })),
  }),
  declared('Net revenue adds the costs', ['CUS-16'], {
    getCustomerStats: showing((body) => ({ net_revenue: body.gross_revenue + body.total_costs })),
  }),
  declared('The last day of a stats period is left out', ['CUS-14'], {
    listCustomerStats: (call, _, run) => {
      const reply = run({ ...call, query: shortened(call.query) });
      return { ...reply, body: { ...reply.body, period_to: call.query.period_to } };
    },
  }),
  declared('The stats period is not echoed', ['CUS-13'], {
    listCustomerStats: showing(() => ({ period_from: '1970-01-01' })),
  }),
  declared('The external_id filter of accounts is ignored', ['ACC-02', 'X-41'], {
    listConnectedAccounts: ignoring('external_id'),
  }),
  declared('The external_id filter of vendors is ignored', ['VND-01'], {
    listVendors: ignoring('external_id'),
  }),
  declared('Costs of all vendors are merged', ['VND-04'], {
    getVendorStats: showing((body, _, { tables }) => {
      const costs = [...tables.vendor_days.values()].map(({ cost }) => Number(cost));
      body.total_costs = costs.reduce((sum, cost) => sum + cost, 0);
    }),
  }),
  declared("Another account's objects are visible", ['X-37', 'X-21'], {
    getCustomer: onRefusal((_error, call, { tables }) => {
      const row = tables.customers.get(call.path.customerId);
      if (!row) return undefined;
      const { id, name, created_at } = row;
      const none = { metadata: null, active_subscription_count: 0 };
      const lists = { subscriptions: [], external_accounts: [] };
      return { status: 200, body: { id, name, created_at, ...none, ...lists } };
    }),
  }),
  declared('Customers whose subscriptions have all ended are not listed', ['CUS-60'], {
    listCustomers: showing(({ items }, _, { tables }) => {
      const isGone = ({ id }: Loose) => {
        const all = tables.subscriptions.list('customer', id);
        return all.length > 0 && all.every(({ status }) => status === 'inactive');
      };
      const left = items?.filter((item: Loose) => !isGone(item));
      return left && { items: left, total_count: left.length };
    }),
  }),
];

/** The query with a period that ends one day earlier. */
function shortened(query: Loose): Loose {
  if (query.period_to === undefined) return query;
  const day = new Date(Date.parse(query.period_to) - 86_400_000).toISOString().slice(0, 10);
  return { ...query, period_to: day < query.period_from ? query.period_from : day };
}
