import type { VNode } from 'preact';
import { compareWorlds, type TableDifference } from '../../../control/comparison/compare-worlds.ts';
import { snapshotNamed } from '../../../control/comparison/diff.ts';
import { inSlices } from '../../../state/resumable.ts';
import { snapshotsOf } from '../../../state/snapshots.ts';
import type { WorldImage } from '../../../state/world.ts';
import type { PageAnswer } from '../../answer.ts';
import { TableSection } from '../../data-table.tsx';
import { Button, Choice } from '../../forms.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { orShowAgain } from '../run-control-operation.ts';
import { DifferenceTables } from './difference-tables.tsx';

const MOST_ROWS = 50;
const NOW = '';

/** What differs between two snapshots, or a snapshot and now, side by side. @assumes A-1408 */
export function showDiff(request: InspectorRequest): Promise<PageAnswer> {
  const sides = [request.query('from'), request.query('to')] as const;
  return orShowAgain(request, comparePage, async () => {
    const [from, to] = sides.map((name) => imageOf(request, name)) as [WorldImage, WorldImage];
    const found = await inSlices(compareWorlds(from, to, { limit: MOST_ROWS }));
    return comparePage(request, <Found sides={sides} found={found} />);
  });
}

const imageOf = ({ world }: InspectorRequest, name: string): WorldImage =>
  name === NOW ? world.capture() : snapshotNamed(name, 'name', { world });

function comparePage(request: InspectorRequest, found?: VNode) {
  return (
    <InspectorPage request={request} section="/snapshots" title="Compare" path>
      <Sides />
      {found}
    </InspectorPage>
  );
}

function Sides() {
  const request = useRequest();
  const names = [...snapshotsOf(request.world).keys()].sort();
  const options = [[NOW, 'Now'] as const, ...names];
  return (
    <form method="get" action={request.link('/snapshots/diff')} class="line">
      <input type="hidden" name="key" value={request.key} />
      <Choice label="From" name="from" options={options} chosen={request.query('from')} />
      <Choice label="To" name="to" options={options} chosen={request.query('to')} />
      <Button>Compare</Button>
    </form>
  );
}

interface FoundProps {
  readonly sides: readonly [from: string, to: string];
  readonly found: readonly TableDifference[];
}

function Found({ sides, found }: FoundProps) {
  if (found.length === 0)
    return (
      <p role="status" data-testid="equal">
        No differences.
      </p>
    );
  const derived = found.filter((each) => each.derived);
  return (
    <>
      {found
        .filter((each) => !each.derived)
        .map((difference) => (
          <DifferenceTables key={difference.table} sides={sides} difference={difference} />
        ))}
      {derived.length > 0 && <Derived found={derived} />}
    </>
  );
}

/** What only sums up or counts the rest. */
function Derived({ found }: { readonly found: readonly TableDifference[] }) {
  return (
    <TableSection
      id="derived"
      title="Derived rows"
      rows={found}
      columns={{
        Records: ({ words }) => words,
        '#Added': ({ added }) => added.toLocaleString('en'),
        '#Removed': ({ removed }) => removed.toLocaleString('en'),
        '#Changed': ({ changed }) => changed.toLocaleString('en'),
      }}
    />
  );
}
