import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { lockFile } from './lock-file.ts';
import { openPersistence } from './open-persistence.ts';
import { journalPath } from './read-data.ts';

const OTHERS = '1 other pid:[1]';

let file: string;
let lock: string;
beforeEach(() => {
  file = join(newFolder(), 'data.json');
  lock = `${file}.lock`;
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a process sees that was suspended for five seconds. */
function wakeUp(after = 5_000): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + after });
}

describe('a locked file', () => {
  it('is lost once another process took it over, whose lock then stays', async () => {
    const lost = vi.fn();
    const locked = await lockFile(file, lost);
    await writeFile(lock, OTHERS);
    wakeUp();

    await expect(locked.confirm()).rejects.toThrow(`${file} was taken over by process 1 (${lock})`);
    await locked.unlock();
    expect(await readFile(lock, 'utf8')).toBe(OTHERS);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('is lost once another process took it over and has ended', async () => {
    const locked = await lockFile(file);
    await rm(lock);
    wakeUp();

    await expect(locked.confirm()).rejects.toThrow('by another process, which has ended');
    await locked.unlock();
  });

  it('is found to be lost without a write too', async () => {
    const lost = vi.fn();
    await lockFile(file, lost);
    await writeFile(lock, OTHERS);

    await vi.waitUntil(() => lost.mock.calls.length > 0, 5_000);
  });

  it('is not lost if its lock is deleted while it runs, but locked again', async () => {
    const locked = await lockFile(file);
    const text = await readFile(lock, 'utf8');
    await rm(lock);

    await vi.waitUntil(async () => (await readFile(lock, 'utf8').catch(() => '')) === text, 5_000);
    await locked.unlock();
    await expect(readFile(lock)).rejects.toThrow('ENOENT');
  });

  it('is still written if its lock cannot be read, unless the process was suspended', async () => {
    const locked = await lockFile(file);
    await rm(lock);
    await mkdir(lock);
    wakeUp(2_000);

    await locked.confirm();
    wakeUp();
    await expect(locked.confirm()).rejects.toThrow(`${file} cannot be written: EISDIR`);
    await locked.unlock();
  });

  it('is neither written nor lost while its folder is gone', async () => {
    const lost = vi.fn();
    const locked = await lockFile(file, lost);
    await rm(join(file, '..'), { recursive: true });
    wakeUp();

    await expect(locked.confirm()).rejects.toThrow(`${file} cannot be written: ENOENT`);
    await locked.unlock();
    expect(lost).not.toHaveBeenCalled();
  });
});

describe('a data file that another container took over while this process was suspended', () => {
  const errors: string[] = [];
  const log = { info: () => {}, error: (message: string) => void errors.push(message) };
  const open = async (mode: 'on-commit' | 'on-exit'): Promise<TestClient> => {
    const settings = { data: file, data_mode: mode, reporting_currency: 'USD' } as const;
    return createTestClient({ fixture: '' }, { data: await openPersistence(settings, log) });
  };

  it('gets no more changes, and requests that need it are answered with 503', async () => {
    const { api, emulator } = await open('on-commit');
    await api('createVendor', { body: { name: 'before' } }, 201);
    await writeFile(lock, OTHERS);
    wakeUp();
    const journal = await readFile(journalPath(file, 1), 'utf8');
    const { detail } = (await api('createVendor', { body: { name: 'after' } }, 503)) as {
      detail: string;
    };
    const closed = emulator.close();

    await expect(closed).rejects.toThrow('was taken over');
    expect(detail).toContain('was taken over by process 1');
    expect(await readFile(journalPath(file, 1), 'utf8')).toBe(journal);
    expect(await readFile(lock, 'utf8')).toBe(OTHERS);
  });

  it('is not replaced at the end', async () => {
    const { api, emulator } = await open('on-exit');
    await api('createVendor', { body: { name: 'before' } }, 201);
    await writeFile(lock, OTHERS);
    await writeFile(file, 'of the other');
    wakeUp();

    await expect(emulator.close()).rejects.toThrow('was taken over');
    expect(await readFile(file, 'utf8')).toBe('of the other');
    expect(errors.join()).toContain('was taken over by process 1');
  });
});
