import { add, decimal, format } from '../../../domain/decimal.ts';
import type { CustomerRow } from '../../../state/records.ts';
import type { PageAnswer } from '../../answer.ts';
import { Words } from '../../sections.tsx';
import { money, quantity } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { CustomerLink, WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';

/** Every customer with balances and what they brought in. */
export function showCustomers(request: InspectorRequest): PageAnswer {
  const { tables } = request.world;
  return {
    page: (
      <InspectorPage request={request} section="/customers">
        <Listing
          request={request}
          path="/customers"
          label="Customers"
          rows={rowsOf(request, tables.customers)}
          fields={['customer', 'email', 'metadata']}
          subjectOf={(row) => ({
            at: row.created_at,
            fields: {
              customer: customerNames(row),
              email: [row.email],
              metadata: Object.values(row.metadata ?? {}),
            },
            text: () => JSON.stringify(row),
          })}
          headings={['Customer', 'External id', 'Balances', '#Revenue', '#Cost', 'Created']}
          cells={(row) => {
            const totals = tables.totals.get(row.id);
            const { reporting_currency } = request.options.settings;
            return [
              <CustomerLink key="name" request={request} id={row.id} />,
              <Words key="external" text={row.external_id} />,
              balancesOf(request, row),
              money(totals?.revenue ?? '0', reporting_currency),
              money(totals?.cost ?? '0', reporting_currency),
              <WorldTime key="at" at={row.created_at} />,
            ];
          }}
          empty="There are no customers."
        />
      </InspectorPage>
    ),
  };
}

/** What a search may call a customer. */
export function customerNames(row: CustomerRow | undefined): readonly (string | undefined)[] {
  return [row?.id, row?.external_id, row?.name];
}

/** What a customer has of each asset, over its accounts. */
function balancesOf(request: InspectorRequest, { id, owner }: CustomerRow): string {
  const sums = new Map<string, string>();
  for (const { asset, available } of request.world.tables.wallet_accounts.list('customer', id))
    sums.set(asset, format(add(decimal(sums.get(asset) ?? '0'), decimal(available))));
  const context = request.contextOf(owner);
  return [...sums].map(([asset, amount]) => quantity(context, amount, asset)).join(', ');
}
