import type { MachineTime } from '../../config/machine-time.ts';
import { RuleViolation, violate } from '../../domain/rules.ts';
import { FixtureError, libraryFixtures } from '../../fixtures/fixture-file.ts';
import { conflict, Rejection } from '../../resources/problems.ts';
import { Clock } from '../../store/clock.ts';
import { type Origin, originOf, type Snapshot, snapshotsOf } from '../../store/snapshots.ts';
import type { KeptWorld } from '../../store/storage/storage.ts';
import type { World, WorldImage } from '../../store/world.ts';
import { type ParsedKey, parseKey } from '../../store/worlds.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { nothingNamed, snapshotNamed } from '../scope.ts';
import type { WorldManager } from './world-manager.ts';

export const resetWorld: ControlHandler<'resetWorld'> = async ({ body }, context) => {
  const { world, worldManager } = context;
  const { to, name } = body ?? {};
  if (to === 'previous') {
    if (name != null) violate('snapshot.unexpected', 'name');
    if (!(await worldManager.undo(world))) nothingToUndo(world);
  } else {
    const origin = originAskedFor(body ?? {}, context);
    await refusingFixtures('name', () => worldManager.reset(world, origin));
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
  throw new Rejection(404, 'Not found.', detail);
}

export const listSnapshots: ControlHandler<'listSnapshots'> = (_call, { world }) => {
  const items = [...snapshotsOf(world).values()]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(presentSnapshot);
  return { status: 200, body: { items, total_count: items.length } };
};

export const saveSnapshot: ControlHandler<'saveSnapshot'> = (
  { body },
  { world, worldManager },
) => ({
  status: 201,
  body: presentSnapshot(worldManager.saveSnapshot(world, body.name)),
});

export const deleteSnapshot: ControlHandler<'deleteSnapshot'> = (
  { path },
  { world, worldManager },
) => {
  if (!worldManager.deleteSnapshot(world, path.name))
    nothingNamed(path.name, { world }, snapshotsOf(world).keys());
  return { status: 204 };
};

type ResetBody = NonNullable<ControlCall<'resetWorld'>['body']>;

function originAskedFor({ to, name }: ResetBody, { world, worldManager }: ControlContext): Origin {
  switch (to) {
    case 'empty':
      return name == null ? { kind: 'empty' } : violate('snapshot.unexpected', 'name');
    case 'snapshot':
      if (name == null) return violate('snapshot.required', 'name');
      return { kind: 'image', image: snapshotNamed(name, 'name', { world }) };
    case 'fixture': {
      if (name != null) return { kind: 'fixture', name: fixtureNamed(name, worldManager, 'name') };
      const hasPreset = worldManager.presetFixtures(world).length > 0;
      return hasPreset ? { kind: 'preset' } : violate('fixture.required', 'name');
    }
    default:
      return name == null ? originOf(world) : violate('snapshot.unexpected', 'name');
  }
}

function presentSnapshot({ name, saved_at, image }: Snapshot) {
  return { name, saved_at, records: countRecords(image) };
}

/** How many records an image holds, by table; tables without any are left out. */
export function countRecords({ tables }: Pick<WorldImage, 'tables'>): Record<string, number> {
  const counts = Object.entries(tables).map(([name, rows]) => [name, rows.length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export function presentWorld(world: World) {
  const { sandbox, environment, now, clock, requests, tables } = world;
  const counts = Object.entries(tables).map(([name, { size }]) => [name, size] as const);
  return {
    sandbox,
    environment,
    now,
    mode: clock.state.mode,
    requests,
    records: Object.fromEntries(counts.filter(([, size]) => size > 0)),
  };
}

/** A world that is kept and not open, as it was last written. */
export function presentKept({ key, clock, requests, records }: KeptWorld, machine: MachineTime) {
  const now = new Clock(machine, clock).now();
  return { ...(parseKey(key) as ParsedKey), now, mode: clock.mode, requests, records };
}

const LIBRARY_NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * The fixture of a name. Requests can only name those of the library, of the settings and of the embedding program,
 * as a path would reach any file of the machine.
 *
 * @throws RuleViolation on `field` if there is no such fixture
 */
export function fixtureNamed(name: string, { fixtures }: WorldManager, field: string): string {
  const isKnown = LIBRARY_NAME.test(name) || fixtures.has(name);
  return isKnown ? name : violate('fixture.unknown', field);
}

/** The names of all fixtures that requests can name. */
export function knownFixtures({ fixtures }: WorldManager): readonly string[] {
  const names = [...libraryFixtures(), ...fixtures];
  return [...new Set(names)].filter((name) => name !== '');
}

/** Runs work that plays a fixture. If the fixture is at fault, the request is rejected with what is wrong with it. */
export async function refusingFixtures<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new RuleViolation([{ field, message: error.message }]);
  }
}
