import { describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

const TOKEN = 'swordfish';
const KEY = { Authorization: 'Bearer key_test_emulator' };
const NEW_WORLD = { Authorization: 'Bearer key_test_unseen' };

/** One path for each part of the emulator: service, control API, pages, inboxes, documents, readiness. */
const PARTS = [
  '/customers',
  '/_emulator/clock',
  '/_emulator/ui',
  '/hosted/checkout/none',
  '/_emulator/inbox/a',
  '/openapi.json',
  '/readyz',
];

describe('the host of a request', () => {
  it.each([
    'localhost',
    'LOCALHOST:24100',
    'localhost.',
    'acme.localhost:1',
    '127.0.0.1',
    '10.1.2.3:80',
    '[::1]:24100',
    '[fd00::1]',
    'billing.example.com',
    'Billing.Example.com.:8443',
    'eu.billing.example.org',
    'public.example.net:9',
  ])('is accepted: %s', async (host) => {
    const { http } = createTestClient({
      public_url: 'https://public.example.net',
      allowed_hosts: ['billing.example.com', '.billing.example.org'],
    });

    expect((await http.get('/customers').set(KEY).set('Host', host)).status).toBe(200);
  });

  it.each([
    'evil.local',
    'evil.internal:24100',
    'shop.test',
    'billing',
    'billing_1:24100',
    'evil.example',
    'evil.example:24100',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost.example',
    '1.2.3.4.5',
    'billing.example.com.evil.example',
    'billing.example.org',
    'notbilling.example.com',
    'x@localhost',
    'localhost:24100:1',
    '[::1].evil.example',
    'xn--lcalhost-54a.example',
  ])('is rejected with 421 in every part of the emulator: %s', async (host) => {
    const { http } = createTestClient({
      host: '0.0.0.0',
      admin_token: 'none',
      allowed_hosts: ['billing.example.com', '.billing.example.org'],
    });

    for (const path of PARTS) {
      const { status, text } = await http.get(path).set(KEY).set('Host', host);
      expect([path, status]).toEqual([path, 421]);
      expect(JSON.parse(text).detail).toContain('allowed_hosts');
    }
  });
});

describe('a page of another site', () => {
  const FOREIGN = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:3000' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
  ];

  it.each(FOREIGN)('gets 403 in every part and opens no world or inbox: %o', async (headers) => {
    const { http, emulator } = createTestClient();
    const requests = [
      http.get('/customers').set(NEW_WORLD),
      http.post('/customers').set(NEW_WORLD).send({ name: 'Acme' }),
      http.post('/_emulator/reset').set(NEW_WORLD).send({}),
      http.post('/_emulator/ui/time/advance?key=key_test_unseen').type('form').send({ by: 'P1D' }),
      http.get('/_emulator/ui?key=key_test_unseen'),
      http.post('/_emulator/inbox/a').send({}),
    ];
    for (const request of requests)
      expect(await request.set(headers as Record<string, string>)).toMatchObject({
        status: 403,
        text: expect.stringContaining('Origin or Sec-Fetch-Site'),
      });

    expect(emulator.worlds.has('key_test_unseen')).toBe(false);
    expect(emulator.inboxes.names()).toEqual([]);
  });

  it('may link to hosted pages and to the inspector of existing worlds', async () => {
    const { http, emulator, api } = createTestClient();
    await api('listCustomers');
    const LINK = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const follow = (path: string) =>
      http.get(path).set({ 'Sec-Fetch-Site': 'cross-site', ...LINK });

    expect((await follow('/hosted/checkout/none')).status).toBe(404);
    expect((await follow('/_emulator/ui?key=key_test_emulator')).status).toBe(200);
    expect((await follow('/_emulator/ui?key=key_test_unseen')).status).toBe(403);
    expect((await follow('/customers').set(KEY)).status).toBe(403);
    expect(emulator.worlds.has('key_test_unseen')).toBe(false);
  });

  it.each([
    [{}, 403],
    [{ Referer: 'http://evil.example/ui' }, 403],
    [{ Referer: 'http://10.1.2.3.evil.example/' }, 403],
    [{ Referer: 'http://10.1.2.3/_emulator/ui' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
  ])(
    'opens a new world by an inspector link only if the headers rule out another site: %o',
    async (headers, status) => {
      const { http, emulator } = createTestClient();
      const asked = http
        .get('/_emulator/ui?key=key_test_unseen')
        .set('Host', '10.1.2.3')
        .set(headers);

      expect((await asked).status).toBe(status);
      expect(emulator.worlds.has('key_test_unseen')).toBe(status === 200);
    },
  );

  it('is distinguished from own pages and from clients that are not browsers', async () => {
    const { http } = createTestClient();
    const own = [
      {},
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:5173' },
      { 'Sec-Fetch-Site': 'none' },
      { Host: 'localhost:24100', Origin: 'http://localhost:24100' },
    ];
    for (const headers of own)
      expect((await http.get('/customers').set(KEY).set(headers)).status).toBe(200);
  });
});

describe.each([
  ['alone', {}],
  ['shared', { host: '0.0.0.0', admin_token: TOKEN, without_token: ['inboxes'] }],
])('a webhook that is sent to the emulator, %s', (_mode, settings) => {
  it('is accepted by inboxes alone, whatever its destination is called', async () => {
    const { http, api, emulator } = createTestClient({ port: 0, ...settings });
    const { port } = new URL(await emulator.listen());
    const topics = ['subscription.activated'];
    const at = `http://10.1.2.3.localhost:${port}`;
    for (const path of ['/_emulator/inbox/a', '/_emulator/ui/populate', '/customers', '/'])
      await api('createWebhook', { body: { url: at + path, topics } }, 201);
    await api('testWebhooks', { path: { topic: 'subscription.activated' }, body: {} }, 202);
    const headers = { 'X-Emulator-Admin': TOKEN };
    await api('flushDeliveries', { headers });
    const { items } = await api('listDeliveries', { headers });
    const codes = items.map((row: { last_status_code: number }) => row.last_status_code);

    expect(codes.toSorted()).toEqual([204, 403, 403, 403]);
    expect(emulator.inboxes.find('a')).toHaveLength(1);
    await http.get('/customers').set(KEY).set('Service-Signature', 't=1,v0=a').expect(403);
    await emulator.close();
  });
});

describe('the admin token', () => {
  const FAULT = { 'X-Emulator-Fault': 'status=503' };

  it('is required for X-Emulator-Fault and inboxes', async () => {
    const { http, emulator } = createTestClient({ admin_token: TOKEN });
    const token = { 'X-Emulator-Admin': TOKEN };
    const ask = () => http.get('/customers').set(KEY);

    expect((await ask().set(FAULT)).status).toBe(403);
    expect((await ask().set(FAULT).set(token)).status).toBe(503);
    expect((await http.post('/_emulator/inbox/a').send({})).status).toBe(401);
    expect(emulator.inboxes.names()).toEqual([]);
    expect((await http.post('/_emulator/inbox/a').set(token).send({})).status).toBe(204);
    expect((await http.get('/_emulator/inbox/a')).status).toBe(401);
  });

  it('is logged and slowed where it is wrong, wherever it is sent', async () => {
    const logged: string[] = [];
    const info = (line: string) => void logged.push(line);
    const log = { info, error: () => {}, debug: () => {} };
    const { http } = createTestClient({ admin_token: TOKEN }, { log });
    const wrong = { 'X-Emulator-Admin': 'haddock' };
    const begun = performance.now();
    for (const path of ['/_emulator/clock', '/customers', '/_emulator/inbox/a', '/_emulator/ui'])
      expect((await http.get(path).set(KEY).set(wrong)).status).toBe(401);
    const bearer = { Authorization: 'Bearer haddock' };
    expect((await http.get('/_emulator/metrics').set(bearer)).status).toBe(401);
    await http.post('/_emulator/ui').type('form').send({ admin_token: 'haddock' }).expect(401);

    expect(performance.now() - begun).toBeGreaterThan(6 * 290);
    expect(logged).toContain('Rejected 1 request with a wrong admin token.');
    expect(logged.join()).not.toContain('haddock');
  });

  it.each([
    ['http://localhost', {}, false],
    ['https://billing.example', { public_url: 'https://billing.example' }, true],
  ])('gives a cookie at %s that is secure under https', async (origin, settings, isSecure) => {
    const { http } = createTestClient({ admin_token: TOKEN, ...settings });
    const { headers } = await http
      .post('/_emulator/ui')
      .set({ Origin: origin, Host: new URL(origin).host })
      .type('form')
      .send({ admin_token: TOKEN });

    expect(String(headers['set-cookie']).includes('; Secure')).toBe(isSecure);
  });

  it('is not required for the parts that without_token lists', async () => {
    const { http } = createTestClient({
      admin_token: TOKEN,
      without_token: ['faults', 'inboxes'],
    });

    expect((await http.get('/customers').set(KEY).set(FAULT)).status).toBe(503);
    expect((await http.post('/_emulator/inbox/a').send({})).status).toBe(204);
    expect((await http.get('/_emulator/clock').set(KEY)).status).toBe(401);
  });
});
