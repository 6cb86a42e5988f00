import { beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { PostgresEmulators } from '../testing/postgres/emulators.ts';
import { hasPostgres } from '../testing/postgres/server.ts';

const KEY = 'key_test_shared';
const URLS = { return_url: 'https://a.test/', failure_url: 'https://a.test/' };

describe.skipIf(!hasPostgres)('with several emulators of one database', () => {
  const emulators = new PostgresEmulators();

  describe('worlds that several emulators hold', () => {
    let one: TestClient;
    let two: TestClient;
    const start = async (settings = {}) => {
      one = await emulators.startReachable(settings);
      two = await emulators.startReachable(settings);
      await one.api('createCustomer', { key: 'key_test_one', body: { name: 'Ann' } }, 201);
      await two.api('createCustomer', { key: 'key_test_two', body: { name: 'Bob' } }, 201);
    };
    const sandboxesAt = async ({ api }: TestClient, key: string) =>
      (await api('listSandboxes', { key })).items.map(({ name }: { name: string }) => name);

    it('are all listed by each: sandboxes, the menu of the inspector, metrics', async () => {
      await start();
      const sandboxes = [
        await sandboxesAt(one, 'key_test_one'),
        await sandboxesAt(two, 'key_test_two'),
      ];
      const menu = await one.http.get('/_emulator/ui?key=key_test_one');
      const { text } = await two.http.get('/_emulator/metrics');

      expect(sandboxes).toEqual([
        ['one', 'two'],
        ['one', 'two'],
      ]);
      expect(menu.text).toContain('/_emulator/ui?key=key_test_two');
      expect(text).toContain('billing_emulator_worlds 1\n');
      expect(text).toContain('billing_emulator_known_worlds 2\n');
    });

    it('count together for the limit of sandboxes', async () => {
      await start({ limits: { MAX_SANDBOXES: 2 } });
      const body = { name: 'three' };
      // Which worlds there are is looked up every three seconds, and for each list.
      await sandboxesAt(one, 'key_test_one');
      const { status, text } = await one.send('listCustomers', { key: 'key_test_three' });
      const created = await two.http
        .post('/_emulator/sandboxes')
        .set('Authorization', 'Bearer key_test_two')
        .send(body);

      expect([status, created.status]).toEqual([503, 503]);
      expect(text).toContain('All 2 sandboxes are in use');
    });

    it('are created under one name once, and with a list of keys known to each', async () => {
      await start({ keys: ['key_test_one', 'key_test_two'] });
      const create = (client: TestClient, key: string, status: number) =>
        client.api('createSandbox', { key, body: { name: 'made' } }, status);
      await create(one, 'key_test_one', 201);
      await create(two, 'key_test_two', 409);
      const { status } = await two.send('listCustomers', { key: 'key_test_made' });
      await one.api('deleteSandbox', { key: 'key_test_one', query: { name: 'made' } }, 204);
      await sandboxesAt(two, 'key_test_two');
      const gone = await two.send('listCustomers', { key: 'key_test_made' });

      expect([status, gone.status]).toEqual([200, 401]);
    });

    it('are copied and deleted wherever they are held', async () => {
      await start();
      const copy = { name: 'copy', sandbox: 'two' };
      const made = await one.api('createSandbox', { key: 'key_test_one', body: copy }, 201);
      await two.api('deleteSandbox', { key: 'key_test_two', query: { name: 'one' } }, 204);

      expect(made.worlds).toMatchObject([{ records: { customers: 1 } }]);
      expect(await sandboxesAt(two, 'key_test_two')).toEqual(['copy', 'two']);
      expect((await one.api('listCustomers', { key: 'key_test_two' })).total_count).toBe(1);
    });
  });

  describe('an emulator that stops', () => {
    it('hands over at once, and tells its clients to try another one', async () => {
      const [one, two] = [await emulators.startReachable(), await emulators.startReachable()];
      const key = 'key_test_one';
      await one.api('createCustomer', { key, body: { name: 'Ann' } }, 201);
      const headers = { Authorization: `Bearer ${key}` };
      const ask = ({ url }: { readonly url: string }) =>
        fetch(`${url}/customers`, { headers }).then(
          ({ status, headers: got }) => ({ status, retry: got.get('retry-after') }),
          ({ cause }) => ({ status: 0, retry: String(cause.code) }),
        );
      const waiting = fetch(`${one.url}/customers`, {
        headers: { ...headers, 'X-Emulator-Fault': 'latency=60s' },
      });
      await ask(two);
      const stopped = emulators.stop(one);
      const asked = [];
      let isStopped = false;
      void stopped.then(() => {
        isStopped = true;
      });
      // Who is told that it stops asks the other one from then on.
      for (let told = 0; told !== 503; ) {
        const answer = await ask(one);
        told = answer.status;
        asked.push(answer, await ask(two));
      }
      while (!isStopped) asked.push(await ask(two));
      const ended = await waiting;

      expect([ended.status, ended.headers.get('retry-after')]).toEqual([503, '0']);
      expect(await ask(two)).toEqual({ status: 200, retry: null });
      const kinds = new Set(asked.map((each) => JSON.stringify(each)));
      for (const kind of kinds)
        expect(['{"status":200,"retry":null}', '{"status":503,"retry":"0"}']).toContain(kind);
      expect(kinds.has('{"status":503,"retry":"0"}')).toBe(true);
    });
  });

  describe('what carries no key in a header, at an emulator without the world', () => {
    let holder: TestClient & { readonly url: string };
    let other: TestClient & { readonly url: string };
    let customer_id: string;
    beforeEach(async () => {
      [holder, other] = [await emulators.startReachable(), await emulators.startReachable()];
      const body = { name: 'Ann', external_id: 'ann' };
      customer_id = (await holder.api('createCustomer', { key: KEY, body }, 201)).id;
    });

    it('the portal of a customer, its visit and its files', async () => {
      const session = { key: KEY, body: { customer_id, ...URLS } };
      const { redirect_url } = await holder.api('createPortalSession', session);
      const opened = await other.http.get(new URL(redirect_url).pathname);
      const visit = await other.http.get(String(opened.headers['location']));
      const [, file = ''] = /href="(\/hosted\/assets\/[^"]+)"/.exec(visit.text) ?? [];

      expect([opened.status, visit.status, (await other.http.get(file)).status]).toEqual([
        303, 200, 200,
      ]);
      expect(visit.text).toContain('Ann');
    });

    it('the inspector, its forms and its events', async () => {
      const page = await other.http.get(`/_emulator/ui/customers?key=${KEY}`);
      const advanced = await other.http
        .post(`/_emulator/ui/time/advance?key=${KEY}`)
        .type('form')
        .send({ by: 'P1D' });
      const leaving = new AbortController();
      const events = await fetch(`${other.url}/_emulator/ui/changes?key=${KEY}`, {
        signal: leaving.signal,
      });
      const reader = (events.body as ReadableStream<Uint8Array>).getReader();
      const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
      const first = await next();
      await holder.api('createCustomer', { key: KEY, body: { name: 'Bob' } }, 201);
      const changed = await next();
      leaving.abort();

      expect(page.text).toContain('Ann');
      expect(advanced.status).toBe(303);
      expect([events.headers.get('content-type'), first, changed]).toEqual([
        'text/event-stream; charset=utf-8',
        'retry: 2000\n\n',
        'data: changed\n\n',
      ]);
      expect(other.emulator.worlds.has(KEY)).toBe(false);
    });

    it('an invalid key, whose page says what a key is', async () => {
      await holder.api('listCustomers');
      const { status, text } = await other.http.get('/_emulator/ui?key=Wrong');

      expect(status).toBe(404);
      expect(text).toContain('Invalid key');
    });

    it('messages to an inbox, which all come to one emulator', async () => {
      await other.http.post('/_emulator/inbox/orders').send({ type: 'one' }).expect(204);
      await holder.http.post('/_emulator/inbox/orders').send({ type: 'two' }).expect(204);
      const [here, there] = await Promise.all(
        [holder, other].map(async ({ http }) => (await http.get('/_emulator/inbox/orders')).body),
      );

      expect(here.total_count).toBe(2);
      expect(there).toEqual(here);
    });

    it('the deliveries of a world to an inbox of its own', async () => {
      const url = `${holder.url}/_emulator/inbox/mine`;
      await other.api('createWebhook', { key: KEY, body: { url } }, 201);
      const path = { topic: 'subscription.activated' };
      await other.api('testWebhooks', { key: KEY, path, body: {} }, 202);
      const waited = await other.http
        .get('/_emulator/inbox/mine/wait?topic=subscription.activated')
        .set('Authorization', `Bearer ${KEY}`);

      expect([waited.status, waited.body.total_count]).toEqual([200, 1]);
    });
  });
});
