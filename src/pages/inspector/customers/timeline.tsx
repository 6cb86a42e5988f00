import { decimal, format, sum } from '../../../domain/decimal.ts';
import type { Day } from '../../../domain/instant.ts';
import { groupBy } from '../../../domain/lists.ts';
import { amountLines } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { PageLinks, pageOf, Section } from '../../parts.tsx';
import { dayIn, Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { Chip } from '../search-box.tsx';
import type { CustomerProps } from './customer-props.ts';
import {
  MAX_LOOKED_AT,
  TIMELINE_KINDS,
  type TimelineEntry,
  type TimelineKind,
  timelineOf,
} from './timeline-entries.tsx';

const PAGE_SIZE = 40;

/** A customer's timeline, newest first: all entries, or one kind. */
export function Timeline({ customer }: CustomerProps) {
  const request = useRequest();
  const all = timelineOf(request, customer);
  const wanted = request.query('kind');
  const entries = Object.hasOwn(TIMELINE_KINDS, wanted)
    ? all.filter(({ kind }) => kind === wanted)
    : all;
  const { page, pages } = pageOf(entries.length, PAGE_SIZE, request.query('page'));
  const shown = entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <Section id="timeline" title="Timeline">
      <Kinds entries={all} wanted={wanted} />
      <Bound customer={customer} />
      <DataTable
        label="Timeline"
        rows={shown}
        dayOf={({ at }) => at}
        aboutDay={(day) => <Spend entries={entries} day={day} />}
        columns={{
          What: ({ what }) => what,
          Kind: ({ kind }) => <span class="muted">{TIMELINE_KINDS[kind]}</span>,
          '^#Amount': ({ amounts = [] }) => amountLines(amounts),
          Time: ({ at }) => <Time as="clock" at={at} />,
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
  const isCut = [events, transactions].some(
    (table) => table.list('customer', customer.id).length > MAX_LOOKED_AT,
  );
  if (!isCut) return null;
  return (
    <p class="muted">Shows at most the latest {MAX_LOOKED_AT.toLocaleString('en')} of each kind.</p>
  );
}

interface SpendProps {
  readonly entries: readonly TimelineEntry[];
  readonly day: Day;
}

/** What usage and plan fees of a day come to, without usage that is folded by week. */
function Spend({ entries, day }: SpendProps) {
  const { zone, contextOf } = useRequest();
  const spent = entries
    .filter(({ at, isSpend }) => isSpend && dayIn(at, zone) === day)
    .flatMap(({ amounts = [] }) => amounts);
  const sums = [...groupBy(spent, ({ asset }) => asset)].map(([asset, each]) =>
    quantity(
      contextOf(each[0]?.owner),
      format(sum(each.map(({ amount }) => decimal(amount)))),
      asset,
    ),
  );
  return sums.length === 0 ? null : <>spend {sums.join(', ')}</>;
}

interface KindsProps {
  readonly entries: readonly TimelineEntry[];
  readonly wanted: string;
}

function Kinds({ entries, wanted }: KindsProps) {
  const { here } = useRequest();
  const choices = Object.entries(TIMELINE_KINDS) as [TimelineKind, string][];
  const chip = (kind: string, name: string, count: number) => (
    <Chip key={kind} href={here({ kind, page: undefined })} isCurrent={kind === wanted}>
      {name} <span class="muted">{count.toLocaleString('en')}</span>
    </Chip>
  );
  return (
    <ul class="chips">
      {chip('', 'All', entries.length)}
      {choices.map(([kind, name]) => {
        const { length } = entries.filter((entry) => entry.kind === kind);
        return length > 0 && chip(kind, name, length);
      })}
    </ul>
  );
}
