import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { performCommand, serveForFile } from '../../testing/command.ts';
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

    const fixture = await run('requests', 'export');
    const archive = await run('requests', 'export', '--as', 'har');

    expect(fixture.out).toMatch(/- call: listAssets\n {4}expect: 200\n {2}- call: listVendors\n/);
    expect(JSON.parse(archive.out).log.entries).toHaveLength(2);
  });

  it('exports a fixture that `run` can replay', async () => {
    const file = join(folder, 'session.yaml');
    await client().call('resetWorld');
    await client().call('createCustomer', { body: { name: 'Acme', external_id: 'acme' } });
    const saved = await run('requests', 'export', '--expect', '--out', file);

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
      'requests',
      'export',
      '--after',
      '1',
      '--out',
      file,
      '--url',
      url,
      '--key',
      'key_test_dropped',
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
});
