import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTarget } from '../kit/target/session.ts';
import { runCli } from '../testing/cli.ts';

/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

describe.concurrent('billing-emulator contract', () => {
  it.each([
    ['an unknown flag', ['--bas-url', 'x'], 2],
    ['a class that does not exist', ['--effects', 'E9'], 2],
    ['a variable without a key', ['--base-url', NOWHERE, '--key-env', 'NO_SUCH'], 3],
    ['an invalid address', ['--base-url', 'here', '--key-env', 'A_KEY'], 3],
    ['reports in a folder that cannot be', ['--report', 'junit=/dev/null/x.xml'], 3],
    ['a selection of nothing', ['--only', 'NO-SUCH'], 3],
    ['an address where nothing listens', ['--base-url', NOWHERE, '--key-env', 'A_KEY'], 13],
  ])('exits with the code for %s', async (_, args, code) => {
    const state = mkdtempSync(join(tmpdir(), 'contract-'));
    const result = await runCli([...args, '--state', state], { A_KEY: 'key_x' });

    expect(result.code).toBe(code);
  });

  it.each([
    ['--workers <count>', '0', 'a whole number from 1 to 999999999.'],
    ['--timeout <span>', '600h', 'a span from 1ms to 596h, such as 500ms, 30s, 10m or 1h.'],
    ['--consistency <lag>', '2', 'a span from 0ms to 596h, such as 500ms, 30s, 10m or 1h.'],
    ['--webhook-listen <port>', '65536', 'a whole number from 0 to 65535.'],
  ])(
    'exits with 2 for a wrong value of %s, and says what was expected',
    async (flag, given, what) => {
      const { code, output } = await runCli([flag.split(' ')[0] as string, given]);
      const message = `error: option '${flag}' argument '${given}' is invalid. Expected ${what}`;

      expect([code, output.trim()]).toEqual([2, message]);
    },
  );

  it('suggests the nearest command for a misspelt one', async () => {
    expect(await runCli(['docter'])).toEqual({
      code: 2,
      output: "error: unknown command 'docter'. Did you mean doctor?\n",
    });
  });

  it('says why checks do not run, afterwards and in advance', async () => {
    const target = await startTarget();
    const state = mkdtempSync(join(tmpdir(), 'contract-'));
    const at = ['--base-url', target.baseUrl, '--key-env', 'A_KEY', '--state', state];
    const key = { A_KEY: 'key_test_x' };
    const run = await runCli(['--only', 'CUS-54,SUB-12', ...at], key);
    const limits = ['--effects', 'E2', '--skip', 'vendors'];
    const doctor = await runCli(['doctor', ...limits, ...at], key);
    await target.close();

    expect(run.output).toContain('\nNot run 1: needs --payment-hook to complete payments (SUB-12)');
    expect(run.output).toMatch(/\nNot run \d+: left out by --only \(/);
    expect(doctor.output).toMatch(/\nChecks {7}at most \d+ of \d+\n/);
    expect(doctor.output).toMatch(/\nNot run {6}\d+: needs E3, beyond the ceiling E2, which/);
    expect(doctor.output).toMatch(/\nNot run {6}\d+: left out by --skip \(/);
  });

  it('exits with 3 for a self-test of a check that does not exist', async () => {
    expect(await runCli(['selftest', '--only', 'NO-SUCH'])).toEqual({
      code: 3,
      output: 'No check is called NO-SUCH.\n',
    });
  });
});
