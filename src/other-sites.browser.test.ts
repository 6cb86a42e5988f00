import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GivenSettings } from './config/settings.ts';
import type { Emulator } from './main.ts';
import { keyOf } from './store/worlds.ts';
import { openPage } from './testing/browser.ts';
import { createTestClient, type TestClient, worldOf } from './testing/client.ts';
import { eventually } from './testing/eventually.ts';
import { startServer, type TestServer } from './testing/server.ts';

/** Three setups: the defaults, with a token, and as in the image. */
const ADMISSIONS: readonly (readonly [string, GivenSettings])[] = [
  ['as preset', {}],
  ['with a token', { admin_token: 'swordfish' }],
  ['as in the image', { host: '0.0.0.0', admin_token: 'none' }],
];

let evilServer: TestServer;
let evil: string;
let client: TestClient;
let served: TestServer;
let listener: RequestListener;
let page: Page;
/** The requests that reached the emulator, by path, with their `Sec-Fetch-Site`. */
let reached: { readonly path: string; readonly site: string | undefined; status: number }[];

const ATTACK = readFileSync(new URL('./testing/attacking-page.html', import.meta.url));

const evilPage: RequestListener = ({ url }, response) =>
  response
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end(url === '/attack' ? ATTACK : '<!doctype html><title>Evil</title>');

beforeAll(async () => {
  evilServer = await startServer(evilPage);
  evil = `http://evil.example:${evilServer.port}/`;
});
afterAll(async () => {
  await evilServer.close();
});
beforeEach(async () => {
  reached = [];
  page = await openPage();
});
afterEach(async () => {
  await served.close();
});

/** Serves an emulator with its default world. */
async function serve(settings: GivenSettings): Promise<void> {
  client = createTestClient(settings);
  worldOf(client.emulator);
  listener = (request, response) => {
    const note = { path: request.url ?? '', site: request.headers['sec-fetch-site'], status: 0 };
    reached.push(note as (typeof reached)[number]);
    response.once('close', () => {
      note.status = response.statusCode;
    });
    client.emulator.handle(request, response);
  };
  served = await startServer((request, response) => listener(request, response));
}

/** Everything that a page could open or change. */
const stateOf = ({ worlds, inboxes, dispatcher }: Emulator) => ({
  worlds: [...worlds.values()].map((world) => [keyOf(world), world.version, world.clock.state]),
  inboxes: inboxes.names(),
  attempts: { ...dispatcher.attempts },
});

const KEYS = ['key_test_emulator', 'key_test_unseen'];
const READS = [
  '/customers',
  '/_emulator/clock',
  '/_emulator/export',
  '/_emulator/ui',
  '/_emulator/ui?key=key_test_unseen',
  '/_emulator/inbox/a',
  '/_emulator/metrics',
  '/openapi.json',
  '/readyz',
];
const WRITES = [
  '/customers',
  '/_emulator/reset',
  '/_emulator/sandboxes',
  '/_emulator/ui/time/advance?key=key_test_emulator',
  '/_emulator/ui/time/reset?key=key_test_unseen',
  '/_emulator/inbox/a',
];

describe.each(ADMISSIONS)('a page that rebinds its host name, %s', (_about, settings) => {
  it('reads and changes nothing, and each response is a 421 that names allowed_hosts', async () => {
    await serve(settings);
    const emulator = listener;
    listener = evilPage;
    await page.goto(`http://rebind.example:${served.port}/`);
    listener = emulator;
    const before = stateOf(client.emulator);
    const answers = await page.evaluate(
      async ({ keys, reads, writes }) => {
        const requests = [
          ...reads.map((path) => ({ path, method: 'GET' })),
          ...writes.map((path) => ({ path, method: 'POST' })),
        ];
        const answers: (readonly [number, string])[] = [];
        for (const key of keys)
          for (const { path, method } of requests) {
            const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
            const body = method === 'POST' ? { body: '{"name":"x"}' } : {};
            const answer = await fetch(path, { method, headers, ...body });
            answers.push([answer.status, ((await answer.json()) as { detail: string }).detail]);
          }
        return answers;
      },
      { keys: KEYS, reads: READS, writes: WRITES },
    );

    expect(answers).toHaveLength(30);
    for (const [status, detail] of answers) {
      expect(status).toBe(421);
      expect(detail).toContain(`rebind.example:${served.port}`);
      expect(detail).toContain('allowed_hosts');
    }
    expect(reached.map(({ site }) => site)).not.toContain('cross-site');
    expect(stateOf(client.emulator)).toEqual(before);
  });
});

it('accepts a foreign host name that allowed_hosts lists', async () => {
  await serve({ allowed_hosts: ['rebind.example'] });
  await page.goto(`http://rebind.example:${served.port}/readyz`);

  expect(await page.evaluate(listCustomers, KEYS[0])).toBe(200);
});

/** Runs in the page. */
const listCustomers = async (key = ''): Promise<number> =>
  (await fetch('/customers', { headers: { Authorization: `Bearer ${key}` } })).status;

/** Host names of the emulator. Browsers send `Sec-Fetch-Site` only to the first two, which are loopback. */
const NAMED = { allowed_hosts: ['billing.internal'] };
const OWN_NAMES = ['127.0.0.1', 'localhost', 'billing.internal'];

describe.each(ADMISSIONS)('a page of another site, %s', (_about, settings) => {
  it.each(OWN_NAMES)('neither opens a world nor changes one at %s', async (name) => {
    await serve({ ...settings, ...NAMED });
    const before = stateOf(client.emulator);
    await page.goto(`${evil}attack#http://${name}:${served.port}`);
    await page.waitForFunction("document.title === 'Done'");
    await eventually(() => reached.some(({ path }) => path.endsWith('/beacon')));

    const readsAndWrites = 6 * 6 + 6 * 5;
    expect(reached.length).toBeGreaterThan(readsAndWrites);
    const refused = reached.filter(({ status }) => status === 403).length;
    expect(refused).toBeGreaterThan(name === 'billing.internal' ? 6 * 5 : readsAndWrites);
    expect(stateOf(client.emulator)).toEqual(before);
  });

  it.each(OWN_NAMES)('may link to hosted pages and to existing worlds at %s', async (name) => {
    await serve({ ...settings, ...NAMED });
    const follow = async (path: string) => {
      const tab = await page.context().newPage();
      await tab.goto(evil);
      const [answer] = await Promise.all([
        tab.waitForResponse((response) => response.status() !== 303),
        tab.evaluate(`location.href = 'http://${name}:${served.port}${path}'`),
      ]);
      return answer.status();
    };
    const customer = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    const portal = { customer_id: customer.id, return_url: evil, failure_url: evil };
    const { redirect_url } = await client.api('createPortalSession', { body: portal });

    expect(await follow(new URL(redirect_url).pathname)).toBe(200);
    const isTokenAsked = settings['admin_token'] === 'swordfish';
    expect(await follow('/_emulator/ui?key=key_test_emulator')).toBe(isTokenAsked ? 401 : 200);
    expect(await follow('/_emulator/ui?key=key_test_unseen')).toBe(403);
    expect(client.emulator.worlds.has('key_test_unseen')).toBe(false);
  });
});
