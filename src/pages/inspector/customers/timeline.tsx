import { groupBy } from '../../../domain/collections.ts';
import type { Day } from '../../../domain/instant.ts';
import { rowsOf } from '../../../store/query.ts';
import { Amount, amountLines, sumsByAsset } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { PageLinks, pageOf, Section } from '../../parts.tsx';
import { dayIn } from '../../time.tsx';
import { capitalized, numberText } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import type { CustomerProps } from '../links.tsx';
import { Chips } from '../search-box.tsx';
import {
  MAX_LOOKED_AT,
  TIMELINE_KINDS,
  type TimelineEntry,
  timelineOf,
} from './timeline-entries.tsx';

const PAGE_SIZE = 40;

/** A customer's timeline, newest first: all entries, or one kind. */
export function Timeline({ customer }: CustomerProps) {
  const request = useRequest();
  const all = timelineOf(request, customer);
  const byKind = groupBy(all, ({ kind }) => kind as string);
  const counts = TIMELINE_KINDS.map((kind) => [kind, byKind.get(kind)?.length ?? 0] as const);
  const wanted = request.query('q');
  const entries = byKind.get(wanted) ?? all;
  const { page, pages } = pageOf(entries.length, PAGE_SIZE, request.query('page'));
  const shown = entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <Section id="timeline" title="Timeline">
      <Chips
        total={all.length}
        chips={Object.fromEntries(TIMELINE_KINDS.map((kind) => [capitalized(kind), kind]))}
        counts={new Map(counts)}
      />
      <Bound customer={customer} />
      <DataTable
        label="Timeline"
        rows={shown}
        time={{
          of: ({ at }) => at,
          aboutDay: (day) => <Spend entries={entries} day={day} />,
        }}
        columns={{
          What: ({ what }) => what,
          Kind: ({ kind }) => <span class="muted">{capitalized(kind)}</span>,
          '^#Amount': ({ amounts = [] }) => amountLines(amounts),
        }}
        empty="No activity yet."
      />
      <PageLinks
        label="Pages of the timeline"
        page={page}
        pages={pages}
        to={(number) => request.here({ page: number })}
      />
    </Section>
  );
}

function Bound({ customer }: CustomerProps) {
  const { world } = useRequest();
  const { events, transactions } = world.tables;
  const own = { customer_id: customer.id };
  const isCut = [rowsOf(events, own), rowsOf(transactions, own)].some(
    ({ length }) => length > MAX_LOOKED_AT,
  );
  if (!isCut) return null;
  return <p class="muted">Shows at most the latest {numberText(MAX_LOOKED_AT)} of each kind.</p>;
}

interface SpendProps {
  readonly entries: readonly TimelineEntry[];
  readonly day: Day;
}

/** What usage and plan fees of a day come to, if they are several; without usage that is folded by week. */
function Spend({ entries, day }: SpendProps) {
  const { zone } = useRequest();
  const spending = entries.filter(({ at, isSpend }) => isSpend && dayIn(at, zone) === day);
  if (spending.length < 2) return null;
  return (
    <>
      spend{' '}
      {sumsByAsset(spending.flatMap(({ amounts = [] }) => amounts)).map((each, place) => [
        place > 0 && ', ',
        <Amount key={each.asset} {...each} />,
      ])}
    </>
  );
}
