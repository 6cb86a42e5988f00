import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnCommand } from '../../testing/command.ts';
import { newFolder } from '../../testing/files.ts';

const folder = newFolder();

const run = (...args: readonly string[]) => spawnCommand(['run', ...args], { cwd: folder });

function write(name: string, ...steps: readonly string[]): string {
  writeFileSync(join(folder, name), ['about: x', 'steps:', ...steps, ''].join('\n'));
  return name;
}

mkdirSync(join(folder, 'suite'));
const good = write(
  'suite/good.yaml',
  '  - {call: createCustomer, body: {name: A, external_id: a}}',
);
write(
  'suite/bad.yaml',
  '  - about: Less < more & "quoted"',
  '    call: listCustomers',
  '    expect: {body: {total_count: 3}}',
  '  - {call: createCustomer, times: 2, body: {name: A, external_id: a}}',
  '  - {call: listCustomers}',
);
const unusable = write('unusable.yaml', '  - {cal: listCustomers}');

describe('run', () => {
  it('exits 0 if all expectations hold, and runs each file in its own world', () => {
    const { status, stdout } = run(good, good, 'quickstart');
    const [first, second, third] = stdout.split('\n');

    expect(status).toBe(0);
    expect([first, second]).toEqual([
      'passed  suite/good.yaml  (1 step)',
      'passed  suite/good.yaml  (1 step)',
    ]);
    expect(third).toMatch(/^passed {2}.*quickstart\.yaml {2}\(9 steps\)$/);
  });

  it('exits 1 if one fails, names its line, and writes a JUnit report', () => {
    const { status, stdout } = run('suite', '--junit', 'reports/junit/report.xml');

    expect(status).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'failed  suite/bad.yaml  (3 steps, 1 not reached)',
      '  suite/bad.yaml:5:21: step 1 (listCustomers): total_count: expected 3, got 0',
      '  suite/bad.yaml:6:5: step 2 (createCustomer): expected a success, got 422 (with $n = 2)',
      '  suite/bad.yaml:6:54: step 2 (createCustomer): external_id: Another customer has this external_id already; it must be unique. (with $n = 2)',
      'passed  suite/good.yaml  (1 step)',
      '',
    ]);
    const report = readFileSync(join(folder, 'reports/junit/report.xml'), 'utf8');
    for (const part of [
      '  <testsuite name="suite/bad.yaml" tests="3" failures="2" errors="0" skipped="1">\n',
      'name="1 listCustomers: Less &lt; more &amp; &quot;quoted&quot;">\n      <failure message="suite/bad.yaml:5:21: ',
      'name="3 listCustomers">\n      <skipped/>\n',
      '  <testsuite name="suite/good.yaml" tests="1" failures="0" errors="0" skipped="0">\n',
    ])
      expect(report).toContain(part);
  });

  it('counts the warnings of a passing fixture, which fails with --strict', () => {
    const file = write(
      'warned.yaml',
      '  - {call: createCustomer, as: a, body: {name: A}}',
      '  - call: submitEvents',
      '    body:',
      '      customer_id: $a.id',
      '      events:',
      '        - {id: 00000000-0000-4000-8000-000000000001, event_type: call, occurred_at: $now}',
    );
    const passing = run(file);
    const strict = run(file, '--strict');

    expect([passing.status, passing.stdout]).toEqual([
      0,
      'passed  warned.yaml  (2 steps, 1 warning)\n',
    ]);
    expect(strict.status).toBe(1);
    expect(strict.stdout).toMatch(
      /^failed {2}warned\.yaml {2}\(2 steps, 1 warning\)\n {2}warning: .+\n$/,
    );
    expect(run(good, '--strict').status).toBe(0);
  });

  it('exits 3 for an invalid file, after running the others', () => {
    const { status, stdout } = run(unusable, 'nowhere.yaml', good, '--json');

    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject([
      { file: 'unusable.yaml', unusable: expect.stringContaining('Did you mean call?') },
      { file: 'nowhere.yaml', unusable: expect.stringContaining('nowhere.yaml') },
      { file: 'suite/good.yaml', steps: [{ problems: [], skipped: false }] },
    ]);
  });

  it('exits 3 for a folder without fixtures, as nothing would be tested', () => {
    mkdirSync(join(folder, 'empty'));
    const { status, stdout } = run('empty', good);

    expect([status, stdout]).toEqual([
      3,
      'unusable  empty\n  empty: the folder has no fixtures.\npassed  suite/good.yaml  (1 step)\n',
    ]);
  });

  it('exits 6 where nothing responds at the URL', () => {
    const { status, stderr } = run(good, '--url', 'http://127.0.0.1:1');

    expect([status, stderr]).toEqual([6, expect.stringContaining('No emulator responds at')]);
  });

  it('exits 2 without a file, and 3 for an invalid setting', () => {
    expect(run().status).toBe(2);
    expect(run(good, '--clock-now', 'soon')).toMatchObject({ status: 3 });
  });
});
