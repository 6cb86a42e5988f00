import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveForFile } from '../../testing/setups/for-file.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { performVerb } from '../../testing/verb.ts';

const folder = newFolder();
const file = join(folder, 'rules.yaml');

const { url } = await serveForFile({ fixture: '' });

const faults = (...args: readonly string[]) => performVerb(['faults', ...args, '--url', url]);

async function list(): Promise<number> {
  const headers = { Authorization: 'Bearer key_test_emulator' };
  return (await fetch(`${url}/customers`, { headers })).status;
}

describe('billing-emulator faults', () => {
  it('sets the rules of a file, adds one, lists and clears them', async () => {
    writeFileSync(
      file,
      '- {match: {operation: listCustomers}, times: 1, status: 503}\n' +
        '- {name: slow, match: {headers: {X-Trace: on}}, every: 3, latency: 1ms..2ms}\n',
    );
    const set = await faults('set', file);
    expect(await list()).toBe(503);
    const add = ['add', '--method', 'post', '--skip', '1', '--rate-limit', '5/10s', '--json'];
    const added = await faults(...add);
    const listed = await faults();
    const cleared = await faults('clear');

    expect([set.code, set.errors]).toEqual([0, '']);
    expect(JSON.parse(added.out).rules[2]).toEqual({
      position: 3,
      seen: 0,
      applied: 0,
      match: { method: 'POST' },
      skip: 1,
      rate_limit: { limit: 5, period: '10s' },
    });
    expect(listed.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['1', 'listCustomers', 'at most 1', 'status=503', 'matched 1, applied 1'],
      ['2', 'slow', 'X-Trace: on', 'every 3', 'latency=1ms..2ms', 'matched 0, applied 0'],
      ['3', 'POST', 'after 1', 'rate_limit=5/10s', 'matched 0, applied 0'],
      [''],
    ]);
    expect(cleared.out).toBe('No faults.\n');
    expect(await list()).toBe(200);
  }, 60_000);

  it('reports errors of a rule and of a file, and sets nothing', async () => {
    const add = ['add', '--operation', 'listCustomer', '--status', 'many'];
    const refused = await faults(...add);
    const unknown = await faults('add', '--operation', 'listCustomer', '--status', '503');
    const missing = await faults('set', join(folder, 'nothing.yaml'));
    writeFileSync(file, 'rules: [{status: 503}, {latency: soon}]');
    const late = await faults('set', file);

    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('status: Expected'),
    ]);
    expect(unknown.errors).toContain('Did you mean listCustomers?');
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining('nothing.yaml')]);
    expect([late.code, late.errors]).toEqual([1, expect.stringContaining('rules[1].latency')]);
    expect(await list()).toBe(200);
  }, 60_000);
});
