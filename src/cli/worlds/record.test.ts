import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../../client/index.ts';
import { serveForFile } from '../../testing/setups/for-file.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { performVerb, startVerb } from '../../testing/verb.ts';

const folder = newFolder();
const KEY = 'key_test_recorded';
const { url } = await serveForFile({ request_log: 5 });

const run = (...args: readonly string[]) => performVerb([...args, '--url', url, '--key', KEY]);
const client = () => createClient({ url, key: KEY });

describe('billing-emulator record', { timeout: 60_000 }, () => {
  it('saves a session that `run` can replay, and reports records from before', async () => {
    const file = join(folder, 'session.yaml');
    await client().call('createVendor', { body: { name: 'Before' } });

    const started = await run('record', 'start');
    await client().call('createCustomer', { body: { name: 'Acme', external_id: 'acme' } });
    const stopped = await run('record', 'stop');
    const saved = await run('record', 'save', file, '--expect');
    const played = await performVerb(['run', file]);

    expect([started.code, started.out]).toEqual([
      0,
      expect.stringMatching(
        /^Recording since .+\.\nThe world already holds 1 record, which .+ reset --to empty\n$/s,
      ),
    ]);
    expect(stopped.out).toBe('Recorded 1 request. Save with: record save FILE\n');
    expect(saved.out).toBe(`${file}: 1 step. Run it: billing-emulator run ${file}\n`);
    expect(readFileSync(file, 'utf8')).toContain('call: createCustomer');
    expect(played).toMatchObject({ code: 0, errors: '' });
  });

  it('exits 1 and writes nothing if requests were dropped or nothing is recorded', async () => {
    const file = join(folder, 'lost.yaml');
    await run('record', 'start');
    for (let count = 0; count < 6; count += 1) await client().call('listAssets');

    const lost = await run('record', 'save', file);
    const none = await performVerb(['record', 'stop', '--url', url, '--key', 'key_test_other']);

    expect(lost).toMatchObject({ code: 1, out: '' });
    expect(lost.errors).toContain('The request log has lost its requests up to');
    expect(() => readFileSync(file)).toThrow('ENOENT');
    expect([none.code, none.errors]).toEqual([
      1,
      'Nothing is recorded in this world. Start a recording first.\n',
    ]);
  });
});

describe('billing-emulator requests', { timeout: 60_000 }, () => {
  it('exports requests as a fixture or as HAR', async () => {
    await run('requests', 'clear');
    await client().call('listAssets');
    await client().call('listVendors');

    const fixture = await run('requests', 'export', '--as', 'fixture');
    const archive = await run('requests', 'export', '--har');
    const nothing = await run('requests', 'export');

    expect(fixture.out).toMatch(/- call: listAssets\n {4}expect: 200\n {2}- call: listVendors\n/);
    expect(JSON.parse(archive.out).log.entries).toHaveLength(2);
    expect([nothing.code, nothing.errors]).toEqual([2, 'Expected --as fixture or --as har.\n']);
  });

  it('counts the rows that a request changed', async () => {
    const { id } = await client().call('createWebhook', { body: { url: 'http://127.0.0.1:9' } });
    await client().call('deleteWebhook', { path: { webhookId: id } });

    expect((await run('requests')).out).toMatch(/deleteWebhook {2,}1 row changed$/m);
  });

  it('prints requests as they arrive with --follow, and exits 0 on SIGINT', async () => {
    await run('requests', 'clear');
    await client().call('listAssets');
    const follow = ['requests', '--follow', '--operation', 'listAssets'];
    const { child, printed, ended } = startVerb([...follow, '--url', url, '--key', KEY]);
    await vi.waitUntil(() => printed.out.includes('\n'), { timeout: 30_000 });

    await client().call('listVendors');
    await client().call('listAssets', { query: { limit: 7 } });
    await fetch(`${url}/assets?token=canary&q=${KEY}`, {
      headers: { Authorization: `Bearer ${KEY}`, 'X-Api-Key': 'canary-header' },
    });
    await vi.waitUntil(() => printed.out.split('\n').length > 3, { timeout: 30_000 });
    child.kill('SIGINT');

    expect([await ended, printed.errors]).toEqual([0, '']);
    expect(printed.out.trim().split('\n')).toEqual([
      expect.stringMatching(/200 {2}GET {2}\/assets {2}listAssets$/),
      expect.stringMatching(/200 {2}GET {2}\/assets\?limit=7 {2}listAssets$/),
      expect.stringMatching(/GET {2}\/assets\?token=\*\*\*&q=\*\*\* {2}listAssets$/),
    ]);
  });
});
