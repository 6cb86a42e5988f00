import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile, startCommand } from '../../testing/command.ts';
import { eventually } from '../../testing/eventually.ts';
import { newFolder } from '../../testing/files.ts';

const folder = newFolder();
const KEY = 'key_test_recorded';
const { url } = await serveForFile({ limits: { MAX_LOGGED_REQUESTS: 5 } });

const run = (...args: readonly string[]) => performCommand([...args, '--url', url, '--key', KEY]);
const client = () => createClient({ url, key: KEY });

describe('billing-emulator requests', () => {
  it('exports requests as a fixture or as HAR', async () => {
    await client().call('resetWorld');
    await client().call('listAssets');
    await client().call('listVendors');

    const fixture = await run('requests', 'export', '--as', 'fixture');
    const archive = await run('requests', 'export', '--har');
    const nothing = await run('requests', 'export');

    expect(fixture.out).toMatch(/- call: listAssets\n {4}expect: 200\n {2}- call: listVendors\n/);
    expect(JSON.parse(archive.out).log.entries).toHaveLength(2);
    expect([nothing.code, nothing.errors]).toEqual([2, 'Expected --as fixture or --as har.\n']);
  });

  it('exports a fixture that `run` can replay', async () => {
    const file = join(folder, 'session.yaml');
    await client().call('resetWorld');
    await client().call('createCustomer', { body: { name: 'Acme', external_id: 'acme' } });
    const saved = await run('requests', 'export', '--as', 'fixture', '--expect', '--out', file);

    expect(saved.out).toBe(`${file}: 1 step. Run it: billing-emulator run ${file}\n`);
    expect(readFileSync(file, 'utf8')).toContain('call: createCustomer');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await performCommand(['run', file])).toMatchObject({ code: 0, errors: '' });
  });

  it('exits 1 and writes nothing if requests were dropped', async () => {
    const file = join(folder, 'lost.yaml');
    const dropped = createClient({ url, key: 'key_test_dropped' });
    for (let count = 0; count < 7; count += 1) await dropped.call('listAssets');
    const lost = await performCommand([
      ...['requests', 'export', '--as', 'fixture', '--after', '1', '--out', file],
      ...['--url', url, '--key', 'key_test_dropped'],
    ]);

    expect(lost).toMatchObject({ code: 1, out: '' });
    expect(lost.errors).toContain('The request log has lost its requests up to');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('counts the rows that a request changed', async () => {
    const { id } = await client().call('createWebhook', { body: { url: 'http://127.0.0.1:9' } });
    await client().call('deleteWebhook', { path: { webhookId: id } });

    expect((await run('requests')).out).toMatch(/deleteWebhook {2,}1 row changed$/m);
  });

  it('prints requests as they arrive with --follow, and exits 0 on SIGINT', async () => {
    await client().call('resetWorld');
    await client().call('listAssets');
    const follow = ['requests', '--follow', '--operation', 'listAssets'];
    const { child, printed, ended } = startCommand([...follow, '--url', url, '--key', KEY]);
    await eventually(() => printed.out.includes('\n'));

    await client().call('listVendors');
    await client().call('listAssets', { query: { limit: 7 } });
    await fetch(`${url}/assets?token=canary&q=${KEY}`, {
      headers: { Authorization: `Bearer ${KEY}`, 'X-Api-Key': 'canary-header' },
    });
    await eventually(() => printed.out.split('\n').length > 3);
    child.kill('SIGINT');

    expect([await ended, printed.errors]).toEqual([0, '']);
    expect(printed.out.trim().split('\n')).toEqual([
      expect.stringMatching(/200 {2}GET {2}\/assets {2}listAssets$/),
      expect.stringMatching(/200 {2}GET {2}\/assets\?limit=7 {2}listAssets$/),
      expect.stringMatching(/GET {2}\/assets\?token=\*\*\*&q=\*\*\* {2}listAssets$/),
    ]);
  });
});
