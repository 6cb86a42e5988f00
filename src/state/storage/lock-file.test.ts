import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { lockFile } from './lock-file.ts';

let file: string;
beforeEach(() => {
  file = join(newFolder(), 'data.json');
});

describe('lockFile', () => {
  it('rejects a file that another process has locked, while that process exists', async () => {
    await writeFile(`${file}.lock`, String(process.ppid));
    await expect(lockFile(file)).rejects.toThrow(`in use by process ${process.ppid}`);

    await writeFile(`${file}.lock`, '999999999');
    await lockFile(file);
  });

  it('rejects a file that this process has locked, until it is unlocked', async () => {
    const { unlock } = await lockFile(file);
    await expect(lockFile(file)).rejects.toThrow(`in use by process ${process.pid}`);
    await unlock();

    await expect(readFile(`${file}.lock`)).rejects.toThrow('ENOENT');
  });

  it('rejects a file that another thread of this process has locked', async () => {
    await writeFile(`${file}.lock`, String(process.pid));

    await expect(lockFile(file)).rejects.toThrow(`in use by process ${process.pid}`);
  });

  it('ignores the lock of a former process with the id of this one, as in a container', async () => {
    await writeFile(`${file}.lock`, String(process.pid));
    await utimes(`${file}.lock`, 0, Date.now() / 1_000 - process.uptime() - 1);

    await lockFile(file);
  });
});
