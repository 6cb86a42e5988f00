import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createClient } from '../client/index.ts';
import { openRemoteTarget } from '../fixtures/remote-target.ts';
import type { CustomerRow, DeliveryExchange, DeliveryRow, WebhookRow } from '../store/records.ts';
import type { Row } from '../store/row.ts';
import type { World } from '../store/world.ts';
import { createTestClient, worldOf } from '../testing/client.ts';
import { playOn } from '../testing/recorded.ts';

/** A fixture that adds a row to nearly every table. */
const EVERY_OPERATION = new URL('./every-operation.yaml', import.meta.url);
const CANARIES_IN_ROWS = [
  'whsec_canaryinuserdata',
  'canary-token',
  'canary-cookie',
  'canary-password',
];

/** Every secret and token in the tables of a world. */
function secretsOf({ tables }: World): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && (name === 'secret' || name === 'token')) found.add(value);
    if (typeof value === 'object' && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(each, inner);
  };
  for (const table of Object.values(tables)) for (const row of table.values()) visit(row as Row);
  for (const { id } of tables.links.values()) found.add(id);
  return [...found];
}

/** Puts secrets into metadata of a customer, the address of a webhook and a stored response. */
function markRows(world: World): void {
  const { customers, webhooks, deliveries } = world.tables;
  const [note, token, cookie, password] = CANARIES_IN_ROWS as [string, string, string, string];
  const [customer] = customers.values();
  const [webhook] = webhooks.values();
  const [delivery] = deliveries.values();
  const response = { headers: { 'set-cookie': cookie }, body: note, truncated: false };
  const url = `https://user:${password}@shop.example/hook?token=${token}`;
  world.commit(() => {
    customers.put({ ...(customer as CustomerRow), metadata: { note, token } });
    webhooks.put({ ...(webhook as WebhookRow), url });
    const [exchange] = (delivery as DeliveryRow).exchanges;
    deliveries.put({
      ...(delivery as DeliveryRow),
      exchanges: [{ ...(exchange as DeliveryExchange), response }],
    });
  });
}

it('compareWorlds returns no secret or token, whether added, removed or changed', async () => {
  const { emulator } = createTestClient({ port: 0 });
  const url = await emulator.listen();
  const client = createClient({ url, key: 'key_test_emulator' });
  const { call, read } = client;
  const world = worldOf(emulator);
  await call('saveSnapshot', { body: { name: 'empty' } });
  const target = await openRemoteTarget(client, url);
  expect(await playOn(target, readFileSync(EVERY_OPERATION, 'utf8'))).toEqual([]);
  const portal = { return_url: 'https://shop.example/', failure_url: 'https://shop.example/' };
  const [{ id: customer_id = '' } = {}] = world.tables.customers.values();
  const session = await call('createPortalSession', { body: { customer_id, ...portal } });
  await fetch(url + new URL(session.redirect_url).pathname);
  await call('saveSnapshot', { body: { name: 'full' } });
  const [destination] = world.tables.webhooks.values();
  const old = destination?.secret as string;
  await call('rotateSecret', { body: { destination_id: destination?.id as string } });
  markRows(world);
  const secrets = [...secretsOf(world), old];
  const told = await Promise.all(
    [
      { from: { snapshot: 'empty' } },
      { from: {}, to: { snapshot: 'empty' } },
      { from: { snapshot: 'full' } },
    ].map((sides) => read('compareWorlds', { body: { ...sides, limit: 100 } })),
  );

  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of [...secrets, ...CANARIES_IN_ROWS])
    expect(
      told.filter((text) => text.includes(secret)),
      secret,
    ).toEqual([]);
  expect(told[2]).toContain('{"field":"secret","before":"***","after":"***"}');
  await emulator.close();
});

/** The key of the world, and a secret that a client sends in a header of its own. */
const KEY = 'key_test_canary-key';
const SECRET = 'canary+s3cret/of=mine';
const [NAME, EMAIL] = ['Ada "Canary" Möller', 'canary@mail.example'];
const QUERY_SECRET = 'canary-in-a-query';

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** A text as written in an address, a form, JSON and base64. */
const spellings = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  new URLSearchParams({ text }).toString().slice('text='.length),
  JSON.stringify(text).slice(1, -1),
  base64(text),
  base64(`${text}:`),
];

