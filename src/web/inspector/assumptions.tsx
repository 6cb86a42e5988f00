import { type Assumption, readAssumptions } from '../../spec/assumptions.ts';
import type { Answer } from '../answer.ts';
import { InspectorPage } from './frame.tsx';
import { Listing } from './listing.tsx';
import type { Visit } from './visit.ts';

let register: readonly Assumption[] | undefined;

/** What was decided where the specification of the service is silent. */
export function showAssumptions(visit: Visit): Answer {
  register ??= readAssumptions().toReversed();
  return {
    page: (
      <InspectorPage visit={visit} section="/assumptions">
        <Listing
          visit={visit}
          path="/assumptions"
          label="Assumptions"
          rows={register}
          fields={['id', 'area', 'kind', 'weight', 'operation', 'setting']}
          subjectOf={(row) => ({
            fields: {
              id: [row.id],
              area: [row.area],
              kind: [row.kind],
              weight: [row.weight],
              operation: [row.operations ?? []].flat(),
              setting: row.settings ?? [],
            },
            text: () => JSON.stringify(row),
          })}
          headings={['Id', 'About', 'What is open', 'Decision', 'Why']}
          cells={({ id, title, area, weight, gap, decision, reason, settings }) => [
            <code key="id">{id}</code>,
            <div key="about" class="prose">
              <strong>{title}</strong>
              <br />
              {area}, {weight}
              {settings && `; set by ${settings.join(', ')}`}
            </div>,
            <div key="gap" class="prose">
              {gap}
            </div>,
            <div key="decision" class="prose">
              {decision}
            </div>,
            <div key="reason" class="prose">
              {reason}
            </div>,
          ]}
          empty="There are none."
        />
      </InspectorPage>
    ),
  };
}
