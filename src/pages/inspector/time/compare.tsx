import type { VNode } from 'preact';
import {
  compareWorlds,
  type TableChanges,
  type WorldChanges,
} from '../../../control/comparison.ts';
import { snapshotNamed } from '../../../control/scope.ts';
import type { Instant } from '../../../domain/instant.ts';
import { snapshotsOf } from '../../../store/snapshots.ts';
import { runTimeSliced } from '../../../store/time-sliced.ts';
import type { WorldImage } from '../../../store/world.ts';
import { plural } from '../../../text/wording.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Shown } from '../../data-table.tsx';
import { Button, Choice } from '../../forms.tsx';
import { Facts, Section } from '../../parts.tsx';
import { dayText, fieldWord, numberText } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, orShowAgain, useRequest } from '../inspector-request.ts';
import { QueryForm } from '../links.tsx';
import { ChangesTable, changesText } from '../requests/changes.tsx';

const MAX_ROWS = 25;
const NOW = '';

/** Compares two snapshots, or a snapshot with the current state, side by side. @assumes A-1408 */
export function showComparison(request: InspectorRequest): Promise<PageAnswer> {
  return orShowAgain(request, { page: 'compare', show: comparePage }, async () => {
    const [from, to] = [imageOf(request, 'from'), imageOf(request, 'to')];
    const found = await runTimeSliced(compareWorlds(from, to, { limit: MAX_ROWS }));
    const customers = [from, to].flatMap(({ tables }) => tables.customers ?? []);
    const all = new Set(customers.map(({ id }) => id));
    const differ = found.customers.size === 1 ? 'differs' : 'differ';
    const title = `${numberText(found.customers.size)} of ${plural(all.size, 'customer')} ${differ}`;
    return comparePage(request, <Found found={found} from={from} to={to} />, title);
  });
}

function imageOf({ world, query }: InspectorRequest, side: 'from' | 'to'): WorldImage {
  const name = query(side);
  return name === NOW ? world.capture() : snapshotNamed(name, 'name', { world });
}

function comparePage(request: InspectorRequest, found?: VNode, title = 'Compare') {
  return (
    <InspectorPage request={request} section="time" title={title} path="Compare">
      <SideChoice />
      {found}
    </InspectorPage>
  );
}

function SideChoice() {
  const { world, query } = useRequest();
  const snapshots = [...snapshotsOf(world).values()].map(
    ({ name, saved_at }) => [name, `${name}, ${momentText(saved_at)}`] as const,
  );
  const options = [[NOW, `now, ${momentText(world.now)}`] as const, ...snapshots];
  return (
    <QueryForm page="compare" layout="line">
      <Choice label="From" name="from" options={options} chosen={query('from')} />
      <Choice label="To" name="to" options={options} chosen={query('to')} />
      <Button>Compare</Button>
    </QueryForm>
  );
}

const momentText = (at: Instant): string => `${dayText(at)}, ${at.slice(11, 16)}`;

type FoundProps = Record<'from' | 'to', WorldImage> & { readonly found: WorldChanges };

function Found({ found, from, to }: FoundProps) {
  const { tables, changes } = found;
  if (tables.length === 0)
    return (
      <p role="status" data-testid="equal">
        No differences.
      </p>
    );
  const shown = tables.filter(({ derived }) => !derived);
  return (
    <>
      <Facts
        areFigures
        facts={{
          'Requests between': numberText(Math.abs(to.requests - from.requests)),
          ...Object.fromEntries(shown.flatMap(figureOf)),
        }}
      />
      {shown.map((counts) => (
        <Differences key={counts.table} counts={counts} changes={changes} />
      ))}
    </>
  );
}

/** How many records of a table there are, if their number differs, and by how much. */
function figureOf({ words, from, to }: TableChanges) {
  if (from === to) return [];
  const difference = `${to > from ? '+' : '−'}${numberText(Math.abs(to - from))}`;
  const figure = (
    <>
      {numberText(to)} <small class="muted">{difference}</small>
    </>
  );
  return [[fieldWord(words), figure] as const];
}

interface DifferencesProps extends Pick<WorldChanges, 'changes'> {
  readonly counts: TableChanges;
}

/** The differences in one table, each on both sides. */
function Differences({ counts, changes }: DifferencesProps) {
  const { table, words, added, removed, changed } = counts;
  const listed = changes.filter((change) => change.table === table);
  const title = fieldWord(words);
  return (
    <Section id={`diff-${table}`} title={title} aside={changesText((kind) => counts[kind])}>
      <ChangesTable label={title} changes={listed} />
      <Shown count={listed.length} total={added + removed + changed} />
    </Section>
  );
}
