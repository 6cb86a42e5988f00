import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../testing/files.ts';
import { performVerb, serveForFile } from '../../testing/verb.ts';

const folder = newFolder();
const file = join(folder, 'rules.yaml');

const { url } = await serveForFile({ fixture: '' });

const faults = (...args: readonly string[]) => performVerb(['faults', ...args, '--url', url]);
const call = (...args: readonly string[]) => performVerb(['call', ...args, '--url', url]);

async function list(): Promise<number> {
  const headers = { Authorization: 'Bearer key_test_emulator' };
  return (await fetch(`${url}/customers`, { headers })).status;
}

describe('billing-emulator faults', () => {
  it('adds a rule to those of a file', async () => {
    writeFileSync(
      file,
      'rules:\n- {match: {operation: listCustomers}, times: 1, status: 503}\n' +
        '- {name: slow, match: {customer: acme}, latency: 1ms}\n',
    );
    const set = await call('setFaults', '--body', file);
    expect(await list()).toBe(503);
    const add = [
      'add',
      '--operation',
      'createVendor',
      '--skip',
      '1',
      '--rate-limit',
      '5/10s',
      '--json',
    ];
    const added = await faults(...add);
    const listed = await faults('add', '--name', 'last', '--status', '503', '--times', '1');
    const cleared = await call('setFaults', 'rules=[]');

    expect([set.code, set.errors]).toEqual([0, '']);
    expect(JSON.parse(added.out).rules[2]).toEqual({
      position: 3,
      seen: 0,
      applied: 0,
      match: { operation: 'createVendor' },
      skip: 1,
      rate_limit: { limit: 5, period: '10s' },
    });
    expect(listed.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['1', 'listCustomers', 'at most 1', 'status=503', 'matched 1, applied 1'],
      ['2', 'slow', 'acme', 'latency=1ms', 'matched 0, applied 0'],
      ['3', 'createVendor', 'after 1', 'rate_limit=5/10s', 'matched 0, applied 0'],
      ['4', 'last', 'any request', 'at most 1', 'status=503', 'matched 0, applied 0'],
      [''],
    ]);
    expect(cleared.code).toBe(0);
    expect(await list()).toBe(200);
  }, 60_000);

  it('reports errors of rules, and sets nothing', async () => {
    const add = ['add', '--operation', 'listCustomer', '--status', 'many'];
    const refused = await faults(...add);
    const unknown = await faults('add', '--operation', 'listCustomer', '--status', '503');
    writeFileSync(file, 'rules: [{status: 503}, {latency: soon}]');
    const late = await call('setFaults', '--body', file);

    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('status: Expected'),
    ]);
    expect(unknown.errors).toContain('Did you mean listCustomers?');
    expect([late.code, late.errors]).toEqual([1, expect.stringContaining('rules[1].latency')]);
    expect(await list()).toBe(200);
  }, 60_000);
});
