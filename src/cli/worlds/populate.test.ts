import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../main.ts';
import { performCommand, spawnCommand } from '../../testing/command.ts';
import { newFolder } from '../../testing/files.ts';

const folder = newFolder();

const SMALL = ['--customers', '3', '--days', '5', '--seed', '7'];

const populate = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnCommand(['populate', ...args], { cwd: folder, env: { ...process.env, ...env } });

describe('populate', () => {
  it('prints the same bytes in every time zone and locale, and no progress to a pipe', () => {
    const here = populate(SMALL);
    const there = populate(SMALL, { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr' });

    expect(here.status).toBe(0);
    expect(here.stderr).toBe('');
    expect(here.stdout.length).toBeGreaterThan(5_000);
    expect(there.stdout).toBe(here.stdout);
  });

  it('writes a fixture that a world can open with', () => {
    expect(populate([...SMALL, '--out', 'small.json']).status).toBe(0);
    const file = join(folder, 'small.json');
    const { worlds } = createEmulator({ settings: { fixture: file } });
    const world = worlds.find('key_test_emulator');

    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      about: '3 customers over 5 days, drawn from the seed 7.',
    });
    expect([...(world?.tables.customers.values() ?? [])]).toHaveLength(3);
  });

  it('fills an empty world and says with what; of another it says what to do', async () => {
    const emulator = createEmulator({ settings: { port: 0, log_level: 'silent' } });
    const url = await emulator.listen();
    const fill = (key: string) =>
      performCommand(['populate', ...SMALL, '--url', url, '--key', key]);
    const filled = await fill('key_test_people');
    const again = await fill('key_test_people');

    expect([filled.code, filled.out]).toEqual([
      0,
      expect.stringMatching(
        /^3 customers over 5 days with \d+ usage events in the world of key_test_people\. Look at them: http\S+\n$/,
      ),
    ]);
    expect([again.code, again.errors]).toEqual([
      1,
      'The world of key_test_people is not empty: it has 3 customers. Fill that of another key, or empty it: billing-emulator reset --to empty --key key_test_people\n',
    ]);
    await fill('key_live_people');
    expect((await fill('key_live_people')).errors).toMatch(/^The world of key_live_peo… is not/);
    await emulator.close();
  });

  it.each<[string, readonly string[], number, string]>([
    ['a count that is not a number', ['--customers', 'many'], 2, 'whole number'],
    ['an invalid time', ['--until', 'soon'], 2, 'date-time'],
    ['two targets', ['--out', 'a.json', '--url', 'http://127.0.0.1:1'], 2, 'out'],
    ['a missing folder', [...SMALL, '--out', 'none/a.json'], 1, 'none/a.json'],
    [
      'an address where nothing listens',
      [...SMALL, '--url', 'http://127.0.0.1:1'],
      6,
      'No emulator',
    ],
  ])('rejects %s', (_, args, code, text) => {
    const { status, stderr } = populate(args);

    expect(status).toBe(code);
    expect(stderr).toContain(text);
  });
});
