import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SettingsInput, startEmulator } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

/** Runs the observing checks on an emulator with the given settings. Returns what the reports say. */
async function observe(name: string, settings: SettingsInput) {
  const own = { fixture: '', log_level: 'silent' } as const;
  const emulator = await startEmulator({ settings: { ...settings, ...own } });
  const files = { drift: join(folder, `${name}.txt`), settings: join(folder, `${name}.yaml`) };
  const reports = Object.entries(files).map(([kind, file]) => `${kind}=${file}`);
  const target = ['--base-url', emulator.url, '--key-env', 'A_KEY', '--state', folder];
  const selection = ['--only', OBSERVING, '--effects', 'E4', '--report', `${reports}`];
  const { code, output } = await runCli([...target, ...selection], { A_KEY: 'key_test_drift' });
  await emulator.close();
  const [drift, observed] = Object.values(files).map((file) => readFileSync(file, 'utf8'));
  return { code, output, drift, settings: parse(observed as string) as SettingsInput };
}

describe('the drift of a target', () => {
  it('is written as settings that make an emulator behave like the target', async () => {
    const seen = await observe('elsewhere', ELSEWHERE);
    const followed = await observe('followed', seen.settings);

    expect(seen.code, seen.output).toBe(0);
    expect(seen.settings).toEqual(ELSEWHERE);
    expect(followed.settings).toEqual(seen.settings);
    expect(verdicts(followed.drift)).toEqual(verdicts(seen.drift));
    expect(verdicts(seen.drift)).toEqual(
      ['A-203', 'A-703', 'A-803', 'A-1104'].map((id) => expect.stringContaining(id)),
    );
  });

  it('is the default settings when nothing differs', async () => {
    const { drift, settings } = await observe('same', {});

    expect(verdicts(drift)).toEqual([]);
    expect(settings).toMatchObject({ overdraft: 'allow', unknown_fields: 'reject' });
  });
});

/** The lines about refuted assumptions. */
function verdicts(drift = ''): readonly string[] {
  return drift.split('\n').filter((line) => line.startsWith('refuted'));
}
