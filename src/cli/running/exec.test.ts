import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startVerb } from '../../testing/verb.ts';

const BINARY = fileURLToPath(new URL('../../../bin/billing-emulator.js', import.meta.url));

function exec(...words: string[]) {
  return spawnSync(process.execPath, [BINARY, 'exec', '--', ...words], { encoding: 'utf8' });
}

describe('exec', () => {
  it('gives a command an emulator that answers', () => {
    const script = `fetch(process.env.BILLING_EMULATOR_URL + '/customers', {
      headers: { Authorization: 'Bearer ' + process.env.BILLING_EMULATOR_KEY } })
      .then((response) => response.json())
      .then(({ total_count }) => console.log(total_count, process.env.BILLING_EMULATOR_WEBHOOK_SECRET))`;
    const { status, stdout } = exec(process.execPath, '-e', script);

    expect(stdout).toMatch(/^2 whsec_/);
    expect(status).toBe(0);
  });

  it('refuses a data file, as it keeps nothing', () => {
    const env = { ...process.env, BILLING_EMULATOR_DATA: '/nowhere/data.json' };
    const { status, stderr } = spawnSync(process.execPath, [BINARY, 'exec', '--', 'true'], {
      encoding: 'utf8',
      env,
    });

    expect([status, stderr]).toEqual([3, expect.stringContaining('exec starts afresh')]);
  });

  it.each([
    ['its own code', ['sh', '-c', 'exit 7'], 7],
    ['that of a signal', ['sh', '-c', 'kill -9 $$'], 137],
    ['127 for what cannot be started', ['no-such-command-here'], 127],
  ])('ends with %s', (_, words, code) => {
    expect(exec(...words).status).toBe(code);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'hands %s on to the command',
    async (signal) => {
      const script = "process.on(process.argv[1], () => process.exit(9)); console.log('on');";
      const words = [process.execPath, '-e', `${script} setInterval(() => {}, 1000)`, signal];
      const { child, ended } = startVerb(['exec', '--', ...words]);
      child.stdout?.once('data', () => child.kill(signal));

      expect(await ended).toBe(9);
    },
    20_000,
  );
});
