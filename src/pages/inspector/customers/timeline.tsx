import { useContext } from 'preact/hooks';
import type { Day } from '../../../domain/instant.ts';
import { Amount, placesOf } from '../../amount.tsx';
import { SurroundingsContext } from '../../page-context.ts';
import { PageLinks, pageOf, Section } from '../../parts.tsx';
import { dayIn, Time } from '../../time.tsx';
import { dayText } from '../../wording.ts';
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
  const pageContext = useContext(SurroundingsContext);
  const days = shown.map(({ at }) => dayIn(at, request.zone));
  const classes = ['timeline', placesOf(shown.flatMap(({ amounts = [] }) => amounts))];
  return (
    <Section id="timeline" title="Timeline">
      <Kinds entries={all} wanted={wanted} />
      <Bound customer={customer} />
      {shown.length === 0 && <p class="muted">No activity yet.</p>}
      <SurroundingsContext.Provider value={{ ...pageContext, isByDay: true }}>
        <ol class={classes.join(' ')}>
          {shown.map((entry, place) => (
            <Entry
              key={place}
              entry={entry}
              day={days[place] === days[place - 1] ? '' : days[place]}
            />
          ))}
        </ol>
      </SurroundingsContext.Provider>
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

interface EntryProps {
  readonly entry: TimelineEntry;
  /** The date, if it differs from the date of the entry above. */
  readonly day: string | undefined;
}

function Entry({ entry: { at, kind, what, amounts = [] }, day }: EntryProps) {
  return (
    <li class={day ? 'entry new-day' : 'entry'}>
      {day ? <time dateTime={day}>{dayText(day as Day)}</time> : <span />}
      <Time as="clock" at={at} />
      <span class="muted kind">{TIMELINE_KINDS[kind]}</span>
      <span>{what}</span>
      <span class="end">
        {amounts.map((amount) => (
          <Amount key={amount.asset} {...amount} />
        ))}
      </span>
    </li>
  );
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
