import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SettingsInput, startEmulator } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/cli.ts';

/** The settings that the cases observe, none at its default. */
const ELSEWHERE = {
  overdraft: 'deny',
  unknown_fields: 'ignore',
  event_max_age: 'P10D',
  event_max_ahead: 'PT15M',
  portal_link_lifetime: 'PT30M',
} as const;

const OBSERVING = 'WAL-15,X-24,EVT-18,POR-03';
const folder = mkdtempSync(join(tmpdir(), 'contract-drift-'));

/** Runs the observing checks on an emulator with the given settings. Returns the report of drift. */
async function observe(settings: SettingsInput) {
  const own = { fixture: '', log_level: 'silent' } as const;
  const emulator = await startEmulator({ settings: { ...settings, ...own } });
  const file = join(folder, `${Object.keys(settings).length}.txt`);
  const target = ['--base-url', emulator.url, '--key-env', 'A_KEY', '--state', folder];
  const selection = ['--only', OBSERVING, '--effects', 'E4', '--report', `drift=${file}`];
  const { code, output } = await runCli([...target, ...selection], { A_KEY: 'key_test_drift' });
  await emulator.close();
  return { code, output, lines: readFileSync(file, 'utf8').split('\n') };
}

describe('the drift of a target', () => {
  it('names the assumptions that do not hold, and the settings with which an emulator is alike', async () => {
    const { code, output, lines } = await observe(ELSEWHERE);
    const refuted = lines.filter((line) => line.startsWith('refuted'));

    expect(code, output).toBe(0);
    expect(refuted).toEqual(
      ['A-203', 'A-703', 'A-803', 'A-1104'].map((id) => expect.stringContaining(id)),
    );
    for (const [name, value] of Object.entries(ELSEWHERE))
      expect(lines).toContainEqual(expect.stringMatching(`^observed .* ${name}: ${value}$`));
  });

  it('is none when nothing differs', async () => {
    const { lines } = await observe({});

    expect(lines.filter((line) => line.startsWith('refuted'))).toEqual([]);
  });
});
