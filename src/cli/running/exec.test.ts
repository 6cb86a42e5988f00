import { describe, expect, it } from 'vitest';
import { spawnCommand, startCommand } from '../../testing/command.ts';

const VARIABLES = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('BILLING_EMULATOR_')),
);

const exec = (...line: string[]) => spawnCommand(['exec', ...line], { env: VARIABLES });

/** A program that prints the JSON responses to some requests, and the secret in its environment. */
const asking = (...requests: string[]): string[] => {
  const script = `const { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key, ...env } = process.env;
    const ask = async (line) => {
      const [method, path] = line.split(' ');
      const response = await fetch(url + path, { method, headers: { Authorization: 'Bearer ' + key } });
      return response.json();
    };
    const answers = [];
    for (const line of process.argv.slice(1)) answers.push(await ask(line));
    console.log(JSON.stringify({ answers, secret: env.BILLING_EMULATOR_WEBHOOK_SECRET }));`;
  return ['--', process.execPath, '--input-type=module', '-e', script, ...requests];
};

describe('exec', () => {
  it('runs a command with an emulator that responds, without a webhook destination', () => {
    const { status, stdout } = exec(...asking('GET /customers', 'GET /webhooks'));
    const { answers, secret } = JSON.parse(stdout);

    expect(answers.map(({ total_count }: { total_count: number }) => total_count)).toEqual([2, 0]);
    expect(secret).toBeUndefined();
    expect(status).toBe(0);
  });

  it('applies --fixture and registers --webhook-url, which a reset keeps', () => {
    const receiver = 'http://127.0.0.1:9/hooks';
    const requests = asking('GET /customers', 'POST /_emulator/reset', 'GET /webhooks');
    const { stdout } = exec('--fixture', '', '--webhook-url', receiver, ...requests);
    const { answers, secret } = JSON.parse(stdout);
    const [customers, , destinations] = answers;

    expect(customers.total_count).toBe(0);
    expect(destinations.items).toEqual([expect.objectContaining({ url: receiver })]);
    expect(secret).toMatch(/^whsec_/);
  });

  it('lists few settings in its help, and accepts all', () => {
    const { stdout } = exec('--help');

    expect(stdout).toMatch(/--fixture <value>[\s\S]+--clock <value>[\s\S]+start --help/);
    expect(stdout).not.toContain('--overdraft');
    expect(exec('--overdraft', 'maybe', '--', 'true').stderr).toContain('one of allow, deny');
  });

  it('rejects --data with exit code 3', () => {
    const { status, stderr } = exec('--data', '/nowhere/data.json', '--', 'true');

    expect([status, stderr]).toEqual([3, expect.stringContaining('exec starts with new worlds')]);
  });

  it.each([
    ['its own code', ['sh', '-c', 'exit 7'], 7],
    ['that of a signal', ['sh', '-c', 'kill -9 $$'], 137],
    ['127 for a command that cannot be started', ['no-such-command-here'], 127],
  ])('exits with %s', (_, words, code) => {
    expect(exec('--', ...words).status).toBe(code);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('forwards %s to the command', async (signal) => {
    const script = "process.on(process.argv[1], () => process.exit(9)); console.log('on');";
    const words = [process.execPath, '-e', `${script} setInterval(() => {}, 1000)`, signal];
    const { child, ended } = startCommand(['exec', '--', ...words]);
    child.stdout?.once('data', () => child.kill(signal));

    expect(await ended).toBe(9);
  });
});
