import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from 'billing-emulator';
import { expect, it } from 'vitest';
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
it('the drift of a target names assumptions that do not hold, and settings that make an emulator alike', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-drift-'));
  const file = join(folder, 'drift.txt');
  const settings = { ...ELSEWHERE, fixture: '', log_level: 'silent' } as const;
  const { url, close } = await startEmulator({ settings });
  const target = ['--base-url', url, '--key-env', 'A_KEY', '--state', folder];
  const selection = ['--only', OBSERVING, '--effects', 'E4', '--report', `drift=${file}`];
  const { code, output } = await runCli([...target, ...selection], { A_KEY: 'key_test_drift' });
  await close();
  const lines = readFileSync(file, 'utf8').split('\n');

  expect(code, output).toBe(0);
  expect(lines.filter((line) => line.startsWith('refuted'))).toEqual(
    ['A-203', 'A-703', 'A-803', 'A-1104'].map((id) => expect.stringContaining(id)),
  );
  for (const [name, value] of Object.entries(ELSEWHERE))
    expect(lines).toContainEqual(expect.stringMatching(`^observed .* ${name}: ${value}$`));
});
