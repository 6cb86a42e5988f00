import type { VNode } from 'preact';
import { knownFixtures } from '../../../control/fixture-names.ts';
import type { World } from '../../../state/world.ts';
import { keyOf } from '../../../state/worlds.ts';
import { DataTable } from '../../data-table.tsx';
import { Button, Choice, Field } from '../../forms.tsx';
import { ActionForm } from '../frame.tsx';
import { type InspectorRequest, linkTo } from '../inspector-request.ts';

const MOST_WORLDS = 50;

interface Props {
  readonly request: InspectorRequest;
}

/** Every world that is open, to be looked into or closed. */
export function OpenWorlds({ request }: Props): VNode {
  return (
    <DataTable
      label="Open worlds"
      rows={[...request.options.worlds.values()]}
      most={MOST_WORLDS}
      columns={{
        Key(world) {
          const key = keyOf(world);
          const current = key === request.key ? 'true' : undefined;
          return (
            <a href={linkTo('', { key })} aria-current={current}>
              {key}
            </a>
          );
        },
        ...(!request.isReadOnly && {
          Sandbox: ({ sandbox }: World) => (
            <ActionForm request={request} action="/sandboxes/close" layout="small buttons">
              <Button isSecondary name="name" value={sandbox} aria-label={`Close ${sandbox}`}>
                Close
              </Button>
            </ActionForm>
          ),
        }),
      }}
    />
  );
}

/** Opens a sandbox of a new name, as its key would or from a fixture. */
export function NewSandboxForm({ request }: Props): VNode {
  const fixtures = knownFixtures(request.options.services.life);
  return (
    <ActionForm request={request} action="/sandboxes" layout="line">
      <Field label="New sandbox" name="name" pattern="[a-z0-9][a-z0-9\-]{0,62}" required />
      <Choice
        label="From"
        name="fixture"
        options={[['', 'what its key opens with'], ...fixtures]}
      />
      <Button>Create</Button>
    </ActionForm>
  );
}
