import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { openPersistence } from './persistence.ts';

const KEY = 'key_test_kept';
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-'));
  file = join(folder, 'data.json');
});
afterEach(() => rm(folder, { recursive: true }));

async function start(data_mode: 'on-exit' | 'interval' | 'on-commit' = 'on-exit') {
  const settings = { fixture: '', log_level: 'silent', data: file, data_mode } as const;
  const data = await openPersistence(settings);
  const emulator = createEmulator({ settings, data });
  const http = supertest(emulator.handle);
  const authorized = { Authorization: `Bearer ${KEY}` };
  return {
    emulator,
    create: (name: string) => http.post('/vendors').set(authorized).send({ name }),
    async names(): Promise<string[]> {
      const { body } = await http.get('/vendors?limit=1000').set(authorized);
      return body.items.map((vendor: { name: string }) => vendor.name);
    },
  };
}

describe('a data file', () => {
  it('brings every world back, ids going on where they stood', async () => {
    const first = await start();
    const one = await first.create('one');
    await first.emulator.close();
    const second = await start();
    const two = await second.create('two');

    expect(await second.names()).toEqual(['two', 'one']);
    expect(two.body.id).not.toBe(one.body.id);
    await second.emulator.close();
  });

  it('holds what was acknowledged before the answer leaves, in mode on-commit', async () => {
    const { emulator, create } = await start('on-commit');
    await Promise.all(Array.from({ length: 20 }, (_, count) => create(`vendor ${count}`)));
    const stored = JSON.parse(await readFile(file, 'utf8'));

    expect(stored.schema_version).toBe(1);
    expect(stored.worlds[KEY].tables.vendors).toHaveLength(20);
    await emulator.close();
  });

  it('keeps the former text beside the new one', async () => {
    const { emulator, create } = await start('on-commit');
    await create('one');
    await create('two');
    const former = JSON.parse(await readFile(`${file}.previous`, 'utf8'));

    expect(former.worlds[KEY].tables.vendors).toHaveLength(1);
    await emulator.close();
  });

  it('is refused while another holds it, and given back at the end', async () => {
    await writeFile(`${file}.lock`, String(process.ppid));
    await expect(start()).rejects.toThrow(`in use by process ${process.ppid}`);

    await writeFile(`${file}.lock`, '999999999');
    const { emulator } = await start();
    await emulator.close();

    await expect(readFile(`${file}.lock`)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['truncated', '{"schema_version": 1, "worl', 'cannot be read'],
    ['empty', '', 'cannot be read'],
    ['of something else', '{"name": "other"}', 'no data file'],
    ['of a newer release', '{"schema_version": 99, "worlds": {}}', 'newer release'],
    ['damaged', '{"schema_version": 1, "worlds": {"key_test_a": {"tables": {}}}}', 'damaged'],
    [
      'with unknown records',
      '{"schema_version": 1, "worlds": {"key_test_a": {"sequence": 1, "tables": {"x": []}}}}',
      'damaged',
    ],
  ])('is refused and left untouched when it is %s', async (_, text, message) => {
    await writeFile(file, text);

    await expect(start()).rejects.toThrow(message);
    await expect(start()).rejects.toThrow(file);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
