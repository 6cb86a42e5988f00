import { expect, it } from 'vitest';
import { startEmulator } from '../index.ts';

it('diff() returns what changed since a snapshot or an export', async () => {
  await using emulator = await startEmulator({ settings: { clock: 'frozen', fixture: '' } });
  const before = await emulator.snapshot();
  const exported = await emulator.client.call('exportWorld');
  expect(await emulator.diff(before)).toEqual([]);
  expect(await emulator.diff(before.name, exported)).toEqual([]);
  await emulator.client.call('createCustomer', { body: { name: 'Acme' } });

  expect(await emulator.diff(exported, undefined, { ignore: ['requests'] })).toEqual([
    'customers: 1 added, 0 → 1',
    '  + Acme',
    'numberings: 1 added, 0 → 1',
    'records created: count 0 → 1',
  ]);
  await before.restore();
  expect(await emulator.diff(before)).toEqual([]);
});
