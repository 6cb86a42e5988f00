import { existsSync } from 'node:fs';
import { mkdir, rm, rmdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { machineTime } from '../../config/machine-time.ts';
import { eventually, SOON } from '../../testing/eventually.ts';
import { newFolder } from '../../testing/files.ts';
import { DataError } from './data-error.ts';
import { lockFile } from './file-lock.ts';

const newFile = (): string => join(newFolder(), 'data.json');

/** Leaves a lock as a process would that was killed some time ago. Returns when it was renewed last, in milliseconds. */
async function leaveLock(file: string, secondsAgo: number): Promise<number> {
  await mkdir(`${file}.lock`);
  const seconds = machineTime() / 1_000 - secondsAgo;
  await utimes(`${file}.lock`, seconds, seconds);
  return seconds * 1_000;
}

// At once, as several wait until a lock is stale.
describe.concurrent('lockFile', () => {
  it('rejects a file that another emulator has locked, until it is unlocked', async () => {
    const file = newFile();
    const locked = await lockFile(file);
    await expect(lockFile(file)).rejects.toThrow(
      `${file} is in use by another emulator (${file}.lock).`,
    );
    await locked.unlock();
    await (await lockFile(file)).unlock();

    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('rejects a file whose lock is renewed, by whatever process, container or machine', async () => {
    const file = newFile();
    await leaveLock(file, 0);
    const renew = () => void utimes(`${file}.lock`, machineTime() / 1_000, machineTime() / 1_000);
    const renewing = setInterval(renew, 500);

    await expect(lockFile(file)).rejects.toThrow('is in use by another emulator');
    clearInterval(renewing);
  });

  it('waits for the lock of a process that was killed just now to become stale', async () => {
    const file = newFile();
    const renewed = await leaveLock(file, 3);

    const locked = await lockFile(file);
    const waited = machineTime() - renewed;
    expect(waited).toBeGreaterThanOrEqual(5_000);
    expect(waited).toBeLessThan(5_000 + SOON);
    await locked.unlock();
  });

  it('leaves a file to one of two that find a lock left behind, at once or a second later', async () => {
    const file = newFile();
    await leaveLock(file, 60);
    const losses = [vi.fn(), vi.fn()];
    const tried = await Promise.allSettled(losses.map((onLost) => lockFile(file, onLost)));
    const held = () =>
      tried.filter(
        (each, place) => each.status === 'fulfilled' && !losses[place]?.mock.calls.length,
      );
    await eventually(() => held().length < 2, SOON);

    expect(held()).toHaveLength(1);
    for (const each of tried) if (each.status === 'fulfilled') await each.value.unlock();
  });

  it('notices that another has taken the file over, before it is written and by itself', async () => {
    const file = newFile();
    const onLost = vi.fn();
    const locked = await lockFile(file, onLost);
    await locked.confirm();
    await rmdir(`${file}.lock`);
    await leaveLock(file, 1);

    await expect(locked.confirm()).rejects.toThrow('was taken over by another emulator');
    await eventually(() => onLost.mock.calls.length > 0, SOON);
    await locked.unlock();
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  it('follows a relative link in a folder that is itself a link, to a file that is not there yet', async () => {
    const folder = newFolder();
    await mkdir(join(folder, 'deep', 'real'), { recursive: true });
    await symlink('../kept.json', join(folder, 'deep', 'real', 'data.json'));
    await symlink(join('deep', 'real'), join(folder, 'short'));

    expect((await lockFile(join(folder, 'short', 'data.json'))).path).toBe(
      join(folder, 'deep', 'kept.json'),
    );
  });

  it('rejects a file whose lock is no folder', async () => {
    const file = newFile();
    await writeFile(`${file}.lock`, 'something of the user');
    await utimes(`${file}.lock`, 0, 0);

    await expect(lockFile(file)).rejects.toThrow(/data\.json cannot be locked: ENOTDIR/);
    await rm(`${file}.lock`);
  });

  it.each([
    ['/dev/zero', 'is a device or a pipe. Name a file'],
    ['loop', 'ELOOP'],
    ['missing/data.json', 'because its folder does not exist.'],
  ])('rejects %s as a data file', async (name, message) => {
    const folder = newFolder();
    await symlink('loop', join(folder, 'loop'));

    const refused = lockFile(resolve(folder, name));
    await expect(refused).rejects.toThrow(DataError);
    await expect(refused).rejects.toThrow(message);
  });
});
