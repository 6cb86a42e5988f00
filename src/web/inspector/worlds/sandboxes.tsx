import type { VNode } from 'preact';
import { knownFixtures } from '../../../control/fixture-names.ts';
import { keyOf } from '../../../state/worlds.ts';
import type { PageAnswer } from '../../answer.ts';
import { fieldText } from '../../hosted/card-form.ts';
import { DataTable } from '../../sections.tsx';
import { DEFAULT_KEY, type InspectorRequest, linkTo } from '../inspector-request.ts';
import { runControlOperation, tryAction } from '../run-control-operation.ts';
import { showHome } from './home.tsx';

const MOST_WORLDS = 50;

interface Props {
  readonly visit: InspectorRequest;
}

/** Every world that is open, to be looked into or closed. */
export function OpenWorlds({ visit }: Props): VNode {
  const worlds = [...visit.options.worlds.values()];
  const actions = visit.isReadOnly ? [] : ['Sandbox'];
  return (
    <>
      <DataTable label="Open worlds" headings={['Key', ...actions]}>
        {worlds.slice(0, MOST_WORLDS).map((world) => {
          const key = keyOf(world);
          return (
            <tr key={key}>
              <td>
                <a href={linkTo('', { key })} aria-current={key === visit.key ? 'true' : undefined}>
                  {key}
                </a>
              </td>
              {!visit.isReadOnly && (
                <td>
                  <CloseForm visit={visit} sandbox={world.sandbox} />
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

function CloseForm({ visit, sandbox }: Props & { readonly sandbox: string }): VNode {
  return (
    <form method="post" action={visit.link('/sandboxes/close')} class="small buttons">
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
export function NewSandboxForm({ visit }: Props): VNode {
  return (
    <form method="post" action={visit.link('/sandboxes')} class="line">
      <label>
        New sandbox
        <input name="name" pattern="[a-z0-9][a-z0-9\-]{0,62}" autocomplete="off" required />
      </label>
      <label>
        From
        <select name="fixture">
          <option value="">what its key opens with</option>
          {knownFixtures(visit.options.settings).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit">Create</button>
    </form>
  );
}

export function createSandboxAction(visit: InspectorRequest): Promise<PageAnswer> {
  const [name = '', fixture] = ['name', 'fixture'].map((each) => fieldText(visit.body, each));
  return tryAction(
    async () => {
      await runControlOperation(visit, 'createSandbox', {
        body: { name, ...(fixture && { fixture }) },
      });
      return { location: linkTo('', { key: keyOf({ sandbox: name, environment: 'test' }) }) };
    },
    (trouble) => showHome(visit, trouble),
  );
}

/** Forgets a sandbox; whoever was in it finds the default world. */
export function closeSandboxAction(visit: InspectorRequest): Promise<PageAnswer> {
  const name = fieldText(visit.body, 'name');
  return tryAction(
    async () => {
      await runControlOperation(visit, 'deleteSandbox', { query: { name } });
      return {
        location: linkTo('', { key: name === visit.world.sandbox ? DEFAULT_KEY : visit.key }),
      };
    },
    (trouble) => showHome(visit, trouble),
  );
}
