import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { refuseFlaw } from './data-error.ts';
import { openPersistence } from './open-persistence.ts';
import { readData } from './read-data.ts';

const BRIEF = 'key_test_brief';
const made = { lifetime_ms: 60_000 };

/** The sandboxes of the data after each line of the journal that has the world of the sandbox. */
async function sandboxesByLine(file: string) {
  const lines = (await readFile(`${file}.journal-1`, 'utf8')).split('\n');
  const cut = join(newFolder(), 'data.json');
  await copyFile(file, cut);
  const found = [];
  for (let count = 1; count < lines.length; count += 1) {
    await writeFile(`${cut}.journal-1`, `${lines.slice(0, count).join('\n')}\n`);
    const { stored } = await readData(cut, refuseFlaw);
    if (stored.worlds.has(BRIEF)) found.push(stored.sandboxes.get('brief'));
  }
  return found;
}

it('a sandbox that is created has its time to live in every part of the journal', async () => {
  const file = join(newFolder(), 'data.json');
  const settings = { data: file, data_mode: 'on-commit', reporting_currency: 'USD' } as const;
  const data = await openPersistence(settings, { info: () => {}, error: () => {} });
  const { control, emulator } = createTestClient({ fixture: '' }, { data });
  const sandbox = { name: 'brief', fixture: 'quickstart', time_to_live: 'PT60S' };
  await control('createSandbox', { body: sandbox }, 201);
  await emulator.close();

  const found = await sandboxesByLine(file);
  expect(found.length).toBeGreaterThan(1);
  expect(found).toEqual(found.map(() => made));
});
