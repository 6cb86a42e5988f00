import { knownFixtures } from '../../../control/worlds/fixture-names.ts';
import { countRecords } from '../../../control/worlds/present-world.ts';
import { type Snapshot, snapshotsOf } from '../../../store/snapshots.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Button, Choice, Field } from '../../forms.tsx';
import { Notice, Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { Copyable } from '../copyable.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { recordsText } from './loss.tsx';

/** Messages after an action, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'The snapshot was deleted.',
  reset: 'The world was reset.',
  restored: 'The snapshot was restored.',
  saved: 'The snapshot was saved.',
  undone: 'The world has its earlier state again.',
};

/** The page of snapshots, resets and undo. @assumes A-1406 */
export function showSnapshots(request: InspectorRequest): PageAnswer {
  const done = request.query('done');
  const isDone = request.formError === undefined && Object.hasOwn(DONE, done);
  return (
    <InspectorPage request={request} section="/snapshots">
      {isDone && <Notice text={DONE[done] ?? ''} />}
      <Former />
      <Section id="snapshots" title="Saved">
        <Snapshots />
        <ActionForm action="/snapshots" layout="line">
          <Field
            label="Name"
            name="name"
            pattern="[a-z0-9][a-z0-9._\-]{0,62}"
            title="Lowercase letters and digits; after the first character also . _ -"
            required
          />
          <Button>Save a snapshot</Button>
        </ActionForm>
      </Section>
      {!request.isReadOnly && <Resets />}
      <Export />
    </InspectorPage>
  );
}

/** The state before the present generation, with a button to return to it. */
function Former() {
  const request = useRequest();
  const former = request.control.life.former(request.world);
  if (!former) return null;
  return (
    <Section id="undo" title="Before the latest reset, restore, import or advance">
      <p>
        The world had {recordsText(countRecords(former.image))} at{' '}
        <Time as="exact" at={former.saved_at} />.
      </p>
      <ActionForm action="/undo">
        <Button isSecondary>Undo</Button>
      </ActionForm>
    </Section>
  );
}

function Snapshots() {
  const request = useRequest();
  return (
    <DataTable
      label="Snapshots"
      rows={[...snapshotsOf(request.world).values()]}
      columns={{
        Name: ({ name }) => name,
        ...(!request.isReadOnly && {
          Actions: ({ name }: Snapshot) => <SnapshotActions name={name} />,
        }),
        'World time': ({ saved_at }) => <Time as="exact" at={saved_at} />,
        Compare: ({ name }) => (
          <a href={request.link('/snapshots/diff', { from: name })} aria-label={`${name} with now`}>
            With now
          </a>
        ),
        '#Records': ({ image }) =>
          Object.values(countRecords(image))
            .reduce((sum, count) => sum + count, 0)
            .toLocaleString('en'),
      }}
      empty="No snapshots yet."
    />
  );
}

function SnapshotActions({ name }: { readonly name: string }) {
  const { link } = useRequest();
  const to = (action: string) => link(`/snapshots/${encodeURIComponent(name)}/${action}`);
  return (
    <ActionForm layout="small buttons">
      <Button isSecondary formAction={to('restore')} aria-label={`Restore ${name}`}>
        Restore
      </Button>
      <Button isSecondary formAction={to('delete')} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </ActionForm>
  );
}

/** The command that writes the world to a file, for someone else or for later. */
function Export() {
  const { key, control } = useRequest();
  const command = `npx billing-emulator export world.json --key ${key} --url ${control.baseUrl}`;
  return (
    <Copyable title="Export" text={command}>
      <p>
        To share this world, write it to a file. <code>billing-emulator import world.json</code>{' '}
        replaces another world with it. It contains the signing secrets of webhooks.
      </p>
    </Copyable>
  );
}

function Resets() {
  const request = useRequest();
  return (
    <Section id="reset" title="Reset">
      <p>
        A reset replaces everything in this world, including its clock. Snapshots stay, and you can
        undo a reset.
      </p>
      <ActionForm action="/reset" layout="buttons">
        <Button isSecondary>To its initial state</Button>
        <Button isSecondary name="to" value="empty">
          To empty
        </Button>
      </ActionForm>
      <ActionForm action="/reset" layout="line">
        <Choice label="Fixture" name="name" options={knownFixtures(request.control.life)} />
        <Button isSecondary name="to" value="fixture">
          To this fixture
        </Button>
      </ActionForm>
    </Section>
  );
}
