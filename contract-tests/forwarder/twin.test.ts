import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standBetween, startCli } from '../testing/cli.ts';
import { onLoopback } from '../testing/server.ts';
import { aService, aTwin, requestsTo } from '../testing/twin.ts';
import { twinMarkdown } from './emulator/markdown.ts';
import { type TwinSummary, verdictOf } from './emulator/report.ts';

describe('billing-emulator twin', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'twin-'));
  const file = (name: string) => join(folder, name);

  const runTwin = (
    upstream: string,
    flags: readonly string[],
    use: (url: string) => unknown,
  ): ReturnType<typeof standBetween> => standBetween('twin', upstream, use, flags);

  it('exits with 11 on a difference that no baseline knows, and writes no key or customer name', async () => {
    const service = await aService({ unknown_fields: 'warn' });
    const baseline = ['--baseline', file('known.json'), '--update-baseline'];
    const flags = ['--summary', file('page.md')];
    const use = async (url: string) => {
      const ask = requestsTo(url, 'key_test_canary-key');
      const odd = { name: 'Canary Name', 'canary-field': 'canary-value' };
      const { id } = await ask('POST', '/customers', { ...odd, email: 'canary@mail.example' });
      await ask('GET', `/customers/${id}`);
      await ask('GET', '/customers?external_id=canary-external');
      await ask('GET', '/canary/path');
      await ask('PATCH', `/customers/${id}`, { name: 'Canary Other', 'canary-field': 1 });
    };
    const { code, lines, all } = await runTwin(service.url, flags, use);
    const kept = await runTwin(service.url, baseline, use);
    const known = await runTwin(service.url, baseline.slice(0, 2), use);
    await service.close();
    const [page = '', names = ''] = ['page.md', 'known.json'].map((name) =>
      readFileSync(file(name), 'utf8'),
    );

    expect([code, all]).toEqual([11, expect.stringContaining('"verdict"')]);
    expect([all, page, names].filter((text) => /canary/i.test(text))).toEqual([]);
    expect(lines.find(({ kind }) => kind === 'cause')).toMatchObject({
      what: 'status',
      operation: 'createCustomer',
      upstream: '201',
      emulator: '422',
      assumptions: expect.arrayContaining(['A-203']),
    });
    expect(page).toContain('| POST /customers status | status | 201 | 422 |');
    expect(JSON.parse(names).known).toContain('createCustomer status status');
    expect([kept.code, known.code]).toEqual([0, 0]);
    expect(known.end).toMatchObject({ causes: 1, verdict: expect.stringContaining('baseline') });
  });

  it('exits with 0 if all agrees, 12 if nothing was compared, 6 if the service is down', async () => {
    const service = await aService();
    const sound = await runTwin(service.url, [], (url) =>
      requestsTo(url, 'key_test_sound')('GET', '/customers'),
    );
    const silent = await runTwin(service.url, [], () => {});
    await service.close();
    const gone = await runTwin(service.url, [], (url) => fetch(`${url}/customers`));

    expect([sound.code, silent.code, gone.code]).toEqual([0, 12, 6]);
    expect(gone.lines.find(({ kind }) => kind === 'lost')).toMatchObject({ method: 'GET' });
  });

  it.each([
    ['a flag is wrong', ['--port', 'high'], 2, 'Expected a whole number from 0 to 65535'],
    ['the port is taken', ['--port', '0'], 5, 'Cannot listen on 127.0.0.1'],
    ['a file cannot be written', ['--summary', '/nowhere/page.md'], 1, 'ENOENT'],
  ])('exits before it listens when %s', async (_, flags, code, reason) => {
    const taken = await onLoopback((_asked, response) => response.end());
    const line = flags.map((flag) => (flag === '0' ? String(taken.port) : flag));
    const { printed, ended } = startCli(['twin', '--upstream', 'http://127.0.0.1:1', ...line]);

    expect([await ended, printed.out]).toEqual([code, '']);
    expect(printed.errors).toContain(reason);
    await taken.close();
  });
});

