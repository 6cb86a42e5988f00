import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { newFolder } from '../../testing/files.ts';
import { performVerb, serveForFile } from '../../testing/verb.ts';

const NOW = '2026-01-15T12:00:00.000Z';
const folder = newFolder();

const { url } = await serveForFile({ clock: 'frozen', clock_now: NOW, fixture: '' });

/** Runs a verb on the world of a sandbox. */
const on = (sandbox: string, ...args: readonly string[]) =>
  performVerb([...args, '--url', url, '--key', `key_test_${sandbox}`]);

const clientOf = (sandbox: string) => createClient({ url, key: `key_test_${sandbox}` });

describe('billing-emulator snapshot diff', () => {
  it('prints the differences, and exits 1', async () => {
    const { call } = clientOf('told');
    const { id } = await call('createCustomer', { body: { name: 'Acme' } });
    await on('told', 'snapshot', 'save', 'before');
    const path = { customerId: id };
    await call('updateCustomer', { path, body: { name: 'Acme Robotics' } });
    for (const name of ['Globex', 'Initech']) await call('createCustomer', { body: { name } });
    const { code, out } = await on('told', 'snapshot', 'diff', 'before', '--limit', '2');

    expect(out).toBe(`customers: 2 added, 1 changed, 1 → 3
  ~ Acme Robotics: name Acme → Acme Robotics
  + Globex
  1 more rows
numberings: 1 changed
records created: count 1 → 3
requests answered: count 1 → 4
`);
    expect(code).toBe(1);
  }, 60_000);

  it('prints nothing and exits 0 for equal files or snapshots', async () => {
    const { call } = clientOf('equal');
    await call('createCustomer', { body: { name: 'Acme' } });
    const file = join(folder, 'world.json');
    await on('equal', 'export', file);
    await on('equal', 'snapshot', 'save', 'before');
    const found = [
      await on('equal', 'snapshot', 'diff', 'before'),
      await on('equal', 'snapshot', 'diff', file, file),
      await on('equal', 'snapshot', 'diff', 'now', file),
    ];
    const json = await on('equal', 'snapshot', 'diff', 'before', file, '--json');
    await call('createCustomer', { body: { name: 'Later' } });
    const tables = 'customers,ordinals,sequence,requests';
    const ignored = await on('equal', 'snapshot', 'diff', file, '--ignore', tables);

    expect(found.map(({ code, out }) => [code, out])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(JSON.parse(json.out)).toEqual({ equal: true, tables: [], changes: [] });
    expect([ignored.code, ignored.out]).toEqual([0, '']);
  }, 60_000);

  it('exits 2 or 4 if a side cannot be read, and says why', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"format": ');
    const foreign = join(folder, 'foreign.json');
    writeFileSync(foreign, '{"name": "package"}');
    const unknown = await on('wrong', 'snapshot', 'diff', 'before');
    const truncated = await on('wrong', 'snapshot', 'diff', broken);
    const other = await on('wrong', 'snapshot', 'diff', 'now', foreign);
    const limit = await on('wrong', 'snapshot', 'diff', 'now', '--limit', 'all');

    expect([unknown.code, unknown.errors]).toEqual([
      2,
      expect.stringContaining('from.snapshot: Nothing is named before'),
    ]);
    expect([truncated.code, truncated.errors]).toEqual([4, expect.stringContaining(broken)]);
    expect([other.code, other.errors]).toEqual([2, expect.stringContaining('to.export.format')]);
    expect([limit.code, limit.errors]).toEqual([2, expect.stringContaining('limit')]);
  }, 60_000);
});
