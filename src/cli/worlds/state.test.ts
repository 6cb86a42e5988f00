import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';
import { newFolder } from '../../testing/files.ts';

const NOW = '2026-01-15T12:00:00.000Z';
const folder = newFolder();

const { url } = await serveForFile({
  clock: 'frozen',
  clock_now: NOW,
  fixture: '',
  admin_token: 'sesame',
});

/** Runs a command on a sandbox. Returns its exit code and output. */
async function on(sandbox: string, ...args: readonly string[]) {
  const env = { BILLING_EMULATOR_ADMIN_TOKEN: 'sesame' };
  const { code, out, errors } = await performCommand(
    [...args, '--url', url, '--key', `key_test_${sandbox}`],
    env,
  );
  return { code, out, errors };
}

const clientOf = (sandbox: string) => createClient({ url, key: `key_test_${sandbox}` });

const create = (sandbox: string, name: string) =>
  clientOf(sandbox).call('createCustomer', { body: { name } });

describe('billing-emulator snapshot and reset', () => {
  it('save and restore, and print text', async () => {
    await create('one', 'Acme');
    const saved = await on('one', 'snapshot', 'save', 'first');
    await create('one', 'Later');
    const restored = await on('one', 'snapshot', 'restore', 'first');
    const reset = await on('one', 'reset');

    expect([saved.out, restored.out, reset.out]).toEqual([
      `first at ${NOW}: 1 customer\n`,
      `one (test) at ${NOW}, frozen: 1 customer\n`,
      `one (test) at ${NOW}, frozen: no customers, products or usage\n`,
    ]);
  });

  it('exit 1 for an unknown snapshot, and 2 for a wrong flag', async () => {
    const unknown = await on('three', 'reset', '--to', 'snapshot', '--name', 'nowhere');
    const wrong = await on('three', 'reset', '--to', 'yesterday');

    expect([unknown.code, unknown.errors]).toEqual([
      1,
      expect.stringContaining('name: Nothing is named nowhere in world '),
    ]);
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('fixture')]);
  });
});

describe('billing-emulator undo', () => {
  it('restores a deleted sandbox', async () => {
    await create('source', 'Acme');
    await on('source', 'call', 'createSandbox', 'name=copy', 'sandbox=source');
    const deleted = await on('source', 'call', 'deleteSandbox', 'name=copy');
    const back = await on('copy', 'undo');

    expect(deleted.code).toBe(0);
    expect([back.code, back.out]).toEqual([0, `copy (test) at ${NOW}, frozen: 1 customer\n`]);
  });
});

describe('billing-emulator export and import', () => {
  it('copy a world from one sandbox to another', async () => {
    await create('from', 'Acme');
    const file = join(folder, 'world.json');
    const written = await on('from', 'export', file);
    const printed = await on('from', 'export');
    const dashed = await on('from', 'export', '-');
    const imported = await on('to', 'import', file);
    const json = JSON.parse((await on('to', 'import', file, '--json')).out);

    expect(written.out).toBe(`${file}: 1 customer\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(printed.out).toBe(readFileSync(file, 'utf8'));
    expect(dashed.out).toBe(printed.out);
    expect(imported.out).toBe(`to (test) at ${NOW}, frozen: 1 customer\n`);
    expect(json).toMatchObject({ sandbox: 'to', records: { customers: 1 } });
  });

  it('reject a file that is not an export, with all errors at once', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"format": ');
    const foreign = join(folder, 'foreign.json');
    writeFileSync(foreign, '{"name": "package"}');
    const truncated = await on('to', 'import', broken);
    const missing = await on('to', 'import', join(folder, 'nowhere.json'));
    const other = await on('to', 'import', foreign);

    expect([truncated.code, truncated.errors]).toEqual([4, expect.stringContaining(broken)]);
    expect([missing.code, missing.errors]).toEqual([4, expect.stringContaining('ENOENT')]);
    expect(other.code).toBe(1);
    for (const field of ['format', 'schema_version', 'tables'])
      expect(other.errors).toContain(field);
  });
});

describe('billing-emulator snapshot diff', () => {
  it('prints the differences, and exits 1', async () => {
    const { call } = clientOf('changed');
    const { id } = await call('createCustomer', { body: { name: 'Acme' } });
    await on('changed', 'snapshot', 'save', 'before');
    const path = { customerId: id };
    await call('updateCustomer', { path, body: { name: 'Acme Robotics' } });
    for (const name of ['Globex', 'Initech']) await call('createCustomer', { body: { name } });
    const { code, out } = await on('changed', 'snapshot', 'diff', 'before', '--limit', '2');

    expect(out).toBe(`customers: 2 added, 1 changed, 1 → 3
  ~ Acme Robotics: name Acme → Acme Robotics
  + Globex
  1 more rows
numberings: 1 changed
records created: count 1 → 3
requests answered: count 1 → 4
`);
    expect(code).toBe(1);
  });

  it('prints nothing and exits 0 for equal states', async () => {
    const { call } = clientOf('equal');
    await call('createCustomer', { body: { name: 'Acme' } });
    await on('equal', 'snapshot', 'save', 'before');
    const { code, out } = await on('equal', 'snapshot', 'diff', 'before');
    const json = await on('equal', 'snapshot', 'diff', 'now', 'before', '--json');
    await call('createCustomer', { body: { name: 'Later' } });
    const tables = 'customers,ordinals,sequence,requests';
    const ignored = await on('equal', 'snapshot', 'diff', 'before', '--ignore', tables);

    expect([code, out]).toEqual([0, '']);
    expect(JSON.parse(json.out)).toEqual({ equal: true, tables: [], changes: [] });
    expect([ignored.code, ignored.out]).toEqual([0, '']);
  });

  it('exits 2 if there is no such state, and says why', async () => {
    const unknown = await on('wrong', 'snapshot', 'diff', 'before');
    const limit = await on('wrong', 'snapshot', 'diff', 'now', '--limit', 'all');

    expect([unknown.code, unknown.errors]).toEqual([
      2,
      expect.stringContaining('from.snapshot: Nothing is named before'),
    ]);
    expect([limit.code, limit.errors]).toEqual([2, expect.stringContaining('limit')]);
  });
});