describe('a live service behind a twin', { timeout: 180_000 }, () => {
  /** Responses after which a client could be tempted to retry or to send another request. */
  const ANSWERS: Readonly<Record<string, readonly [status: number, headers?: object]>> = {
    'GET /accounts/self': [401],
    'POST /customers': [500],
    'POST /events': [429, { 'Retry-After': '0' }],
    'GET /customers?external_id=ada': [303, { Location: '/customers/cust_live0001' }],
    'PATCH /customers/cust_live0001': [204],
    'POST /top-ups': [409],
    'DELETE /webhooks/dst_live0001': [0],
  };

  it('receives each request of the client once and unchanged, and no other request', async () => {
    const heard: string[] = [];
    const service = await onLoopback(async (asked, response) => {
      const request = `${asked.method} ${asked.url}`;
      let body = '';
      for await (const chunk of asked) body += chunk;
      heard.push(`${asked.headers['x-service-api-key']} ${request} ${body}`);
      const [status = 200, headers = {}] = ANSWERS[request] ?? [];
      if (status === 0) response.destroy();
      else response.writeHead(status, headers as Record<string, string>).end();
    });
    const twin = await aTwin(service.baseUrl);
    const sent: string[] = [];
    for (const request of Object.keys(ANSWERS)) {
      const [method = '', path = ''] = request.split(' ');
      const body = /^P/.test(method) ? { name: 'Ada', at: path } : undefined;
      await requestsTo(twin.url, 'key_live_shop')(method, path, body).catch(() => {});
      sent.push(`key_live_shop ${request} ${body ? JSON.stringify(body) : ''}`);
    }
    const { requests } = await twin.end();
    service.close();

    expect(heard).toEqual(sent);
    expect(requests).toBe(sent.length);
  });
});

const verdictOn = (
  causes: readonly string[],
  lost: number,
  compared: number,
  known: readonly string[] = [],
) => {
  const found = { causes: causes.map((cause) => ({ cause })), lost, compared };
  const summary = { ...found, requests: lost + compared } as unknown as TwinSummary;
  return verdictOf(summary, new Set(known));
};

it.each<[string, string[], number, number, string[], number]>([
  ['all agrees', [], 0, 1, [], 0],
  ['something differs', ['a'], 0, 1, [], 11],
  ['what differs is known', ['a'], 0, 1, ['a', 'b'], 0],
  ['something else differs than is known', ['a', 'c'], 0, 1, ['a'], 11],
  ['something differs, and the service did not answer all', ['a'], 1, 1, [], 11],
  ['the service did not answer all', [], 1, 1, [], 6],
  ['the service never answered', [], 1, 0, [], 6],
  ['nothing was compared', [], 0, 0, [], 12],
])('the twin exits with the code for this case: %s', (_, causes, lost, compared, known, code) => {
  expect(verdictOn(causes, lost, compared, known).code).toBe(code);
});

const KEY = 'key_test_canary-key';
const LINK = 'https://shop.example/canary-link';
/** Personal data and secrets in the service's responses, both in their own fields and inside other fields. */
const PERSON = { email: 'canary@mail.example', secret: 'canary-secret', redirect_url: LINK };
const ANSWER = {
  id: 'cust_canary0001',
  name: 'Canary Name',
  ...PERSON,
  metadata: { about: `Canary Name ${KEY} ${LINK} canary@mail.example` },
  'canary-field': 1,
  items: [{ id: 'cust_canary0002', name: 'Canary Other', ...PERSON }],
};

/** Everything that a twin writes about a service that responds with secrets to every request. */
async function writtenBy(showsValues: boolean) {
  const service = await onLoopback((asked, response) => {
    asked.resume();
    const status = asked.method === 'GET' ? 200 : 201;
    const headers = { 'Content-Type': 'application/json', 'X-Canary': KEY };
    response.writeHead(status, headers).end(JSON.stringify(ANSWER));
  });
  const twin = await aTwin(service.baseUrl, showsValues);
  const ask = requestsTo(twin.url, KEY);
  await ask('POST', '/customers', { name: 'Canary Name', email: PERSON.email });
  await ask('POST', '/webhooks', { url: LINK, 'canary-field': PERSON.secret });
  for (const path of ['/customers', '/vendors?external_id=canary-external', '/canary/path'])
    await ask('GET', path);
  const summary = await twin.end();
  service.close();
  expect(summary.differences).toBeGreaterThan(10);
  const lines = twin.lines.map((line) => JSON.stringify(line));
  const page = twinMarkdown(summary, verdictOf(summary, new Set()), service.baseUrl);
  return [...lines, JSON.stringify(summary.causes), page];
}

describe('the output of a twin', () => {
  it('contains no value of the traffic by default', async () => {
    const written = await writtenBy(false);

    expect(written.filter((text) => /canary/i.test(text))).toEqual([]);
  });

  it('contains values on request, but no key, link, secret or mail address', async () => {
    const texts = await writtenBy(true);
    const secrets = [KEY, 'canary-link', 'canary-secret', 'canary@mail.example'];

    expect(texts.join()).toContain('Canary Name');
    expect(secrets.filter((secret) => texts.join().includes(secret))).toEqual([]);
  });
});
