import { expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { readCaptured } from './captured-tables.ts';
import type { World } from './world.ts';

const client = createTestClient();

async function aWorld(): Promise<World> {
  const key = 'key_test_captured';
  for (const name of ['one', 'two']) await client.api('createVendor', { key, body: { name } }, 201);
  return client.emulator.worlds.find(key) as World;
}

it('readCaptured() reads the state at its start, whatever is committed or reset meanwhile', async () => {
  const world = await aWorld();
  const { vendors } = world.tables;
  const [one, two] = [...vendors.values()];
  if (!one || !two) throw new Error('There are two.');
  const image = world.image();
  const seen = await readCaptured(world, function* (tables) {
    world.commit(() => {
      vendors.put({ ...one, name: 'changed' });
      vendors.put({ ...one, name: 'changed again' });
      vendors.remove(two.id);
      vendors.put({ ...two, id: 'vendor_three', seq: world.nextSeq() });
    });
    yield;
    const midway = tables.vendors.get(one.id);
    world.restore({ ...image, tables: {} });
    world.commit(() => vendors.put({ ...one, name: 'another with its id' }));
    world.restore({ ...image, tables: {} });
    yield;
    const found = ['vendor_three', one.id, two.id].map((id) => tables.vendors.get(id));
    return { midway, found, all: [...tables.vendors.values()], size: tables.vendors.size };
  });
  expect(seen).toEqual({ midway: one, found: [undefined, one, two], all: [one, two], size: 2 });
  expect(vendors.size).toBe(0);
});
