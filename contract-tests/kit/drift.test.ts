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

/** Runs `contract drift` on an emulator with the given settings. Returns the settings it writes. */
async function observe(name: string, settings: SettingsInput) {
  const own = { fixture: '', log_level: 'silent' } as const;
  const emulator = await startEmulator({ settings: { ...settings, ...own } });
  const file = join(folder, `${name}.yaml`);
  const target = ['--base-url', emulator.url, '--key-env', 'A_KEY', '--state', folder];
  const selection = ['--only', OBSERVING, '--effects', 'E4', '--emit-profile', file];
  const { code, output } = await runCli(['drift', ...target, ...selection], {
    A_KEY: 'key_test_drift',
  });
  await emulator.close();
  return { code, output, settings: parse(readFileSync(file, 'utf8')) as SettingsInput };
}

describe('contract drift', { timeout: 120_000 }, () => {
  it('exits with 11 and writes settings that make an emulator behave like the target', async () => {
    const seen = await observe('elsewhere', ELSEWHERE);
    const followed = await observe('followed', seen.settings);

    expect(seen.code, seen.output).toBe(11);
    expect(seen.settings).toEqual(ELSEWHERE);
    expect(followed.settings).toEqual(seen.settings);
    expect(verdicts(followed.output)).toEqual(verdicts(seen.output));
    expect(verdicts(seen.output)).toEqual(
      ['A-203', 'A-703', 'A-803', 'A-1104'].map((id) => expect.stringContaining(id)),
    );
  });

  it('exits with 0 and writes the default settings when nothing differs', async () => {
    const { code, output, settings } = await observe('same', {});

    expect(code, output).toBe(0);
    expect(settings).toMatchObject({ overdraft: 'allow', unknown_fields: 'reject' });
  });
});

/** The lines about refuted assumptions. */
function verdicts(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.startsWith('refuted'));
}
