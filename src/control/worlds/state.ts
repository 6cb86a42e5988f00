import { violate } from '../../domain/rules.ts';
import { conflict, Refusal } from '../../resources/problems.ts';
import { type Origin, originOf, type Snapshot, snapshotsOf } from '../../store/snapshots.ts';
import type { World } from '../../store/world.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { nothingNamed, snapshotNamed } from '../scope.ts';
import { fixtureNamed, refusingFixtures } from './fixture-names.ts';
import { countRecords, presentWorld } from './present-world.ts';

export const resetWorld: ControlHandler<'resetWorld'> = async ({ body }, context) => {
  const { world, life } = context;
  const { to, name } = body ?? {};
  if (to === 'previous') {
    if (name != null) violate('snapshot.unexpected', 'name');
    if (!(await life.undo(world))) nothingToUndo(world);
  } else {
    const origin = originAskedFor(body ?? {}, context);
    await refusingFixtures('name', () => life.reset(world, origin));
  }
  return { status: 200, body: presentWorld(world) };
};

export const stopEmulator: ControlHandler<'stopEmulator'> = (_call, { stop }) => {
  if (!stop) conflict('This emulator runs inside another program, and ends with it.');
  // The response leaves first, as requests in progress are finished.
  setImmediate(stop);
  return { status: 202 };
};

function nothingToUndo({ environment, sandbox }: World): never {
  const detail = `Nothing to undo: no state of world ${environment}/${sandbox} before a reset, import, deletion or advance is kept.`;
  throw new Refusal(404, 'Not found.', detail);
}

export const listSnapshots: ControlHandler<'listSnapshots'> = (_call, { world }) => {
  const items = [...snapshotsOf(world).values()]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(presentSnapshot);
  return { status: 200, body: { items, total_count: items.length } };
};

export const saveSnapshot: ControlHandler<'saveSnapshot'> = ({ body }, { world, life }) => ({
  status: 201,
  body: presentSnapshot(life.saveSnapshot(world, body.name)),
});

export const deleteSnapshot: ControlHandler<'deleteSnapshot'> = ({ path }, { world, life }) => {
  if (!life.deleteSnapshot(world, path.name))
    nothingNamed(path.name, { world }, snapshotsOf(world).keys());
  return { status: 204 };
};

type ResetBody = NonNullable<ControlCall<'resetWorld'>['body']>;

function originAskedFor({ to, name }: ResetBody, { world, life }: ControlContext): Origin {
  switch (to) {
    case 'empty':
      return name == null ? { kind: 'empty' } : violate('snapshot.unexpected', 'name');
    case 'snapshot':
      if (name == null) return violate('snapshot.required', 'name');
      return { kind: 'image', image: snapshotNamed(name, 'name', { world }) };
    case 'fixture': {
      if (name != null) return { kind: 'fixture', name: fixtureNamed(name, life, 'name') };
      const hasPreset = life.presetFixtures(world).length > 0;
      return hasPreset ? { kind: 'preset' } : violate('fixture.required', 'name');
    }
    default:
      return name == null ? originOf(world) : violate('snapshot.unexpected', 'name');
  }
}

function presentSnapshot({ name, saved_at, image }: Snapshot) {
  return { name, saved_at, records: countRecords(image) };
}
