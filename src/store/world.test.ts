import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '../domain/instant.ts';
import { imageOf, anEmptyWorld as open, restoreWorld } from '../testing/worlds.ts';
import type { World } from './world.ts';

const NOW = instant('2026-01-15T12:00:00Z');

/** Creates a vendor as a handler does, with an id and sequence number from the world. */
const addVendor = (world: World, name: string) =>
  world.tables.vendors.put({
    id: world.nextId('vendor', world.accountId),
    seq: world.nextSeq(),
    owner: world.accountId,
    created_at: world.now,
    name,
  });

const names = (world: World) => [...world.tables.vendors.values()].map(({ name }) => name);

const fail = (): never => {
  throw new Error('refused');
};

describe('World.commit', () => {
  it('rolls back rows, sequence numbers and ordinals when the callback throws', () => {
    const world = open();
    const kept = world.commit(() => addVendor(world, 'Kept'));
    const before = imageOf(world);

    expect(() =>
      world.commit(() => {
        addVendor(world, 'Lost');
        world.tables.vendors.put({ ...kept, name: 'Renamed' });
        world.tables.vendors.remove(kept.id);
        fail();
      }),
    ).toThrow('refused');

    expect(imageOf(world)).toEqual(before);
    expect(names(world)).toEqual(['Kept']);
  });

  it('is required for a write: otherwise the table throws and does not add the row', () => {
    const world = open();

    expect(() => addVendor(world, 'Acme')).toThrow('written outside a commit');
    expect(world.tables.vendors.size).toBe(0);
    expect(world.tables.ordinals.size).toBe(0);
  });

  it('throws once the world is closed', () => {
    const world = open();
    world.close();

    expect(() => world.commit(() => addVendor(world, 'Lost'))).toThrow('was closed');
    expect(world.tables.vendors.size).toBe(0);
  });

  it('is required again for writes after it threw', () => {
    const world = open();
    expect(() => world.commit(fail)).toThrow('refused');

    expect(() => addVendor(world, 'Acme')).toThrow('written outside a commit');
  });

  it('rolls back only the inner commit when that throws and the outer one continues', () => {
    const world = open();
    world.commit(() => {
      addVendor(world, 'First');
      expect(() => world.commit(() => [addVendor(world, 'Lost'), fail()])).toThrow('refused');
      addVendor(world, 'Second');
    });
    const straight = open();
    straight.commit(() => [addVendor(straight, 'First'), addVendor(straight, 'Second')]);

    expect(names(world)).toEqual(['First', 'Second']);
    expect(imageOf(world)).toEqual(imageOf(straight));
  });

  it('rolls back the inner commit too when the outer one throws', () => {
    const world = open();
    const before = imageOf(world);

    expect(() =>
      world.commit(() => {
        world.commit(() => addVendor(world, 'Lost'));
        fail();
      }),
    ).toThrow('refused');

    expect(imageOf(world)).toEqual(before);
  });

  it('notifies listeners once of all changes, and not of changes that were rolled back', () => {
    const world = open();
    const heard: string[][] = [];
    const stop = world.onCommit((changes) => {
      heard.push(changes.filter(({ table }) => table === 'vendors').map(({ id }) => id));
    });

    const made = world.commit(() => [
      addVendor(world, 'First'),
      world.commit(() => addVendor(world, 'Second')),
    ]);
    expect(() => world.commit(() => [addVendor(world, 'Lost'), fail()])).toThrow('refused');
    world.commit(() => {});
    stop();
    world.commit(() => addVendor(world, 'Unheard'));

    expect(heard).toEqual([made.map(({ id }) => id)]);
  });
});

describe('World.dryRun', () => {
  it('returns the result of the callback and leaves no trace, not even in ids and sequence numbers', () => {
    const world = open();
    world.commit(() => addVendor(world, 'Kept'));
    const before = imageOf(world);

    const rehearsed = world.dryRun(() => addVendor(world, 'Tried'));
    expect(rehearsed.name).toBe('Tried');
    expect(imageOf(world)).toEqual(before);
    expect(world.commit(() => addVendor(world, 'Tried'))).toEqual(rehearsed);
  });

  it('keeps what an enclosing commit writes before and after it', () => {
    const world = open();
    world.commit(() => {
      addVendor(world, 'First');
      world.dryRun(() => addVendor(world, 'Tried'));
      addVendor(world, 'Second');
    });

    expect(names(world)).toEqual(['First', 'Second']);
  });

  it('rolls back a commit within it and notifies no listener', () => {
    const world = open();
    const heard: unknown[] = [];
    world.onCommit((changes) => heard.push(changes));

    world.dryRun(() => world.commit(() => addVendor(world, 'Tried')));

    expect(names(world)).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('rolls back when the callback throws', () => {
    const world = open();
    const before = imageOf(world);

    expect(() => world.dryRun(() => [addVendor(world, 'Tried'), fail()])).toThrow('refused');
    expect(imageOf(world)).toEqual(before);
    expect(() => addVendor(world, 'Late')).toThrow('written outside a commit');
  });
});

describe('World.image and World.restore', () => {
  it('restore rows, indexes, sequence numbers, ordinals, request count and clock', () => {
    const world = open();
    world.commit(() => addVendor(world, 'Kept'));
    world.requests = 7;
    const image = imageOf(world);
    const next = world.dryRun(() => addVendor(world, 'Next'));

    world.commit(() => addVendor(world, 'Later'));
    world.requests = 9;
    world.clock.state = { mode: 'frozen', at: '2027-01-01T00:00:00.000Z' as Instant };
    restoreWorld(world, image);

    expect(imageOf(world)).toEqual(image);
    expect(names(world)).toEqual(['Kept']);
    expect(world.now).toBe(NOW);
    expect(world.requests).toBe(7);
    expect(world.commit(() => addVendor(world, 'Next'))).toEqual(next);
  });

  it('throw inside a commit', () => {
    const world = open();
    const image = imageOf(world);

    expect(() => world.commit(() => restoreWorld(world, image))).toThrow('inside a commit');
  });
});
