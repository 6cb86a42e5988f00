import { beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { PostgresEmulators } from '../testing/postgres/emulators.ts';
import { hasPostgres } from '../testing/postgres/server.ts';

const KEY = 'key_test_shared';
const URLS = { return_url: 'https://a.test/', failure_url: 'https://a.test/' };

describe.skipIf(!hasPostgres)(
  'what carries no key in a header, at an emulator without the world',
  () => {
    const emulators = new PostgresEmulators();
    let holder: TestClient & { readonly url: string };
    let other: TestClient & { readonly url: string };
    let customer_id: string;
    beforeEach(async () => {
      [holder, other] = [await emulators.startReachable(), await emulators.startReachable()];
      const body = { name: 'Ann', external_id: 'ann' };
      customer_id = (await holder.api('createCustomer', { key: KEY, body }, 201)).id;
    });

    it('a payment by the link of a top-up', async () => {
      const order = { customer_id, amount: 20, currency: 'USD', ...URLS };
      const topUp = await other.api('createTopUp', { key: KEY, body: order }, 201);
      const { pathname } = new URL(topUp.redirect_url);
      const shown = await other.http.get(pathname);
      const paid = await other.http.post(`${pathname}/pay`).type('form').send({ method: 'bank' });
      const { status } = await holder.api(
        'getTopUp',
        { key: KEY, path: { topUpId: topUp.id } },
        200,
      );

      expect(shown.status).toBe(200);
      expect(shown.text).toContain('20');
      expect([paid.status, status]).not.toContain(404);
      expect(other.emulator.worlds.has(KEY)).toBe(false);
    });

    it('the portal of a customer, its visit and its files', async () => {
      const session = { key: KEY, body: { customer_id, ...URLS } };
      const { redirect_url } = await holder.api('createPortalSession', session, 200);
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

    it('an invalid key, whose page has the layout of the default world', async () => {
      await holder.api('listCustomers', {}, 200);
      const { status, text } = await other.http.get('/_emulator/ui?key=Wrong');

      expect(status).toBe(404);
      expect(text).toContain('is not a valid key');
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
  },
);
