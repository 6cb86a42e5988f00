import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand, startCommand } from '../../testing/command.ts';
import { eventually } from '../../testing/eventually.ts';
import { EMPTY_DATA_FILE, holdingFiles, newFolder, readReady } from '../../testing/files.ts';
import { startServer } from '../../testing/server.ts';

const folder = newFolder();

const sh = (command: string): string =>
  execFileSync('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();

/** Runs a command to its end. Returns the exit code and the standard error. */
async function finish(args: readonly string[], env: Record<string, string> = {}) {
  const { code, errors } = await runCommand(args, env);
  return { code, errors };
}

async function freePort(): Promise<number> {
  const { port, close } = await startServer(() => {});
  await close();
  return port;
}

function write(file: string, step: string): void {
  writeFileSync(file, `about: x\nsteps:\n  - ${step}\n`);
}

describe('start', () => {
  it('responds with 503 to all but /livez while it loads its data file', async () => {
    const [data, ready, port] = [join(folder, 'read.json'), join(folder, 'read'), await freePort()];
    const goOn = join(folder, 'go-on');
    writeFileSync(data, EMPTY_DATA_FILE);
    const flags = ['--port', String(port), '--data', data, '--ready-file', ready];
    const { child } = startCommand(flags, { NODE_OPTIONS: `--import=${holdingFiles(goOn)}` });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      return (
        answer && {
          status: answer.status,
          retry: answer.headers.get('retry-after'),
          text: await answer.text(),
        }
      );
    };
    const early = await eventually(() => ask('/readyz'));
    const others = [await ask('/livez'), await ask('/customers'), await ask('/_emulator/ui')];
    const isEarly = existsSync(ready);
    writeFileSync(goOn, '');
    await eventually(() => readReady(ready));
    const late = [await ask('/readyz'), await ask('/customers')];
    child.kill('SIGTERM');
    await once(child, 'exit');

    expect(early).toMatchObject({ status: 503, retry: '1' });
    expect(early.text).toContain('data is being loaded');
    expect(others.map((answer) => answer?.status)).toEqual([200, 503, 503]);
    expect(isEarly).toBe(false);
    expect(late.map((answer) => answer?.status)).toEqual([200, 401]);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'keeps a ready file while it serves, and stops cleanly on %s',
    async (signal) => {
      const file = join(folder, `${signal}.json`);
      writeFileSync(file, JSON.stringify({ url: 'of a process that was killed' }));
      const { child } = startCommand(['--port', '0', '--ready-file', file]);
      const exit = once(child, 'exit');
      const isMine = (ready: ReturnType<typeof readReady>) => ready?.pid === child.pid && ready;
      const ready = await eventually(() => isMine(readReady(file)));
      const response = await fetch(`${ready.url}/customers`, {
        headers: { Authorization: `Bearer ${ready.keys['test']}` },
      });
      const live = await fetch(`${ready.url}/livez`);
      child.kill(signal);

      expect([response.status, live.status]).toEqual([200, 200]);
      expect(await exit).toEqual([0, null]);
      expect(existsSync(file)).toBe(false);
    },
  );

  it.each([[], ['--clock', 'frozen', '--clock-now', '2025-06-30T10:00:00Z']])(
    'prints commands that give a first fee: %s %s %s %s',
    async (...clock) => {
      const { child, printed, ended } = startCommand(['--port', '0', ...clock]);
      await eventually(() => printed.out.split('\n  curl').length === 3);
      const commands = printed.out.slice(printed.out.indexOf('\n  curl')).trim().split('\n\n');
      const answers = commands.map((command) => sh(command));
      child.kill('SIGTERM');
      await ended;

      const [submitted, event = ''] = answers;
      expect(submitted).toBe('');
      expect(JSON.parse(event)).toMatchObject({ fees: [{ amount: 4.17 }] });
    },
  );

  it('prints no key that the setting keys leaves out', async () => {
    const { child, printed, ended } = startCommand(['--port', '0', '--keys', 'key_test_a']);
    await eventually(() => printed.out.includes('browse'));
    child.kill('SIGTERM');
    await ended;

    expect(printed.out).toContain('  keys    those of the setting keys  (header X-Service-Api-Key');
    expect(printed.out).not.toContain('key_test');
  });

  it('applies the fixtures of a folder in order of name, and ready waits for it', async () => {
    const file = join(folder, 'init.json');
    const init = join(folder, 'init');
    const product =
      '{name: P, code: p, publish: true, prices: [{name: U, type: usage_based, billing_model: {type: real_time}, usage_calculation: {event_type: unused, usage_type: unit}, pricing: [{asset: USD, values: [{unit_price: 1}]}]}], entitlements: [{name: E, asset: USD, amount: 5, purpose: bundled, lifecycle: {duration: month}}]}';
    mkdirSync(init);
    write(
      join(init, '2.yaml'),
      '{call: createCustomer, body: {name: B, subscriptions: [{products: [{code: p}]}]}}',
    );
    write(join(init, '1.yml'), `{call: createProduct, body: ${product}}`);
    const { child } = startCommand(['--port', '0', '--fixture', init, '--ready-file', file]);
    const { url } = await eventually(() => readReady(file));
    const ready = await finish(['ready'], { BILLING_EMULATOR_URL: url });
    const unready = await finish(['ready', '--url', 'http://127.0.0.1:1', '--wait', '200ms']);
    const response = await fetch(`${url}/customers`, {
      headers: { Authorization: 'Bearer key_test_emulator' },
    });
    child.kill('SIGTERM');

    expect(await response.json()).toMatchObject({
      items: [{ name: 'B', active_subscription_count: 1 }],
    });
    expect(ready).toEqual({ code: 0, errors: '' });
    expect(unready.code).toBe(6);
    expect(unready.errors).toContain('http://127.0.0.1:1/readyz');
  });

  it('exits 5 if the port is in use', async () => {
    const { port, close } = await startServer(() => {});
    const { code, errors } = await finish(['--port', String(port)]);
    await close();

    expect(code).toBe(5);
    expect(errors).toBe(
      `Port ${port} of 127.0.0.1 is in use. Choose another with --port; --port 0 picks a free one.\n`,
    );
  });

  const broken = join(folder, 'broken.yaml');
  writeFileSync(
    broken,
    'about: x\nsteps:\n  - call: createCustomer\n    times: 2\n    body: {name: A, external_id: a}\n',
  );
  const settings = join(folder, 'settings.yaml');
  writeFileSync(settings, 'prot: 1\n');

  const damaged = join(folder, 'damaged.json');
  writeFileSync(damaged, '{"schema_version": 1, "worl');

  it.each<[string, readonly string[], Record<string, string>, number, string]>([
    ['a wrong value', ['--port', 'many'], {}, 3, 'port'],
    [
      'a ready file in a missing folder',
      ['--port', '0', '--ready-file', join(folder, 'none', 'ready.json')],
      {},
      1,
      'ENOENT',
    ],
    ['a folder as ready file', ['--ready-file', folder], {}, 1, folder],
    [
      'an unknown variable',
      [],
      { BILLING_EMULATOR_PROT: '1' },
      3,
      'Did you mean port? (variable BILLING_EMULATOR_PROT)',
    ],
    [
      'an unknown setting in a file',
      ['--config', settings],
      {},
      3,
      `Did you mean port? (file ${settings})`,
    ],
    ['a missing settings file', ['--config', join(folder, 'none.yaml')], {}, 3, 'none.yaml'],
    ['a fixture that is refused', ['--fixture', broken], {}, 3, 'createCustomer'],
    [
      'a fixture for sandboxes that is refused',
      ['--sandbox-fixture', broken],
      {},
      3,
      'broken.yaml:3:5',
    ],
    ['a missing folder', ['--fixture', join(folder, 'none')], {}, 3, 'none'],
    ['a data file that is damaged', ['--data', damaged], {}, 4, damaged],
    ['a host that does not exist', ['--host', '[::1]'], {}, 5, '[::1]'],
    ['a host beyond loopback without a token', ['--host', '0.0.0.0'], {}, 3, 'admin_token'],
  ])('exits with an error for %s', async (_, args, env, code, text) => {
    const outcome = await finish(
      [...args, ...(args.includes('--port') ? [] : ['--port', '0'])],
      env,
    );

    expect(outcome.code).toBe(code);
    expect(outcome.errors).toContain(text);
  });
});
