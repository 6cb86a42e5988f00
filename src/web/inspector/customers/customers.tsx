import { add, type DecimalText, decimal, format } from '../../../domain/decimal.ts';
import type { CustomerRow } from '../../../state/records.ts';
import { Amount } from '../../amount.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { money } from '../../wording.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { rowsOf } from '../rows.ts';

/** Every customer with balances and what they brought in. */
export const showCustomers = listPage({
  section: '/customers',
  label: 'Customers',
  rows: (request) => rowsOf(request, request.world.tables.customers),
  at: (row) => row.created_at,
  fields: {
    customer: customerNames,
    email: ({ email }) => [email],
    metadata: ({ metadata }) => Object.values(metadata ?? {}),
  },
  columns: (request) => ({
    Customer: (row) => <CustomerLink request={request} id={row.id} />,
    'External id': (row) => <Words text={row.external_id} />,
    '^Balances': (row) =>
      [...balancesOf(request, row)].map(([asset, amount]) => (
        <div key={asset}>
          <Amount context={request.contextOf(row.owner)} amount={amount} asset={asset} />
        </div>
      )),
    '#Revenue': (row) => customerTotal(request, row, 'revenue'),
    '#Cost': (row) => customerTotal(request, row, 'cost'),
    Created: (row) => <Time as="exact" at={row.created_at} />,
  }),
  empty: 'There are no customers.',
});

/** What a customer brought in, or what it cost. */
export function customerTotal(
  { world, options }: InspectorRequest,
  { id }: CustomerRow,
  which: 'revenue' | 'cost',
): string {
  return money(world.tables.totals.get(id)?.[which] ?? '0', options.settings.reporting_currency);
}

/** What a search may call a customer. */
export function customerNames(row: CustomerRow | undefined): readonly (string | undefined)[] {
  return [row?.id, row?.external_id, row?.name];
}

/** What a customer has of each asset, over its accounts. */
export function balancesOf(
  { world }: InspectorRequest,
  { id }: CustomerRow,
): ReadonlyMap<string, DecimalText> {
  const sums = new Map<string, DecimalText>();
  for (const { asset, available } of world.tables.wallet_accounts.list('customer', id))
    sums.set(asset, format(add(decimal(sums.get(asset) ?? '0'), decimal(available))));
  return sums;
}
