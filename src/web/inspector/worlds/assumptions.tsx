import type { VNode } from 'preact';
import { type Assumption, readAssumptions } from '../../../spec/assumptions.ts';
import type { PageAnswer } from '../../answer.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';

let register: readonly Assumption[] | undefined;

/** What was decided where the specification of the service is silent. */
export function showAssumptions(request: InspectorRequest): PageAnswer {
  register ??= readAssumptions().toReversed();
  return {
    page: (
      <InspectorPage request={request} section="/assumptions">
        <Listing
          request={request}
          path="/assumptions"
          label="Assumptions"
          rows={register}
          fields={['id', 'area', 'kind', 'weight', 'evidence', 'operation', 'setting']}
          subjectOf={(row) => ({
            fields: {
              id: [row.id],
              area: [row.area],
              kind: [row.kind],
              weight: [row.weight],
              evidence: [row.evidence],
              operation: [row.operations ?? []].flat(),
              setting: row.settings ?? [],
            },
            text: () => JSON.stringify(row),
          })}
          headings={['Assumption', 'Decision']}
          cells={(row) => [
            <Heading key="heading" row={row} />,
            <Decision key="decision" row={row} />,
          ]}
          empty="There are none."
        />
      </InspectorPage>
    ),
  };
}

interface RowProps {
  readonly row: Assumption;
}

function Heading({ row: { id, title, area, kind, weight, evidence, settings } }: RowProps): VNode {
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

function Decision({ row: { gap, decision, reason } }: RowProps): VNode {
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

/** A text whose code stands between backticks. */
function Coded({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text
        .split('`')
        .map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece))}
    </>
  );
}
