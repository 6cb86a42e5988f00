import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../main.ts';
import { aCatalogProduct, usagePrice } from '../../../testing/catalog.ts';
import { createTestClient, type TestClient, worldOf } from '../../../testing/client.ts';
import { newFolder } from '../../../testing/files.ts';

const folder = newFolder();

const UI = '/_emulator/ui/requests';

/** Returns the text of a page without markup and entities. */
function textOf(html: string): string {
  const plain = html.replaceAll(/<[^>]*>/g, '');
  return plain
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function copyIn(text: string, label: string): string {
  const found = new RegExp(`aria-label="${label}"[^>]*><pre>(.*?)</pre>`, 's').exec(text);
  if (!found) throw new Error(`There is no code ${label}.`);
  return textOf(found[1] ?? '');
}

it.each([
  ['status:422', ['POST /customers']],
  ['customer:acme', ['GET /customers/acme', 'POST /customers']],
  ['-status:201 customer:acme', ['GET /customers/acme']],
  ['method:get before:2026-02-01', ['GET /customers/acme']],
  ['after:2026-02-01', []],
  ['operation:createCustomer "no such"', []],
])('a search in the request log finds requests by %s', async (search, expected) => {
  const client = createTestClient();
  await aCatalogProduct(client, 'free', { prices: [usagePrice({})] });
  const subscriptions = [{ products: [{ code: 'free' }] }];
  const acme = { name: 'Acme', external_id: 'acme', subscriptions };
  await client.api('createCustomer', { body: acme }, 201);
  await client.api('createCustomer', { body: { name: 7 } }, 422);
  await client.api('getCustomer', { path: { customerId: 'acme' } }, 404);

  const { text } = await client.http.get(UI).query({ q: search });

  const headers = [...text.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)];
  const found = headers.map(([, request = '']) => request.replaceAll(/<[^>]*>/g, ''));
  expect(found).toEqual(expected);
});

describe('the page of a request', () => {
  it('shows request, response, changes and assumptions without secrets', async () => {
    const client = createTestClient();
    await client.api(
      'createWebhook',
      { body: { url: 'http://127.0.0.1:9/a', topics: ['*'] } },
      201,
    );

    const text = textOf((await client.http.get(`${UI}/1`)).text);

    expect(text).toContain('createWebhook');
    expect(text).toContain('1 webhook destination');
    expect(text).toContain('http://127.0.0.1:9/a');
    expect(text).toContain('"secret": "***"');
    expect(text).not.toContain('whsec_');
    expect(text).toMatch(/Depends on \d+ assumptions.*A-\d+ \S+/);
  });

  it('is a 404 if the request is not in the log', async () => {
    const { http } = createTestClient();

    expect((await http.get(`${UI}/1`)).status).toBe(404);
    expect((await http.get(`${UI}/x`)).status).toBe(404);
  });

  it('has a curl command that repeats the request, with special characters', async () => {
    const client = createTestClient({ port: 0 });
    const base = await client.emulator.listen();
    const name = `It's "quoted" $HOME \`x\` \\ ü`;
    await client.api('createCustomer', { body: { name } }, 201);

    const page = await fetch(`${base}${UI}/1`);
    const command = copyIn(await page.text(), 'As curl');
    await promisify(execFile)('sh', ['-c', `${command} -s`]);
    await client.emulator.close();

    const { tables } = worldOf(client.emulator);
    expect([...tables.customers.values()].map((each) => each.name)).toEqual([name, name]);
  });

  it('has a fixture step that repeats the request', async () => {
    const client = createTestClient();
    const body = { name: 'Acme', external_id: '$acme', metadata: { note: 'a: b # c' } };
    await client.api('createCustomer', { body }, 201);
    await client.api('createCustomer', { body: { ...body, name: '' } }, 422);

    const pages = [await client.http.get(`${UI}/1`), await client.http.get(`${UI}/2`)];
    const steps = pages.map(({ text }) => copyIn(text, 'As a fixture step'));
    const fixture = join(folder, 'again.yaml');
    writeFileSync(fixture, ['about: x', 'steps:', ...steps].join('\n'));
    const again = createEmulator({ settings: { log_level: 'silent', fixture } });

    const [customer] = again.worlds.find('key_test_emulator')?.tables.customers.values() ?? [];
    expect(customer).toMatchObject(body);
  });
});

it('the list of requests shows those that were refused, with what is wrong with each', async () => {
  const { http, api } = createTestClient();
  const page = async (key = '') =>
    (await http.get('/_emulator/ui/requests').query({ key })).text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  expect(await page()).not.toContain('to an unknown path');
  await http.get('/customers').set('Authorization', 'Bearer Key_Test_Emulator');
  await http.get('/customer').set('Authorization', 'Bearer key_test_emulator');
  const text = await page();

  expect(text).toContain('2 requests to an unknown path or with an unknown key');
  expect(text).toMatch(/GET \/customer There is no such path\. The nearest is \/customers\./);
  expect(text).toMatch(/GET \/customers [^/]*upper-case letters/);
  // The request to no path had the key of another world; the other one may be meant for this one, until it has requests.
  expect(await page('key_test_mine')).toContain(
    '1 request to an unknown path or with an unknown key',
  );
  await api('listCustomers', { key: 'key_test_mine' });
  expect(await page('key_test_mine')).not.toContain('to an unknown path');
});

const post = (client: TestClient, action: string, body: object = {}) =>
  client.http.post(`/_emulator/ui/faults/${action}`).type('form').send(body);

const rulesOf = async (client: TestClient) => (await client.api('listFaults')).rules;

it('the menu makes an operation fail once, and the log shows it', async () => {
  const client = createTestClient();
  const form = { operation: 'createCustomer', customer: '', times: '1' };

  const answer = await post(client, 'add', { ...form, effect: '503 Service unavailable' });

  expect(answer.status).toBe(303);
  const match = { operation: 'createCustomer' };
  expect(await rulesOf(client)).toMatchObject([{ match, status: 503, times: 1 }]);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 503);
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const { text } = await client.http.get('/_emulator/ui/requests?q=fault:*');
  expect(text).toContain('1 of 2');
  expect(text).toContain('Fault: rule 1: status=503');
});

it('each rule has a button that removes it alone', async () => {
  const client = createTestClient();
  await post(client, 'add', { effect: 'Webhooks swapped', times: '2' });
  await post(client, 'add', { effect: 'Response cut off' });

  await post(client, 'remove', { place: '0' });

  expect(await rulesOf(client)).toMatchObject([{ connection: 'truncated' }]);
  const { text } = await client.http.get('/_emulator/ui/requests');
  expect(text.match(/data-testid="fault-rule"/g)).toHaveLength(1);
});
