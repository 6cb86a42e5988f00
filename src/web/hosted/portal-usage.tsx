import { type DecimalText, decimal, format, negate } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import type { FeeTerms } from '../../state/records.ts';
import { Amount } from '../amount.tsx';
import { type Columns, DataTable } from '../data-table.tsx';
import { feeExplanation } from '../fee-explanation.ts';
import { PageLinks, Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { pairsText } from '../wording.ts';
import { usePortal } from './portal.ts';
import { type PortalUsage, usagePage } from './portal-history.ts';

/** What was used, newest first, with how each fee came about. */
export function UsageHistory() {
  const { visit, ...portal } = usePortal();
  const { rows, page, pages } = usagePage(portal);
  return (
    <Section id="usage" title="Usage" isLandmark>
      <DataTable
        label="Usage history"
        rows={rows.flatMap((row) => linesOf(portal.context, row))}
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
  readonly fee?: { readonly amount: DecimalText; readonly asset: string };
}

const COLUMNS: Columns<UsageLine> = {
  What: ({ what }) => <Words text={what} />,
  When: ({ at }) => <Time at={at} />,
  Subject: ({ subject }) => <Words text={subject} />,
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
  '^#Fee': ({ fee }) => (fee ? <Amount {...fee} /> : 'No fee'),
};

function linesOf(context: Context, usage: PortalUsage): UsageLine[] {
  if (!('fees' in usage)) {
    const { created_at, subject, description = 'Charge', asset } = usage;
    const explanation = 'Charged by the seller';
    const fee = { amount: format(negate(decimal(usage.amount))), asset };
    return [{ at: created_at, subject, what: description, explanation, fee }];
  }
  const { occurred_at, subject, description, event_type, fees } = usage;
  const event = { at: occurred_at, subject, what: description ?? event_type };
  if (fees.length === 0) return [event];
  return fees.map((fee) => ({
    ...event,
    product: `${productName(context, fee.terms)}: ${fee.terms.price_name}`,
    explanation: feeExplanation(context, fee),
    dimensions: pairsText(fee.terms.dimensions),
    fee: { amount: fee.amount, asset: fee.terms.currency },
  }));
}

function productName({ tables }: Context, { product_id, product_code }: FeeTerms): string {
  const versions = tables.versions.list('product', product_id);
  return versions.at(-1)?.name ?? product_code;
}
