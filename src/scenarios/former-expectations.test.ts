import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../testing/setups/new-folder.ts';
import { renewBodies } from './former-expectations.ts';

const RELEASE = fileURLToPath(
  new URL('../state/testdata/release-0.1.0/fixture.yaml', import.meta.url),
);
const BIN = fileURLToPath(new URL('../../bin/billing-emulator.js', import.meta.url));

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'fixture.yaml');
  copyFileSync(RELEASE, file);
});

const runVerb = (...line: string[]) =>
  spawnSync(process.execPath, [BIN, ...line], { encoding: 'utf8' });

describe('a fixture of release 0.1.0', () => {
  it('is rejected with a hint to convert, and runs once it is converted', () => {
    const refused = runVerb('run', file);
    const converted = runVerb('convert', file);
    const run = runVerb('run', file);

    expect(refused.status).not.toBe(0);
    expect(refused.stdout).toMatch(/fixture\.yaml:\d+:\d+: .*billing-emulator convert FILE/);
    expect(converted.stdout).toContain('5 expectations rewritten');
    expect(converted.stdout).toContain('steps.6.expect.body: balance_after is no longer returned');
    expect([run.status, run.stdout]).toEqual([0, expect.stringMatching(/^passed/)]);
    expect(readFileSync(`${file}.original`, 'utf8')).toBe(readFileSync(RELEASE, 'utf8'));
    expect(runVerb('convert', file).stdout).toContain('nothing to convert');
  }, 60_000);
});

describe('renewBodies', () => {
  const renewed = (call: string, body: object) =>
    renewBodies({ about: 'x', steps: [{ call, expect: { body } }] } as never).map(
      ({ body: now, gone }) => [now, gone],
    );

  it.each([
    ['getTopUp', { status: 'processing' }, { status: 'pending' }, []],
    [
      'listGrants',
      { items: [{ amount: 5, remaining: 2, purpose: 'paid' }] },
      { items: [{ available: 2, purpose: 'paid' }] },
      ['amount'],
    ],
    ['getProduct', { default_version: 1 }, { default_version: { version: 1 } }, []],
    [
      'getVendorStats',
      { total_costs: 3, categories: [{ category: null, total_costs: 3, cost_count: 1 }] },
      { total_costs: 3, categories: [{ category: 'uncategorized', cost: 3 }] },
      ['cost_count'],
    ],
  ])('converts the former body of %s: %j', (call, body, now, gone) => {
    expect(renewed(call, body)).toEqual([[now, gone]]);
  });

  it.each([
    ['getTopUp', { status: 'pending' }],
    ['getProduct', { default_version: { version: 1 } }],
    ['getCustomer', { status: 'completed' }],
  ])('leaves the current body of %s unchanged: %j', (call, body) => {
    expect(renewed(call, body)).toEqual([]);
  });
});
