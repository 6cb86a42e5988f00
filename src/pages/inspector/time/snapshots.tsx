import { countRecords, knownFixtures, presentWorld } from '../../../control/worlds/state.ts';
import { snapshotsOf } from '../../../store/snapshots.ts';
import type { World } from '../../../store/world.ts';
import { plural } from '../../../text/wording.ts';
import { DataTable } from '../../data-table.tsx';
import { Button, Choice, Field } from '../../forms.tsx';
import { Sentence } from '../../id.tsx';
import { Facts, Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { isListed, rowsText } from '../requests/effect.tsx';

/** The snapshots: what a restore of each would change, and a form that saves another. */
export function Snapshots() {
  const { world, link, query } = useRequest();
  const now = presentWorld(world).records;
  return (
    <Section id="snapshots" title="Snapshots">
      <DataTable
        label="Snapshots"
        rows={[...snapshotsOf(world).values()]}
        columns={{
          Name: ({ name, saved_at }) => (
            <>
              {name}
              <small class="beneath">
                <Time at={saved_at} />
              </small>
            </>
          ),
          'After a restore': ({ name, image }) => (
            <a href={link('compare', { to: name })}>{differenceText(now, countRecords(image))}</a>
          ),
          '^Actions': ({ name }) => <SnapshotActions name={name} />,
        }}
        empty="No snapshots yet. Save one before you try something."
      />
      <ActionForm action="/time/snapshots" layout="line">
        <Field
          label="Name"
          name="name"
          value={query('name')}
          pattern="[a-z0-9][a-z0-9._\-]{0,62}"
          title="Lowercase letters and digits; after the first character also . _ -"
          placeholder={automaticName(world)}
        />
        <Button>Save a snapshot</Button>
      </ActionForm>
    </Section>
  );
}

/** The path of an action on a snapshot. */
const snapshotAction = (name: string, action: 'restore' | 'delete') =>
  `/time/snapshots/${encodeURIComponent(name)}/${action}` as const;

function SnapshotActions({ name }: { readonly name: string }) {
  const { link } = useRequest();
  return (
    <ActionForm layout="small buttons">
      <Button formAction={link(snapshotAction(name, 'restore'))} aria-label={`Restore ${name}`}>
        Restore
      </Button>
      <details class="confirm">
        <summary aria-label={`Delete… ${name}`}>Delete…</summary>
        <Button
          class="danger"
          formAction={link(snapshotAction(name, 'delete'))}
          aria-label={`Delete for good: ${name}`}
        >
          Delete for good
        </Button>
      </details>
    </ActionForm>
  );
}

/** The first free name for a snapshot, such as `snapshot-1`. */
export function automaticName(world: World): string {
  const snapshots = snapshotsOf(world);
  let number = 1;
  while (snapshots.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}

/** A button that saves a snapshot, and the way to resets. */
export function WorldActions() {
  const { link } = useRequest();
  return (
    <>
      <ActionForm action="/time/snapshots">
        <Button>Take a snapshot</Button>
      </ActionForm>
      <a class="button secondary" href={link('time', { '#': 'reset' })}>
        Reset…
      </a>
    </>
  );
}

/** Resets of the world, with what they take away, and the way back. */
export function Resets() {
  const { link, control, world } = useRequest();
  const former = control.worldManager.former(world);
  return (
    <Section id="reset" title="Reset">
      <Facts facts={changesOfReset(world)} />
      <ActionForm action="/time/reset" layout="buttons">
        <Button>Reset</Button>
        <Button name="to" value="empty">
          Reset to empty
        </Button>
        {former && (
          <Button formAction={link('/time/undo')}>
            <Sentence text={`Undo the ${former.ended_by}`} />
          </Button>
        )}
      </ActionForm>
      <ResetToFixture />
    </Section>
  );
}

/** Forms for a fixture by its name, and for one in a file. */
function ResetToFixture() {
  const { control, query } = useRequest();
  return (
    <>
      <ActionForm action="/time/reset" layout="line">
        <Choice
          label="Fixture"
          name="name"
          options={knownFixtures(control.worldManager)}
          chosen={query('fixture')}
        />
        <Button name="to" value="fixture">
          Reset to this fixture
        </Button>
      </ActionForm>
      <ActionForm action="/time/fixture" layout="line" hasFile>
        <Field
          label="File of a fixture"
          type="file"
          name="file"
          accept=".yaml,.yml,.json"
          required
        />
        <Button>Reset to this file</Button>
      </ActionForm>
    </>
  );
}

/** What goes with a reset, what comes and what stays. */
const changesOfReset = (world: World) => ({
  Goes: recordsText(presentWorld(world).records),
  Comes: 'what the world opened with, nothing, or a fixture',
  Stays: `${plural(snapshotsOf(world).size, 'snapshot')}, all other worlds`,
});

/** The world as a file. */
export function WorldFiles() {
  const { link } = useRequest();
  return (
    <Section id="files" title="This world as a file">
      <p>
        <a href={link('/world.json')} download>
          Download it
        </a>{' '}
        <span class="muted">with the signing secrets of its webhooks</span>
      </p>
      <ActionForm action="/time/import" layout="line" hasFile>
        <Field label="File of a world" type="file" name="file" accept=".json" required />
        <Button>Replace this world</Button>
      </ActionForm>
    </Section>
  );
}

type Counts = Readonly<Record<string, number>>;

/** The most important tables. Others are only mentioned where these do not differ. */
const COUNTED = [
  'customers',
  'products',
  'subscriptions',
  'events',
  'transactions',
  'top_ups',
  'webhook_events',
];

/** Says how many records there are, such as `1 customer, 3 usage events`. */
const recordsText = (counts: Counts): string =>
  COUNTED.flatMap((table) => (counts[table] ? rowsText(counts[table], table) : [])).join(', ') ||
  'nothing';

/** Says how many records came and went, such as `−1 customer, +3 usage events`. */
export function differenceText(before: Counts, after: Counts): string {
  const differences = (tables: readonly string[]) =>
    tables.flatMap((table) => {
      const change = (after[table] ?? 0) - (before[table] ?? 0);
      const sign = change < 0 ? '−' : '+';
      return change === 0 ? [] : [`${sign}${rowsText(Math.abs(change), table)}`];
    });
  const others = Object.keys({ ...before, ...after }).filter((table) => isListed({ table }));
  const texts = [COUNTED, others].map((tables) => differences(tables).join(', '));
  return texts.find((text) => text !== '') ?? 'the same number of records';
}
