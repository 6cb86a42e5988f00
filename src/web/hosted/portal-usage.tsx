import type { VNode } from 'preact';
import { decimal, format, negate } from '../../domain/decimal.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import type { EventRow, FeeRecord, PortalVisitRow, TransactionRow } from '../../state/records.ts';
import { dimensionsText, feeExplanation } from '../fee-explanation.ts';
import { DataTable, PageSection, Time, Words } from '../sections.tsx';
import { quantity } from '../wording.ts';
import type { PortalUsage, UsagePage } from './portal.ts';

const HEADINGS = ['When', 'Subject', 'What', 'Product', 'How it was worked out', '#Fee'];

/** What was used, newest first, with how each fee came about. */
export function UsageHistory({
  context,
  visit,
  usage,
}: {
  readonly context: Context;
  readonly visit: PortalVisitRow;
  readonly usage: UsagePage;
}): VNode {
  const { entries, page, pages } = usage;
  return (
    <PageSection id="usage" title="Usage">
      {entries.length === 0 ? (
        <p>Nothing was used yet.</p>
      ) : (
        <DataTable label="Usage history" headings={HEADINGS}>
          {entries.flatMap((entry) => rowsOf(context, entry))}
        </DataTable>
      )}
      {pages > 1 && (
        <nav aria-label="Pages of usage" class="pages">
          {page > 1 && <a href={`${visitPath(visit)}?usage=${page - 1}#usage`}>Newer</a>}
          <span>
            Page {page} of {pages}
          </span>
          {page < pages && <a href={`${visitPath(visit)}?usage=${page + 1}#usage`}>Older</a>}
        </nav>
      )}
    </PageSection>
  );
}

function rowsOf(context: Context, usage: PortalUsage): VNode[] {
  if (usage.kind === 'charge') return [chargeRow(context, usage.charge)];
  const { event } = usage;
  if (event.fees.length === 0) return [eventRow(context, event, undefined)];
  return event.fees.map((fee) => eventRow(context, event, fee));
}

function eventRow(context: Context, event: EventRow, fee: FeeRecord | undefined): VNode {
  const dimensions = fee ? dimensionsText(fee) : '';
  return (
    <tr key={`${event.id} ${fee?.id}`} data-testid="usage-row">
      <td>
        <Time at={event.occurred_at} />
      </td>
      <td>
        <Words text={event.subject} />
      </td>
      <td>
        <Words text={event.description ?? event.event_type} />
      </td>
      <td>{fee && <Words text={`${productName(context, fee)}: ${fee.price_name}`} />}</td>
      <td>
        {fee && feeExplanation(context, fee)}
        {dimensions !== '' && (
          <>
            <br />
            <small>
              <bdi>{dimensions}</bdi>
            </small>
          </>
        )}
      </td>
      <td class="number">{fee ? quantity(context, fee.amount, fee.currency) : 'No fee'}</td>
    </tr>
  );
}

function chargeRow(context: Context, charge: TransactionRow): VNode {
  const { id, created_at, subject, description, amount, asset } = charge;
  return (
    <tr key={id} data-testid="usage-row">
      <td>
        <Time at={created_at} />
      </td>
      <td>
        <Words text={subject} />
      </td>
      <td>
        <Words text={description ?? 'Charge'} />
      </td>
      <td />
      <td>Charged by the seller</td>
      <td class="number">{quantity(context, format(negate(decimal(amount))), asset)}</td>
    </tr>
  );
}

function productName({ tables }: Context, { product_id, product_code }: FeeRecord): string {
  const versions = tables.versions.list('product', product_id);
  return versions.at(-1)?.name ?? product_code;
}
