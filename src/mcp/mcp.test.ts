import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmulator } from '../embed/embedded.ts';
import { BINARY, serveForFile } from '../testing/command.ts';

const { url } = await serveForFile({ fixture: 'quickstart', clock: 'frozen' });
const KEY = 'key_test_emulator';
const START = '2026-01-15T12:00:00.000Z';

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** Connects the SDK's own client. Returns its tools as functions. */
async function connect(transport: Transport) {
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  await client.connect(transport);
  return {
    client,
    async use(name: string, input: Readonly<Record<string, unknown>> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      return { text: (content as { text: string }[])[0]?.text ?? '', isError };
    },
  };
}

const overHttp = (key = KEY, query = '') => {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const address = new URL(`${url}/_emulator/mcp${query}`);
  return connect(new StreamableHTTPClientTransport(address, { requestInit }) as Transport);
};

const overStdio = (key = KEY, ...flags: readonly string[]) => {
  const args = [BINARY, 'mcp', '--url', url, '--key', key, ...flags];
  return connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
};

const EVENT = '7c3f3b5e-9a30-4d0b-8d63-4f2a4f5f0001';

/** A fixture in which Acme generates an image, which costs 5 credits with the product `studio`, if subscribed. */
const fixtureWith = (subscriptions: string) => `
about: Acme pays for an image
steps:
  - call: createAsset
    body: {code: CREDIT, name: Credits, precision: 0, rates: [{source: USD, rate: 0.05}]}
  - call: createProduct
    body:
      name: Studio
      code: studio
      publish: true
      prices:
        - name: Images
          type: usage_based
          billing_model: {type: real_time}
          usage_calculation: {event_type: image.generated, usage_type: unit}
          pricing: [{asset: CREDIT, values: [{unit_price: 5}]}]
  - call: createCustomer
    as: acme
    body: {name: Acme, external_id: acme, subscriptions: [${subscriptions}]}
  - call: submitEvents
    body:
      customer_id: $acme.id
      events: [{id: ${EVENT}, event_type: image.generated, occurred_at: $now}]
  - call: getEvent
    path: {eventId: ${EVENT}}
    expect: {body: {fees: [{amount: 5}]}}
`;

const usage = (occurred_at: string) => ({
  customer_external_id: 'acme',
  events: [{ id: EVENT, event_type: 'image.generated', occurred_at }],
});

describe.each([
  ['streamable HTTP', 'key_test_http', overHttp],
  ['stdio', 'key_test_stdio', overStdio],
] as const)('an agent over %s', (_way, key, connectTo) => {
  it('finds out why a fee is missing, corrects the fixture and proves it', async () => {
    const { client, use } = await connectTo(key);
    const { tools } = await client.listTools();
    await use('call', { operation: 'createCustomer', body: { name: 'Acme', external_id: 'acme' } });
    const [, now = ''] = /"now":"([^"]+)"/.exec((await use('world_state')).text) ?? [];
    await use('call', { operation: 'submitEvents', body: usage(now) });
    const explained = await use('explain', { id: EVENT });
    const warned = await use('warnings');
    const broken = await use('run_fixture', { text: fixtureWith('') });
    const mended = await use('run_fixture', { text: fixtureWith('{products: [{code: studio}]}') });
    const sandboxes = await use('call', { operation: 'listSandboxes' });

    expect(tools.map(({ name }) => name)).toHaveLength(12);
    expect(explained.text).toContain('no subscription billed usage');
    expect(warned.text).toContain('no_subscription');
    expect(broken.text).toMatch(/^failed\nfixture:\d+:\d+: step 5 \(getEvent\): /);
    expect(mended).toEqual({ text: 'passed, 5 steps', isError: false });
    expect(sandboxes.text).not.toContain('mcp-');
  });
});

