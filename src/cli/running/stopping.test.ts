import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator } from '../../main.ts';
import { BINARY, performCommand, startCommand } from '../../testing/command.ts';
import { eventually } from '../../testing/eventually.ts';
import { EMPTY_DATA_FILE, holdingFiles, newFolder, readReady } from '../../testing/files.ts';
import { isRunning } from './npx.ts';

let folder: string;
let flags: readonly string[];
beforeEach(() => {
  folder = newFolder();
  flags = ['--port', '0', '--ready-file', join(folder, 'ready.json')];
});

const readyOf = () => eventually(() => readReady(join(folder, 'ready.json')));

/** Runs a command in a shell below a process, as npx does. */
const BELOW = `require('node:child_process').spawn('sh', ['-c', process.argv[1] + '; exit'])`;

describe('start', () => {
  it.each([
    ['ends with npx, even if that is killed', 'exec', true],
    ['started otherwise, goes on without its parent', '', false],
  ])('%s', async (_about, npm_command, isEnded) => {
    const command = [process.execPath, BINARY, 'start', ...flags].join(' ');
    const env = { ...process.env, npm_command };
    const npx = spawn(process.execPath, ['-e', BELOW, command], { env, stdio: 'ignore' });
    const { pid } = await readyOf();
    npx.kill('SIGKILL');
    const file = join(folder, 'ready.json');
    if (isEnded) await eventually(() => !existsSync(file));
    else expect(await performCommand(['stop', '--ready-file', file])).toMatchObject({ code: 0 });

    await eventually(() => !isRunning(pid));
  });

  it('stops at once on a signal while it loads its data file', async () => {
    const data = join(folder, 'data.json');
    writeFileSync(data, EMPTY_DATA_FILE);
    const hold = holdingFiles(join(folder, 'never'));
    const { child, ended } = startCommand([...flags, '--data', data], {
      NODE_OPTIONS: `--import=${hold}`,
    });
    await eventually(() => existsSync(`${data}.lock`));
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
  });

  it('writes its data file to the end if a second signal comes', async () => {
    const [data, goOn] = [join(folder, 'data.json'), join(folder, 'go-on')];
    const { child, printed, ended } = startCommand([...flags, '--data', data], {
      NODE_OPTIONS: `--import=${holdingFiles(goOn)}`,
    });
    await readyOf();
    child.kill('SIGINT');
    await eventually(() => !existsSync(join(folder, 'ready.json')));
    child.kill('SIGINT');
    await eventually(() => printed.errors.includes('Still writing') || child.exitCode !== null);
    writeFileSync(goOn, '');

    expect(await ended).toBe(0);
    expect(existsSync(data)).toBe(true);
  });

  it('goes on if the readers of its output and of its log are gone', async () => {
    const { child, ended } = startCommand([...flags, '--log-level', 'debug']);
    child.stdout?.destroy();
    const { url, keys } = await readyOf();
    child.stderr?.destroy();
    const headers = { Authorization: `Bearer ${keys['test']}` };
    for (let times = 0; times < 3; times += 1)
      expect((await fetch(`${url}/customers`, { headers })).status).toBe(200);
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
  });
});

describe('stop', () => {
  it('ends the emulator of a ready file, and waits for its end', async () => {
    const file = join(folder, 'ready.json');
    const { ended } = startCommand(flags);
    const { url, pid } = await readyOf();
    const stopped = await performCommand(['stop', '--ready-file', file]);
    const again = await performCommand(['stop', '--ready-file', file]);

    expect(stopped).toMatchObject({ code: 0, out: `Stopped ${url}.\n` });
    expect(isRunning(pid)).toBe(false);
    expect(await ended).toBe(0);
    expect(again).toMatchObject({ code: 6 });
    expect(again.errors).toContain(`${file}: not a ready file of an emulator: ENOENT`);
  });

  it('ends the emulator at a URL, and says if there is none', async () => {
    const { ended } = startCommand(flags);
    const { url } = await readyOf();
    const stopped = await performCommand(['stop', '--url', url]);
    const again = await performCommand(['stop', '--url', url]);

    expect(stopped).toMatchObject({ code: 0, out: `Stopped ${url}.\n` });
    expect(await ended).toBe(0);
    expect(again.code).toBe(6);
  });

  it('leaves an emulator alone that runs inside another program', async () => {
    const emulator = createEmulator({ settings: { port: 0, log_level: 'silent' } });
    const url = await emulator.listen();
    const { code, errors } = await performCommand(['stop', '--url', url]);

    expect([code, errors]).toEqual([
      1,
      'This emulator runs inside another program, and ends with it.\n',
    ]);
    await emulator.close();
  });

  it('signals no process if no emulator responds at the URL of the file', async () => {
    const file = join(folder, 'stale.json');
    writeFileSync(file, JSON.stringify({ url: 'http://127.0.0.1:9', pid: process.pid }));
    const { code, errors } = await performCommand(['stop', '--ready-file', file]);

    expect(code).toBe(6);
    expect(errors).toContain('no emulator at http://127.0.0.1:9');
  });
});
