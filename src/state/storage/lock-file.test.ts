import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { DataError } from './data-error.ts';
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

  it('rejects a file that another container has locked, as long as it renews its lock', async () => {
    const lock = `${file}.lock`;
    await writeFile(lock, `${process.pid} other pid:[1]`);
    const renewing = setInterval(() => void utimes(lock, Date.now(), Date.now()), 100);

    await expect(lockFile(file)).rejects.toThrow('another container or machine, other');
    clearInterval(renewing);
    await lockFile(file);
  });

  it('renews its lock, so that a process of another container sees that it is alive', async () => {
    const { unlock } = await lockFile(file);
    await utimes(`${file}.lock`, 0, 0);

    await vi.waitUntil(async () => (await stat(`${file}.lock`)).mtimeMs > 0, 5_000);
    await unlock();
  });

  it('locks the file to which a link leads, also if that is not there yet', async () => {
    const folder = dirname(file);
    await mkdir(join(folder, 'volume'));
    await symlink(join('volume', 'kept.json'), join(folder, 'inner'));
    await symlink('inner', file);

    expect((await lockFile(file)).path).toBe(join(folder, 'volume', 'kept.json'));
  });

  it.each([
    ['/dev/zero', 'is a device or a pipe. Name a file'],
    ['loop', 'ELOOP'],
    ['missing/data.json', 'because its folder does not exist.'],
  ])('rejects %s as a data file', async (name, message) => {
    const folder = dirname(file);
    await symlink('loop', join(folder, 'loop'));

    const refused = lockFile(resolve(folder, name));
    await expect(refused).rejects.toThrow(DataError);
    await expect(refused).rejects.toThrow(message);
  });
});