const SECRETS = [SECRET, QUERY_SECRET].flatMap(spellings);
const CANARIES = [...spellings(KEY), ...SECRETS];
const NAMES = [...spellings(NAME), ...spellings(EMAIL)];

const found = (text: string, canaries: readonly string[]): readonly string[] =>
  canaries.filter((canary) => text.includes(canary));

/** A world whose requests contain the secrets and the customer in every place and spelling. */
async function spread() {
  const logged: string[] = [];
  const note = (...given: unknown[]) => logged.push(JSON.stringify(given));
  const log = { debug: note, info: note, warn: note, error: note };
  const client = createTestClient({ port: 0, log_level: 'debug' }, { log: log as never });
  const url = await client.emulator.listen();
  const headers = { 'X-Api-Key': SECRET, Cookie: `session=${SECRET}` };
  const { send, read, call } = createClient({ url, key: KEY });
  await call('saveSnapshot', { body: { name: 'before' } });
  const metadata = Object.fromEntries(
    [KEY, SECRET].flatMap(spellings).map((text, place) => [`note_${place}`, `see ${text}`]),
  );
  const about = { ask: NAME, at: `https://shop.example/?q=${encodeURIComponent(NAME)}` };
  const urls = [
    `https://me:${QUERY_SECRET}@shop.example/`,
    `https://a.example/?token=${QUERY_SECRET}`,
  ];
  const body = {
    name: NAME,
    email: EMAIL,
    metadata: { ...metadata, ...about, urls: urls.join(' ') },
  };
  await send('createCustomer', { headers, body } as never);
  await send('listCustomers', { headers, query: { name: NAME, email: EMAIL } });
  // Rejected requests, whose errors quote the input.
  await send('getCustomer', { headers, path: { customerId: SECRET } });
  await fetch(`${url}/events?token=${QUERY_SECRET}&api_key=${QUERY_SECRET}`, {
    headers: { Authorization: `Bearer ${KEY}` },
  });
  for (const text of [KEY, SECRET])
    await send('listEvents', { headers, query: { period_from: text, limit: text } as never });
  await send('createCustomer', { headers, body: { name: [KEY], email: SECRET } as never });
  await send('createCustomer', { headers, body: `{"name": "${KEY} ${SECRET}` });
  return { client, url, read, send, logged };
}

it('redacts keys, secrets and names in fixtures, HAR, logs and pages in every spelling', async () => {
  const { client, url, read, send, logged } = await spread();
  const query = { redact_customers: true };
  const fixture = await read('exportRequests', {
    query: { ...query, expect: true },
  });
  const archive = await read('exportRequests', { query: { ...query, format: 'har' } });
  const nearest = await send('waitForRequests', {
    body: { request_id: 'nowhere', timeout_seconds: 0 },
  });
  const list = await read('listRequests', { query: { limit: 100 } });
  const shown = async (path: string) => (await fetch(`${url}/_emulator/ui${path}`)).text();
  const key = `key=${KEY}`;
  const pages = [await shown(`/requests?${key}`), await shown(`/requests?${key}&as=csv`)];
  for (const { ordinal } of JSON.parse(list).items)
    pages.push(await shown(`/requests/${ordinal}?${key}`));
  const difference = await read('compareWorlds', { body: { from: { snapshot: 'before' } } });
  await client.emulator.close();

  expect(pages.length).toBeGreaterThan(8);
  const texts = { fixture, archive, list, nearest: nearest.text, log: logged.join('\n') };
  for (const [about, text] of Object.entries(texts))
    expect([about, found(text, CANARIES)]).toEqual([about, []]);
  // A page shows the key of its world.
  for (const page of pages) expect(found(page, SECRETS)).toEqual([]);
  for (const [about, text] of Object.entries({ fixture, archive }))
    expect([about, found(text, NAMES)]).toEqual([about, []]);
  expect(found(difference, spellings(KEY).slice(0, 4))).toEqual([]);
  expect(fixture).toContain('Customer 1');
});
