import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { HOSTILE_TEXTS } from '../../testing/inspected.ts';
import { startServer } from '../../testing/server.ts';
import { PAGE_PATHS } from '../paths.ts';

const TOKEN = 'swordfish';

async function acme(client: TestClient, more: object = {}): Promise<string> {
  return (await client.api('createCustomer', { body: { name: 'Acme', ...more } }, 201)).id;
}

it('the stream of changes ends when its world closes, and tells the page not to reconnect', async () => {
  const { emulator } = createTestClient();
  const { url, close } = await startServer(emulator.handle);
  const stream = await fetch(`${url}/_emulator/ui/changes?key=key_test_shop`);
  emulator.worlds.close('shop');

  expect(await stream.text()).toBe('retry: 2000\n\nevent: closed\ndata: closed\n\n');
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  await close();
});

describe('access to the inspector', () => {
  it.each([
    '/_emulator/ui',
    '/_emulator/ui/customers',
    '/_emulator/docs',
    '/_emulator/docs/openapi.json',
    '/',
  ])('is a 404 if the setting ui is off: %s', async (path) => {
    const { http } = createTestClient({ ui: 'off' });

    expect((await http.get(path).set('Accept', 'text/html')).status).toBe(404);
  });

  it('requires the control token if admin_token is set, and then only a cookie', async () => {
    const { emulator, http } = createTestClient({ admin_token: TOKEN });

    expect((await http.get('/_emulator/ui/customers')).status).toBe(401);
    expect((await http.get('/_emulator/docs/openapi.json')).status).toBe(401);
    const wrong = await http.post('/_emulator/ui').type('form').send({ admin_token: 'haddock' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['set-cookie']).toBeUndefined();

    const agent = supertest.agent(emulator.handle);
    const right = await agent
      .post('/_emulator/ui/customers?q=a')
      .type('form')
      .send({ admin_token: TOKEN });
    expect(right.status).toBe(303);
    expect(right.headers['location']).toBe('/_emulator/ui/customers?q=a');
    expect(right.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Strict$/);
    expect(right.headers['set-cookie']?.[0]).not.toContain(TOKEN);
    expect((await agent.get('/_emulator/ui/customers')).status).toBe(200);
  });

  it('does not redirect to another site after the token was given', async () => {
    const { http } = createTestClient({ admin_token: TOKEN });

    const answer = await http
      .post('/_emulator/ui//evil.example')
      .type('form')
      .send({ admin_token: TOKEN });

    expect(answer.headers['location']).toMatch(/^\/_emulator\/ui/);
  });
});

describe('every page', () => {
  it.each(['/_emulator/ui', '/_emulator/ui/none', '/_emulator/docs', '/hosted/checkout/none'])(
    'has headers against foreign content, framing, caching and referrers: %s',
    async (path) => {
      const { headers } = await createTestClient().http.get(path);
      const policy = String(headers['content-security-policy']);

      for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
        expect(policy).toContain(rule);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );
});

describe('the inspector pages', () => {
  it.each(Object.values(PAGE_PATHS).filter((path) => !/:id|go/.test(path)))(
    'show an empty world: %s',
    async (path) => {
      const { http } = createTestClient();

      const answer = await http.get(`/_emulator/ui${path}?key=key_live_other`);

      expect(answer.status).toBe(200);
      expect(answer.text).toContain('key_live_other');
    },
  );

  it('show only the records of their own world', async () => {
    const client = createTestClient();
    const id = await acme(client);

    expect((await client.http.get('/_emulator/ui/customers')).text).toContain('Acme');
    const other = `/_emulator/ui/customers/${id}?key=key_test_other`;
    expect((await client.http.get(other)).status).toBe(404);
  });

  it.each(['key_test_', 'nonsense', 'key_test_emulator%00'])(
    'return 404 for a malformed key: %s',
    async (key) => {
      const { http } = createTestClient();

      expect((await http.get(`/_emulator/ui?key=${key}`)).status).toBe(404);
    },
  );

  it('escape customer names', async () => {
    const client = createTestClient();
    const id = await acme(client, { name: HOSTILE_TEXTS.markup });

    const { text } = await client.http.get(`/_emulator/ui/customers/${id}`);

    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<script>');
  });

  it.each(['-1', '0', '1e9', 'x', '1.5'])('accept the invalid page number %s', async (page) => {
    const { http } = createTestClient();

    expect((await http.get(`/_emulator/ui/customers?page=${page}`)).status).toBe(200);
  });
});

describe('the API documents', () => {
  it('have / as their server and the header names of service_name', async () => {
    const { http } = createTestClient({ service_name: 'Acme' });

    const { body } = await http.get('/_emulator/docs/openapi.json');

    expect(body.servers).toEqual([{ url: '/' }]);
    expect(body.components.securitySchemes.apiKey.name).toBe('X-Acme-Api-Key');
    expect((await http.get('/_emulator/docs/control.json')).body.info.title).toContain('Control');
    expect((await http.get('/_emulator/docs/constructor.json')).status).toBe(404);
  });

  it('are served with and without webhooks, for the requested host', async () => {
    const { http } = createTestClient({
      service_name: 'Acme',
      admin_token: TOKEN,
      ui: 'off',
      allowed_hosts: ['billing.test'],
    });
    const get = (path: string) => http.get(path).set('Host', 'billing.test:8080');

    const { body, headers } = await get('/openapi.json');
    const { body: without } = await get('/openapi-without-webhooks.json');

    expect(headers['content-type']).toContain('application/json');
    expect(body.servers).toEqual([{ url: 'http://billing.test:8080' }]);
    expect(body.components.securitySchemes.apiKey.name).toBe('X-Acme-Api-Key');
    expect({ ...without, webhooks: body.webhooks }).toEqual(body);
    expect(without.webhooks).toBeUndefined();
    expect((await http.post('/openapi.json')).status).toBe(404);
  });

  it('are shown with the key of the URL, or 404 if it is malformed', async () => {
    const { http } = createTestClient();

    expect((await http.get('/_emulator/docs?key=key_test_a')).text).toContain('?key=key_test_a');
    expect((await http.get('/_emulator/docs?key=nonsense')).status).toBe(404);
  });
});

/** The maximum size of a page, for any data. @units bytes */
const MOST = 1_000_000;

it('a page with very much data stays below 1 MB', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const path = { customerId: id };
  for (let place = 0; place < 40; place += 1) {
    const body = { transaction_id: nextUuid(), asset: 'USD', amount: 5, reason: 'gift' };
    const account_name = `account-${place}`;
    await client.api('adjustWallet', { path, body: { ...body, account_name } }, 201);
  }
  const text = 'y'.repeat(100_000);
  const events = Array.from({ length: 60 }, () => anEvent({ data: { text } }));
  await client.api('submitEvents', { body: { customer_id: id, events } }, 204);

  for (const page of ['/requests', '/requests/42', '/events', `/customers/${id}`]) {
    const answer = await client.http.get(`/_emulator/ui${page}`);
    expect([page, answer.status, answer.text.length < MOST]).toEqual([page, 200, true]);
  }
});