describe('the tools', () => {
  it('find records, say what requests changed, and page through lists', async () => {
    const { use } = await overHttp();
    const found = await use('find', { id: 'acme' });
    const [, id = ''] = /"id":"(cust_\w+)"/.exec(found.text) ?? [];
    await use('call', {
      operation: 'updateCustomer',
      path: { customerId: id },
      body: { name: 'Acme Robotics' },
    });
    const requests = await use('requests', { operation: 'updateCustomer' });

    expect((await use('find', { id })).text).toContain('"external_id":"acme"');
    expect((await use('find', { id: 'nobody' })).text).toContain('Nothing is called nobody.');
    expect(requests.text).toContain('customers ~ acme: name Acme → Acme Robotics');
    expect((await use('search_docs', { words: 'fixture expect' })).text).toContain(
      '[fixtures/README.md',
    );
  });

  it('preview an advance, and make it only if that is confirmed', async () => {
    const { use } = await overHttp('key_test_advance');
    await use('call', { operation: 'setClock', body: { mode: 'frozen', now: START } });
    const preview = await use('advance_clock', { by: 'P1D' });
    const { text: still } = await use('call', { operation: 'getClock' });
    const made = await use('advance_clock', { by: 'P1D', confirm: true });

    expect(preview.text).toBe(
      'A preview, nothing has changed: 2026-01-15T12:00:00.000Z → 2026-01-16T12:00:00.000Z, 0 items',
    );
    expect(still).toContain('"now":"2026-01-15T12:00:00.000Z"');
    expect(made.text).toMatch(/^Advanced: .* → 2026-01-16T12:00:00\.000Z/);
  });

  it('save, compare, restore and undo', async () => {
    const { use } = await overHttp('key_test_snapshots');
    await use('snapshots', { action: 'save', name: 'before' });
    await use('call', { operation: 'createCustomer', body: { name: 'Ada', external_id: 'ada' } });
    const compared = await use('snapshots', { action: 'compare', name: 'before' });
    await use('snapshots', { action: 'restore', name: 'before' });
    const restored = await use('find', { id: 'ada' });
    await use('snapshots', { action: 'undo' });

    expect(compared.text).toContain('+ ada');
    expect(restored.text).toContain('Nothing is called ada.');
    expect((await use('find', { id: 'ada' })).text).toContain('"name":"Ada"');
  });

  it('add and clear faults, and send deliveries again', async () => {
    const { use } = await overHttp('key_test_faults');
    const destination = { url: `${url}/_emulator/inbox/agent` };
    await use('faults', { add: { match: { operation: 'listCustomers' }, status: 503 } });
    const failing = await use('call', { operation: 'listCustomers' });
    await use('faults', { clear: true });
    await use('call', { operation: 'createWebhook', body: destination });
    await use('call', {
      operation: 'testWebhooks',
      path: { topic: 'subscription.activated' },
      body: {},
    });
    await use('call', { operation: 'waitForDelivery', body: { status: 'delivered' } });
    const listed = await use('deliveries', { status: 'delivered' });
    const [, delivery = ''] = /"id":"(dlv_\w+)"/.exec(listed.text) ?? [];

    expect(failing).toMatchObject({ isError: true, text: expect.stringContaining('503') });
    expect((await use('call', { operation: 'listCustomers' })).isError).toBe(false);
    expect((await use('deliveries', { resend: delivery })).text).toContain(delivery);
  });

  it('are told what is wrong with their arguments, and by which reasons the emulator rejects', async () => {
    const { use } = await overHttp();
    const unknown =
      'warnings has no argument limt. Did you mean limit?\nwarnings has no argument page.';
    const broken = 'about: x\nsteps: [{call: createCustomr}]';
    for (const [tool, input, text] of [
      ['find', {}, "must have required property 'id'"],
      ['explian', { id: 'x' }, 'There is no tool explian. Did you mean explain?'],
      ['warnings', { limit: 'ten' }, 'limit must be integer'],
      ['warnings', { limt: 10, page: 2 }, unknown],
      ['run_fixture', {}, 'Expected either text'],
      ['run_fixture', { name: '../secrets' }, 'Expected either text'],
      ['run_fixture', { text: broken }, 'fixture:2:'],
      ['call', { operation: 'createCustomer', body: {} }, 'This field is required.'],
    ] as const)
      expect(await use(tool, input)).toMatchObject({
        isError: true,
        text: expect.stringContaining(text),
      });
  });

  it('have results of a length that a model can read, with what is left out', async () => {
    const key = 'key_test_many';
    const { use } = await overHttp(key);
    const names = Array.from({ length: 40 }, (_, index) => `Customer ${index}`);
    for (const name of names) await use('call', { operation: 'createCustomer', body: { name } });
    const { text } = await use('call', { operation: 'listCustomers' });

    expect(text).toContain('"… 30 more"');
    expect(text).toContain('"total_count":40');
    expect(text.length).toBeLessThan(3_000);
  });

  it('change nothing if they are read-only', async () => {
    const agents = [await overHttp(KEY, '?read_only'), await overStdio(KEY, '--read-only')];
    for (const { client, use } of agents) {
      const { tools } = await client.listTools();
      const create = { operation: 'createCustomer', body: { name: 'Ada' } };

      expect(tools).toHaveLength(8);
      expect((await use('call', create)).text).toContain('this server is read-only');
      expect((await use('advance_clock', { by: 'P1D', confirm: true })).isError).toBe(true);
      expect((await use('call', { operation: 'listCustomers' })).isError).toBe(false);
    }
  });
});

it('the resources are the documents, the assumptions and the guides', async () => {
  const { client } = await overStdio();
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: 'billing-emulator://spec/openapi.yaml' });

  expect(resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['spec/openapi.yaml', 'spec/control.yaml', 'spec/assumptions.yaml'],
      ...['docs/fixtures.md', 'fixtures/README.md'],
    ]),
  );
  expect((contents[0] as { text: string }).text).toContain('openapi: 3.1.0');
});

it('needs a valid key, and the admin token if one is set', async () => {
  const secret = 'herring';
  await using guarded = await startEmulator({ settings: { fixture: '', admin_token: secret } });
  const ask = (headers: Readonly<Record<string, string>>, method = 'POST') =>
    fetch(`${guarded.url}/_emulator/mcp`, { method, headers });
  const own = { Authorization: `Bearer ${KEY}`, 'X-Emulator-Admin': secret };
  const address = new URL(`${guarded.url}/_emulator/mcp`);
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers: own } });
  const { use } = await connect(transport as Transport);

  expect((await ask({ Authorization: `Bearer ${KEY}` })).status).toBe(401);
  expect((await ask({ 'X-Emulator-Admin': secret })).status).toBe(401);
  expect((await ask(own, 'DELETE')).status).toBe(405);
  expect((await use('warnings')).isError).toBe(false);
});
