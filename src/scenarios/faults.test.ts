import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { createTestClient } from '../testing/client.ts';
import { newFolder } from '../testing/setups/new-folder.ts';
import { parseFixture } from './read.ts';
import { describeOutcome, runFixture } from './run-fixture.ts';

const folder = newFolder();

async function linesOf(...steps: readonly string[]): Promise<readonly string[]> {
  const { worlds, targetOf } = createEmulator({ settings: { fixture: '', clock: 'frozen' } });
  const world = worlds.find('key_test_emulator');
  if (!world) throw new Error('There is no world.');
  const fixture = parseFixture(['about: x', 'steps:', ...steps].join('\n'), 'f.yaml');
  const outcomes = await runFixture(fixture, targetOf(world));
  return outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
}

describe('a fault step', () => {
  it('reports all errors of its rules with line and column', async () => {
    const lines = await linesOf(
      '  - fault:',
      '      - {status: 503}',
      '      - match: {operation: listCustomer}',
      '        latency: soon',
    );

    expect(lines).toEqual([
      'f.yaml:5:17: step 1 (fault): rules[1].match.operation: There is no operation "listCustomer". Did you mean listCustomers?',
      'f.yaml:6:9: step 1 (fault): rules[1].latency: Expected a duration of at most an hour, such as 500ms, or a range such as 100ms..2s.',
    ]);
  });

  it('can refer to earlier responses, and does not affect steps of the fixture itself', async () => {
    const lines = await linesOf(
      '  - {call: createCustomer, as: acme, body: {name: Acme}}',
      '  - {fault: {match: {customer: $acme.id}, status: 503}}',
      '  - {call: getCustomer, path: {customerId: $acme.id}, expect: 200}',
      '  - {fault: none}',
    );

    expect(lines).toEqual([]);
  });

  it('does not affect steps, except those with the header X-Emulator-Fault', async () => {
    const lines = await linesOf(
      "  - {call: createVendor, headers: {X-Emulator-Fault: 'status=503'}, body: {name: Ada}, expect: 503}",
      "  - {call: listVendors, headers: {X-Emulator-Fault: 'latency=1h'}, expect: {body: {total_count: 0}}}",
      '  - call: createVendor',
      '    times: 2',
      '    headers: {X-Emulator-Fault: lost_response}',
      '    body: {name: Ada, external_id: ada}',
      '    expect: 0',
      '  - {call: listVendors, expect: {body: {total_count: 2}}}',
      '  - {call: listVendors, headers: {X-Emulator-Fault: connection=reset}}',
    );

    expect(lines).toEqual([
      'f.yaml:10:41: step 4 (listVendors): total_count: expected 2, got 1',
      'f.yaml:11:5: step 5 (listVendors): expected a success, got no response',
    ]);
  });

  it('sets its rules in every world that opens from the fixture, and after a reset', async () => {
    const file = join(folder, 'outage.yaml');
    writeFileSync(
      file,
      'about: x\nsteps:\n' +
        '  - {fault: [{status: 500}]}\n' +
        '  - {fault: none}\n' +
        '  - {fault: {match: {operation: listVendors}, times: 1, status: 503}}\n',
    );
    const { send, control } = createTestClient({ sandbox_fixture: file });
    const key = 'key_test_shop';
    const statuses = async () => [
      (await send('listVendors', { key })).status,
      (await send('listVendors', { key })).status,
    ];

    expect(await statuses()).toEqual([503, 200]);
    await control('resetWorld', { key }, 200);
    expect(await statuses()).toEqual([503, 200]);
    await control('resetWorld', { key, body: { to: 'empty' } }, 200);
    expect(await statuses()).toEqual([200, 200]);
  });
});
