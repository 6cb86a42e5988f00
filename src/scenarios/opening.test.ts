import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { newFolder } from '../testing/setups/new-folder.ts';
import { FixtureError } from './read.ts';

const folder = newFolder();

const NOW = '2026-03-01T12:00:00.000Z';

/** A gift that expires ten days after it was made. */
const STEPS = [
  'steps:',
  '  - {call: createCustomer, as: acme, at: $AT, body: {name: Acme}}',
  '  - call: adjustWallet',
  '    path: {customerId: $acme.id}',
  '    body: {transaction_id: 00000000-0000-4000-8000-000000000001, asset: USD, amount: 5, reason: gift, expires_at: $now+P10D}',
];

let count = 0;

function open(lines: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  count += 1;
  const fixture = join(folder, `${count}.yaml`);
  writeFileSync(fixture, ['about: x', ...lines].join('\n'));
  const emulator = createEmulator({
    settings: { log_level: 'silent', fixture, ...settings },
    machine: () => Date.parse(NOW),
  });
  const world = emulator.worlds.find('key_test_emulator');
  if (!world) throw new Error('There is no world.');
  const balances = [...world.tables.wallet_accounts.values()].map(({ available }) => available);
  return { world, mode: world.clock.state.mode, balances };
}

const at = (moment: string) => STEPS.map((line) => line.replace('$AT', moment));

describe('a world that opens from a fixture', () => {
  it('continues in real time after relative dates, with jobs due since then run', () => {
    expect(open(at('-P9D'))).toMatchObject({ mode: 'real', balances: ['5'] });
    expect(open(at('-P11D'))).toMatchObject({ mode: 'real', balances: ['0'] });
  });

  it('stays at the last instant of an absolute clock', () => {
    const clock = 'clock: 2026-01-15T12:00:00Z';
    const { world, mode, balances } = open([clock, ...at('P1D'), '  - {advance: P9DT23H}']);

    expect([mode, world.now, balances]).toEqual(['frozen', '2026-01-26T11:00:00.000Z', ['5']]);
  });

  it('continues in real time after an absolute clock with then: real', () => {
    const clock = ['clock: 2026-01-15T12:00:00Z', 'then: real'];
    const { world, mode, balances } = open([...clock, ...at('P1D')]);

    expect([mode, world.now, balances]).toEqual(['real', NOW, ['0']]);
  });

  it('continues with the clock of the settings', () => {
    const settings = { clock: 'frozen', clock_now: '2026-06-01T00:00:00Z' };
    const { world, mode } = open(at('-P2D'), settings);

    expect([mode, world.now]).toEqual(['frozen', '2026-06-01T00:00:00.000Z']);
  });

  it('does not open if an expectation fails, at every attempt', () => {
    const lines = [...at('-P2D'), '  - {call: listCustomers, expect: {body: {total_count: 2}}}'];
    const fixture = join(folder, 'broken.yaml');
    writeFileSync(fixture, ['about: x', ...lines].join('\n'));
    const { worlds } = createEmulator({ settings: { fixture, log_level: 'silent' } });

    for (const _ of [1, 2])
      expect(() => worlds.find('key_test_emulator')).toThrowError(
        new FixtureError(`${fixture}:7:43: step 3 (listCustomers): total_count: expected 2, got 1`),
      );
    expect([...worlds.values()]).toEqual([]);
  });

  it('ignores expected deliveries, which are sent afterwards', () => {
    const lines = ['steps:', '  - {expect: {delivery: {count: 9}}}'];

    expect(() => open(lines)).not.toThrow();
  });
});
