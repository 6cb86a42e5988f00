import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import type { World } from '../world.ts';
import { judgeStored } from './judge-stored.ts';
import type { StoredWorld } from './stored.ts';

it('validates many records in slices, so that /livez responds meanwhile', async () => {
  const { api, emulator } = createTestClient();
  await api('createVendor', { body: { name: 'One' } }, 201);
  const { head, tables } = emulator.worlds.find('key_test_emulator') as World;
  const [vendor] = tables.vendors.values();
  const many = Array.from({ length: 50_000 }, (_, count) => ({ ...vendor, id: `vnd_${count}` }));
  const vendors = new Map(many.map((row) => [row.id, row]));
  const world = { head, tables: new Map([['vendors', vendors]]), images: new Map() };
  const worlds = new Map([['key_test_emulator', world as unknown as StoredWorld]]);
  const stored = { worlds, sandboxes: new Map(), share: undefined as never };
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  await judgeStored(stored, false, () => {});
  clearInterval(counting);

  expect(turns).toBeGreaterThan(1);
});
