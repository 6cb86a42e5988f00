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

  it('exits with 2 for wrong values, and says of each what was expected', async () => {
    const given = ['--workers', '--rps', '--max-requests', '--consistency'];
    const values = ['0', '-1', '1e3', '2'];
    const line = [...given.flatMap((flag, place) => [flag, values[place] as string])];
    const late = ['--timeout', '600h', '--webhook-listen', '65536', '--effects', 'E9'];
    const variables = { CONTRACT_MAX_CREATES: 'all' };
    const { code, output } = await runCli([...line, ...late], variables);
    const [count, number] = [1, 0].map((least) => `a whole number from ${least} to 999999999.`);
    const span = 'to 596h, such as 500ms, 30s, 10m or 1h.';

    expect(code).toBe(2);
    expect(output.trimEnd().split('\n').sort()).toEqual(
      [
        `error: option '--workers <count>' argument '0' is invalid. Expected ${count}`,
        `error: option '--rps <count>' argument '-1' is invalid. Expected ${count}`,
        `error: option '--max-requests <number>' argument '1e3' is invalid. Expected ${number}`,
        `error: option '--consistency <lag>' argument '2' is invalid. Expected a span from 0ms ${span}`,
        `error: option '--timeout <span>' argument '600h' is invalid. Expected a span from 1ms ${span}`,
        "error: option '--webhook-listen <port>' argument '65536' is invalid. Expected a whole number from 0 to 65535.",
        "error: option '--effects <class>' argument 'E9' is invalid. Allowed choices are E0, E1, E2, E3, E4.",
        `error: option '--max-creates <number>' value 'all' from env 'CONTRACT_MAX_CREATES' is invalid. Expected ${number}`,
      ].sort(),
    );
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
