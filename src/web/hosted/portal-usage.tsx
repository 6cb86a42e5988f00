import type { VNode } from 'preact';
import { decimal, format, negate } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import type { FeeTerms, PortalVisitRow } from '../../state/records.ts';
import { type Columns, DataTable } from '../data-table.tsx';
import { feeExplanation } from '../fee-explanation.ts';
import { PageLinks } from '../page-links.tsx';
import { Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { pairsText, quantity } from '../wording.ts';
import type { PortalUsage, UsagePage } from './portal.ts';

interface UsageHistoryProps {
  readonly context: Context;
  readonly visit: PortalVisitRow;
  readonly usage: UsagePage;
}

/** What was used, newest first, with how each fee came about. */
export function UsageHistory({ context, visit, usage }: UsageHistoryProps): VNode {
  const { entries, page, pages } = usage;
  return (
    <Section id="usage" title="Usage" isLandmark>
      <DataTable
        label="Usage history"
        rows={entries.flatMap((entry) => linesOf(context, entry))}
        columns={COLUMNS}
        empty="Nothing was used yet."
        testId="usage-row"
      />
      <PageLinks
        label="Pages of usage"
        page={page}
        pages={pages}
        to={(number) => `${visitPath(visit)}?usage=${number}#usage`}
      />
    </Section>
  );
}

/** A fee of something that was used, or what was used for no fee. */
interface UsageLine {
  readonly at: Instant;
  readonly subject: string | undefined;
  readonly what: string;
  readonly product?: string;
  readonly explanation?: string;
  readonly dimensions?: string;
  readonly fee: string;
}

const COLUMNS: Columns<UsageLine> = {
  When: ({ at }) => <Time at={at} />,
  Subject: ({ subject }) => <Words text={subject} />,
  What: ({ what }) => <Words text={what} />,
  Product: ({ product }) => <Words text={product} />,
  'How it was worked out': ({ explanation, dimensions }) => (
    <>
      {explanation}
      {dimensions && (
        <>
          <br />
          <small>
            <bdi>{dimensions}</bdi>
          </small>
        </>
      )}
    </>
  ),
  '#Fee': ({ fee }) => fee,
};

function linesOf(context: Context, usage: PortalUsage): UsageLine[] {
  if (usage.kind === 'charge') {
    const { created_at, subject, description = 'Charge', amount, asset } = usage.charge;
    const explanation = 'Charged by the seller';
    const fee = quantity(context, format(negate(decimal(amount))), asset);
    return [{ at: created_at, subject, what: description, explanation, fee }];
  }
  const { occurred_at, subject, description, event_type, fees } = usage.event;
  const event = { at: occurred_at, subject, what: description ?? event_type };
  if (fees.length === 0) return [{ ...event, fee: 'No fee' }];
  return fees.map((fee) => ({
    ...event,
    product: `${productName(context, fee.terms)}: ${fee.terms.price_name}`,
    explanation: feeExplanation(context, fee),
    dimensions: pairsText(fee.terms.dimensions),
    fee: quantity(context, fee.amount, fee.terms.currency),
  }));
}

function productName({ tables }: Context, { product_id, product_code }: FeeTerms): string {
  const versions = tables.versions.list('product', product_id);
  return versions.at(-1)?.name ?? product_code;
}
