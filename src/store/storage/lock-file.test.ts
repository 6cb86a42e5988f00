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
    const locked = await lockFile(file);
    await expect(lockFile(file)).rejects.toThrow(`in use by process ${process.pid}`);
    await locked.unlock();

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
    const locked = await lockFile(file);
    await utimes(`${file}.lock`, 0, 0);

    await vi.waitUntil(async () => (await stat(`${file}.lock`)).mtimeMs > 0, 5_000);
    await locked.unlock();
  });

  it('rejects a file whose lock is still being written, and names its process', async () => {
    await writeFile(`${file}.lock`, '');
    const refused = lockFile(file);
    setTimeout(() => void writeFile(`${file}.lock`, String(process.ppid)), 500);

    await expect(refused).rejects.toThrow(`in use by process ${process.ppid} (`);
  });

  it('ignores a lock from before the machine started, also if its process id is in use again', async () => {
    const lock = `${file}.lock`;
    const locked = await lockFile(file);
    const place = (await readFile(lock, 'utf8')).slice(String(process.pid).length);
    await locked.unlock();
    await writeFile(lock, `${process.ppid}${place.replace(/[0-9a-f-]{36}/, 'former-start')}`);

    await (await lockFile(file)).unlock();
  });

  it('locks a file for one of two that find the lock of a process that is gone', async () => {
    const winners: number[] = [];
    for (let round = 0; round < 40; round += 1) {
      await writeFile(`${file}.lock`, '999999999');
      const tried = await Promise.allSettled([lockFile(file), lockFile(file)]);
      const held = tried.filter((each) => each.status === 'fulfilled');
      winners.push(held.length);
      for (const { value } of held) await value.unlock();
    }

    expect(winners.filter((count) => count !== 1)).toEqual([]);
  });

  it('follows a relative link in a folder that is itself a link', async () => {
    const folder = dirname(file);
    await mkdir(join(folder, 'deep', 'real'), { recursive: true });
    await symlink('../kept.json', join(folder, 'deep', 'real', 'data.json'));
    await symlink(join('deep', 'real'), join(folder, 'short'));

    expect((await lockFile(join(folder, 'short', 'data.json'))).path).toBe(
      join(folder, 'deep', 'kept.json'),
    );
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
