import { type Assumption, readAssumptions } from '../../../spec/assumptions.ts';
import { listPage } from '../listing.tsx';

let register: readonly Assumption[] | undefined;

/** All assumptions in reverse order, because a list shows its last row first. */
function assumptions(): readonly Assumption[] {
  register ??= readAssumptions().toReversed();
  return register;
}

export const assumptionTitle = (id: string): string =>
  assumptions().find((each) => each.id === id)?.title ?? '';

/** The page of assumptions: decisions where the service's specification is silent. */
export const showAssumptions = listPage({
  section: '/assumptions',
  label: 'Assumptions',
  rows: assumptions,
  present: (row) => row,
  fields: {
    id: ({ id }) => [id],
    area: ({ area }) => [area],
    kind: ({ kind }) => [kind],
    weight: ({ weight }) => [weight],
    evidence: ({ evidence }) => [evidence],
    operation: ({ operations }) => [operations ?? []].flat(),
    setting: ({ settings }) => settings ?? [],
  },
  columns: () => ({
    Assumption: (row) => <Heading row={row} />,
    Decision: (row) => <Decision row={row} />,
  }),
  empty: 'No assumptions.',
});

interface RowProps {
  readonly row: Assumption;
}

function Heading({ row: { id, title, area, kind, weight, evidence, settings } }: RowProps) {
  return (
    <div class="prose narrow">
      <p>
        <strong>{id}</strong>
        <br />
        {title}
      </p>
      <p>
        <small>{[area, kind, weight, evidence].join(', ')}</small>
      </p>
      {settings && (
        <p>
          <small>Set by {settings.join(', ')}</small>
        </p>
      )}
    </div>
  );
}

function Decision({ row: { gap, decision, reason } }: RowProps) {
  return (
    <div class="prose">
      <p>
        <Coded text={decision} />
      </p>
      <p>
        <small>
          Open: <Coded text={gap} />
        </small>
      </p>
      <p>
        <small>
          Because: <Coded text={reason} />
        </small>
      </p>
    </div>
  );
}

/** Text with code between backticks. */
function Coded({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece))}
    </>
  );
}
