import type { VNode } from 'preact';
import { knownFixtures } from '../../../control/fixture-names.ts';
import { keyOf } from '../../../state/worlds.ts';
import { DataTable } from '../../sections.tsx';
import { type InspectorRequest, linkTo } from '../inspector-request.ts';

const MOST_WORLDS = 50;

interface Props {
  readonly request: InspectorRequest;
}

/** Every world that is open, to be looked into or closed. */
export function OpenWorlds({ request }: Props): VNode {
  const worlds = [...request.options.worlds.values()];
  const actions = request.isReadOnly ? [] : ['Sandbox'];
  return (
    <>
      <DataTable label="Open worlds" headings={['Key', ...actions]}>
        {worlds.slice(0, MOST_WORLDS).map((world) => {
          const key = keyOf(world);
          return (
            <tr key={key}>
              <td>
                <a
                  href={linkTo('', { key })}
                  aria-current={key === request.key ? 'true' : undefined}
                >
                  {key}
                </a>
              </td>
              {!request.isReadOnly && (
                <td>
                  <CloseForm request={request} sandbox={world.sandbox} />
                </td>
              )}
            </tr>
          );
        })}
      </DataTable>
      {worlds.length > MOST_WORLDS && <p>and {worlds.length - MOST_WORLDS} more</p>}
    </>
  );
}

function CloseForm({ request, sandbox }: Props & { readonly sandbox: string }): VNode {
  return (
    <form method="post" action={request.link('/sandboxes/close')} class="small buttons">
      <button
        type="submit"
        class="secondary"
        name="name"
        value={sandbox}
        aria-label={`Close ${sandbox}`}
      >
        Close
      </button>
    </form>
  );
}

/** Opens a sandbox of a new name, as its key would or from a fixture. */
export function NewSandboxForm({ request }: Props): VNode {
  return (
    <form method="post" action={request.link('/sandboxes')} class="line">
      <label>
        New sandbox
        <input name="name" pattern="[a-z0-9][a-z0-9\-]{0,62}" autocomplete="off" required />
      </label>
      <label>
        From
        <select name="fixture">
          <option value="">what its key opens with</option>
          {knownFixtures(request.options.settings).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit">Create</button>
    </form>
  );
}
