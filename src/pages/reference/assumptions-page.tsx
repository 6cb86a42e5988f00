import { type Assumption, readAssumptions } from '../../spec/assumptions.ts';
import { referencePath } from '../paths.ts';
import { Coded } from './coded.tsx';
import { ReferencePage, type ReferenceProps } from './reference-page.tsx';

let register: readonly Assumption[] | undefined;

const assumptions = (): readonly Assumption[] => {
  register ??= readAssumptions();
  return register;
};

const titleOf = (id: string): string => assumptions().find((each) => each.id === id)?.title ?? '';

/** The address of an assumption. */
export const assumptionLink = (id: string): string => `${referencePath('assumptions')}#${id}`;

/** Links to assumptions, with their titles. */
export const AssumptionLinks = ({ ids }: { readonly ids: readonly string[] }) => (
  <ul>
    {ids.map((id) => (
      <li key={id}>
        <a href={assumptionLink(id)}>{id}</a> {titleOf(id)}
      </li>
    ))}
  </ul>
);

/** All assumptions: decisions where the service's specification is silent. */
export function AssumptionsPage(props: ReferenceProps) {
  return (
    <ReferencePage {...props} page="assumptions" title="Assumptions">
      <p class="lead">
        {assumptions().length} decisions where the specification of the service is silent.
      </p>
      <ul class="assumptions">
        {assumptions().map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    </ReferencePage>
  );
}

function Row({ row }: { readonly row: Assumption }) {
  const { id, title, area, kind, weight, evidence, settings, gap, decision, reason } = row;
  return (
    <li id={id} data-filter={`${id} ${title} ${area}`.toLowerCase()}>
      <h2>
        <a href={`#${id}`}>{id}</a> {title}
      </h2>
      <p>
        <Coded text={decision} />
      </p>
      <p class="muted">
        Open: <Coded text={gap} />
      </p>
      <p class="muted">
        Because: <Coded text={reason} />
      </p>
      <small class="muted">
        {[area, kind, weight, evidence, ...(settings ?? []).map((name) => `set by ${name}`)].join(
          ' · ',
        )}
      </small>
    </li>
  );
}
