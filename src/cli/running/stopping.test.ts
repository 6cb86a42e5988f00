import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EMPTY_DATA_FILE } from '../../testing/setups/kept.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { holdingFiles, readReady } from '../../testing/setups/served-process.ts';
import { startVerb } from '../../testing/verb.ts';

let folder: string;
let flags: readonly string[];
beforeEach(() => {
  folder = newFolder();
  flags = ['--port', '0', '--ready-file', join(folder, 'ready.json')];
});

const readyOf = () =>
  vi.waitUntil(() => readReady(join(folder, 'ready.json')), { timeout: 20_000 });

describe('start', () => {
  it('stops at once on a signal while it loads its data file', async () => {
    const data = join(folder, 'data.json');
    writeFileSync(data, EMPTY_DATA_FILE);
    const hold = holdingFiles(join(folder, 'never'));
    const { child, ended } = startVerb([...flags, '--data', data], {
      NODE_OPTIONS: `--import=${hold}`,
    });
    await vi.waitUntil(() => existsSync(`${data}.lock`), { timeout: 20_000 });
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
  });

  it('writes its data file to the end if a second signal comes', async () => {
    const [data, goOn] = [join(folder, 'data.json'), join(folder, 'go-on')];
    const { child, printed, ended } = startVerb([...flags, '--data', data], {
      NODE_OPTIONS: `--import=${holdingFiles(goOn)}`,
    });
    await readyOf();
    child.kill('SIGINT');
    await vi.waitUntil(() => !existsSync(join(folder, 'ready.json')));
    child.kill('SIGINT');
    await vi.waitUntil(() => printed.errors.includes('Still writing') || child.exitCode !== null);
    writeFileSync(goOn, '');

    expect(await ended).toBe(0);
    expect(existsSync(data)).toBe(true);
  });

  it('serves also if the reader of its output is gone', async () => {
    const { child, ended } = startVerb(flags);
    child.stdout?.destroy();
    const { url } = await readyOf();
    const { status } = await fetch(`${url}/readyz`);
    child.kill('SIGTERM');

    expect(status).toBe(200);
    expect(await ended).toBe(0);
  });

  it('goes on if the reader of its log is gone', async () => {
    const { child, ended } = startVerb([...flags, '--log-level', 'debug']);
    const { url, keys } = await readyOf();
    child.stderr?.destroy();
    const headers = { Authorization: `Bearer ${keys['test']}` };
    for (let times = 0; times < 3; times += 1)
      expect((await fetch(`${url}/customers`, { headers })).status).toBe(200);
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
  });
});
