import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { parseFixture } from '../../fixtures/read.ts';
import { describeOutcome, runFixture } from '../../fixtures/run-fixture.ts';
import { createEmulator } from '../../main.ts';
import { openRemoteTarget } from './remote-scenario-target.ts';

const FIXTURE = `
about: x
steps:
  - {call: createConnectedAccount, as: shop, body: {name: Shop}}
  - {call: createCustomer, account: $shop.id, body: {name: Of the shop}}
  - {call: listCustomers, account: $shop.id, expect: {body: {total_count: 1}}}
  - {call: listCustomers, expect: {body: {total_count: 0}}}
  - {call: createCustomer, headers: {X-Emulator-Fault: soon}, body: {name: Ada}, expect: 400}
  - {call: createCustomer, body: {}, expect: 422}
  - {call: createCustomer, body: Ada, expect: {status: 400, body: {detail: Expected a JSON object.}}}
`;

it('a scenario runs on a remote emulator with accounts, headers and expected statuses', async () => {
  const settings = { port: 0, log_level: 'silent', fixture: '', service_name: 'Acme' } as const;
  const emulator = createEmulator({ settings });
  const url = await emulator.listen();
  const client = createClient({ url, key: 'key_test_emulator', serviceName: 'Acme' });
  const fixture = parseFixture(FIXTURE, 'f.yaml');
  const target = await openRemoteTarget(client, url);
  const outcomes = await runFixture(fixture, target);
  await target.leave();
  const { mode } = await client.call('getClock');
  await emulator.close();

  expect(outcomes.flatMap((outcome) => describeOutcome(fixture, outcome))).toEqual([]);
  expect(outcomes).toHaveLength(7);
  expect(mode).toBe('real');
});

it('a scenario runs on a service without a clock to move, until a step would move it', async () => {
  const emulator = createEmulator({ settings: { log_level: 'silent', fixture: '' } });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/_emulator')) response.writeHead(404).end();
    else emulator.handle(request, response);
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const fixture = parseFixture(
    'about: x\nsteps:\n  - {call: createCustomer, body: {name: Ada}}\n' +
      '  - {advance: P1D}\n  - {call: listCustomers}\n',
    'f.yaml',
  );
  const target = await openRemoteTarget(createClient({ url, key: 'key_test_live' }), url);
  const outcomes = await runFixture(fixture, target);
  server.close();
  await emulator.close();

  expect(outcomes.map(({ skipped }) => skipped)).toEqual([false, false, true]);
  expect(outcomes.flatMap((outcome) => describeOutcome(fixture, outcome))).toEqual([
    expect.stringContaining(`The clock of ${url} cannot be moved to `),
  ]);
});
