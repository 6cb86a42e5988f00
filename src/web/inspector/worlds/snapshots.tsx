import type { VNode } from 'preact';
import { knownFixtures } from '../../../control/fixture-names.ts';
import { countRecords } from '../../../control/present-world.ts';
import { snapshotsOf } from '../../../state/snapshots.ts';
import type { PageAnswer } from '../../answer.ts';
import { Alert, DataTable } from '../../sections.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Notice, Part, WorldTime } from '../parts.tsx';

/** What became of the latest action, by the word that stands in the address. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'The snapshot was deleted.',
  reset: 'The world was reset.',
  restored: 'The snapshot was restored.',
  saved: 'The snapshot was saved.',
};

/** Copies of the world to go back to, and resets. @assumes A-1406 */
export function showSnapshots(request: InspectorRequest, trouble?: string): PageAnswer {
  const done = request.query('done');
  const page = (
    <InspectorPage request={request} section="/snapshots">
      {trouble !== undefined && <Alert text={trouble} />}
      {trouble === undefined && Object.hasOwn(DONE, done) && <Notice text={DONE[done] ?? ''} />}
      <Part id="snapshots" title="Saved">
        <Snapshots request={request} />
        {!request.isReadOnly && <SaveForm request={request} />}
      </Part>
      {!request.isReadOnly && <Resets request={request} />}
    </InspectorPage>
  );
  return { page };
}

function Snapshots({ request }: { readonly request: InspectorRequest }): VNode {
  const snapshots = [...snapshotsOf(request.world).values()];
  if (snapshots.length === 0) return <p>No snapshot was saved.</p>;
  const actions = request.isReadOnly ? [] : ['Go back'];
  return (
    <DataTable label="Snapshots" headings={['Name', ...actions, 'Time of the world', '#Records']}>
      {snapshots.map(({ name, saved_at, image }) => (
        <tr key={name}>
          <td>{name}</td>
          {!request.isReadOnly && (
            <td>
              <SnapshotActions request={request} name={name} />
            </td>
          )}
          <td>
            <WorldTime at={saved_at} />
          </td>
          <td class="number">
            {Object.values(countRecords(image)).reduce((sum, count) => sum + count, 0)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function SnapshotActions({
  request,
  name,
}: {
  readonly request: InspectorRequest;
  readonly name: string;
}): VNode {
  const path = `/snapshots/${encodeURIComponent(name)}`;
  return (
    <form method="post" class="small buttons">
      <button
        type="submit"
        formAction={request.link(`${path}/restore`)}
        aria-label={`Restore ${name}`}
      >
        Restore
      </button>
      <button
        type="submit"
        class="secondary"
        formAction={request.link(`${path}/delete`)}
        aria-label={`Delete ${name}`}
      >
        Delete
      </button>
    </form>
  );
}

function SaveForm({ request }: { readonly request: InspectorRequest }): VNode {
  return (
    <form method="post" action={request.link('/snapshots')} class="line">
      <label>
        Name
        <input
          name="name"
          autocomplete="off"
          pattern="[a-z0-9][a-z0-9._\-]{0,62}"
          title="Small letters, digits, and . _ - after the first"
          required
        />
      </label>
      <button type="submit">Save the world as it is</button>
    </form>
  );
}

function Resets({ request }: { readonly request: InspectorRequest }): VNode {
  return (
    <Part id="reset" title="Reset">
      <p>A reset replaces everything in this world, its clock among it. Snapshots stay.</p>
      <form method="post" action={request.link('/reset')} class="buttons">
        <button type="submit">To what it opened with</button>
        <button type="submit" class="secondary" name="to" value="empty">
          To nothing
        </button>
      </form>
      <form method="post" action={request.link('/reset')} class="line">
        <label>
          Fixture
          <select name="name">
            {knownFixtures(request.options.settings).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="secondary" name="to" value="fixture">
          To the fixture
        </button>
      </form>
    </Part>
  );
}
