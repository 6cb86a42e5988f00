import { describe, expect, it } from 'vitest';
import { TEST_NOW } from '../testing/client.ts';
import { openWebhookWorld, TOPIC, type WebhookWorld } from '../testing/webhook-world.ts';

const BASE = 'http://127.0.0.1:24100/_emulator/inbox';
const KEY = { Authorization: 'Bearer key_test_emulator' };

let place: WebhookWorld;
const open = (settings = {}) => {
  place = openWebhookWorld(settings);
  return place.client.http;
};

describe('an inbox', () => {
  it('stores a delivery to an address of the emulator byte for byte', async () => {
    const http = open();
    await place.register(`${BASE}/orders`);
    const id = await place.dispatch({ plan: 'gold' });
    await place.idle();
    const { body } = await http.get('/_emulator/inbox/orders').set(KEY).expect(200);
    const [{ exchanges }] = (await place.deliveries()) as [{ exchanges: [never] }];

    expect(body).toMatchObject({ total_count: 1, limit: 100, offset: 0 });
    expect(body.items[0]).toMatchObject({
      number: 1,
      received_at: TEST_NOW,
      came_by: 'emulator',
      headers: {
        'content-type': 'application/json',
        'service-signature': expect.stringMatching(/^t=1768478400,v0=[0-9a-f]{64}$/),
      },
      event: { id, type: TOPIC, data: { plan: 'gold' } },
    });
    expect(body.items[0].body).toBe(
      `{"id":"${id}","type":"${TOPIC}","created":"${TEST_NOW}","live_mode":false,` +
        '"data":{"plan":"gold"}}',
    );
    expect(exchanges).toMatchObject([{ status_code: 204, error: null }]);
  });

  it('returns at most 4 MB of messages per page, and the rest by offset', async () => {
    const http = open();
    for (let count = 0; count < 3; count += 1)
      await http
        .post('/_emulator/inbox/large')
        .type('text')
        .send('x'.repeat(2_000_000))
        .expect(204);
    const numbers = async (offset: number) => {
      const { body } = await http.get(`/_emulator/inbox/large?offset=${offset}`).expect(200);
      return [body.total_count, body.items.map(({ number }: { number: number }) => number)];
    };

    expect(await numbers(0)).toEqual([3, [3, 2]]);
    expect(await numbers(2)).toEqual([3, [1]]);
  });

  it.each(['localhost', '127.0.0.2', '[::1]'])(
    'receives deliveries to its address on host %s',
    async (host) => {
      open({ port: 5123 });
      await place.register(`http://${host}:5123/_emulator/inbox/a`);
      await place.dispatch();
      await place.idle();

      expect(place.client.emulator.inboxes.find('a')).toHaveLength(1);
    },
  );

  it('receives deliveries to public_url, and to the port chosen with port 0', async () => {
    open({ public_url: 'https://billing.test', port: 0 });
    const base = await place.client.emulator.listen();
    for (const address of [base, 'https://billing.test'])
      await place.register(`${address}/_emulator/inbox/a`);
    await place.dispatch();
    await place.idle();

    const ways = place.client.emulator.inboxes.find('a').map(({ came_by }) => came_by);
    expect(ways).toEqual(['emulator', 'emulator']);
  });

  it('accepts messages from other senders without a key', async () => {
    const http = open();
    await http.post('/_emulator/inbox/mine').set('X-Any', 'a').send({ type: 'x' }).expect(204);
    await http.post('/_emulator/inbox/mine').type('text/plain').send('plain').expect(204);
    const { body } = await http.get('/_emulator/inbox/mine').expect(200);

    expect(body.items).toMatchObject([
      { came_by: 'network', body: 'plain', event: null },
      { body: '{"type":"x"}', event: { type: 'x' }, headers: { 'x-any': 'a' } },
    ]);
  });

  it('filters messages by topic, id, text, after, limit and offset', async () => {
    const http = open();
    const send = (body: object) => http.post('/_emulator/inbox/a').send(body);
    await send({ id: 'e1', type: 'a.b', data: { name: 'Acme' } });
    await send({ id: 'e2', type: 'a.b', data: { name: 'Globex' } });
    await send({ id: 'e3', type: 'a.c' });
    const idsOf = async (query: object) =>
      (await http.get('/_emulator/inbox/a').query(query).expect(200)).body.items.map(
        ({ event }: { event: { id: string } }) => event.id,
      );

    expect(await idsOf({ topic: 'a.b' })).toEqual(['e2', 'e1']);
    expect(await idsOf({ id: 'e3' })).toEqual(['e3']);
    expect(await idsOf({ contains: 'Acme' })).toEqual(['e1']);
    expect(await idsOf({ after: 1, limit: 1 })).toEqual(['e3']);
    expect(await idsOf({ offset: 2 })).toEqual(['e1']);
    await http.get('/_emulator/inbox/a').query({ limit: 0 }).expect(400);
    await http.get('/_emulator/inbox/a').query({ topics: 'x' }).expect(400);
  });

  it('responds to a wait at once, when a message comes, or with 408 after the timeout', async () => {
    const http = open();
    const wait = (query: object) => http.get('/_emulator/inbox/a/wait').query(query);
    const [coming] = await Promise.all([
      wait({ topic: 'x', count: 2 }),
      http.post('/_emulator/inbox/a').send({ type: 'x', n: 1 }),
      http.post('/_emulator/inbox/a').send({ type: 'y' }),
      http.post('/_emulator/inbox/a').send({ type: 'x', n: 2 }),
    ]);
    const there = await wait({ topic: 'y', timeout_seconds: 0 });
    const vain = await wait({ topic: 'z', timeout_seconds: 0 });

    expect([coming.status, coming.body.total_count]).toEqual([200, 2]);
    expect([there.status, there.body.total_count]).toEqual([200, 1]);
    expect(vain.status).toBe(408);
    expect(vain.body.detail).toBe('0 of 1 messages matched within 0 s.');
    expect(vain.body).toMatchObject({
      type: '/problems/wait-timeout',
      nearest: [{ differs: ['topic'] }, { differs: ['topic'] }, { differs: ['topic'] }],
    });
  });

  it('shows, resets and deletes only the messages of the world of the key, or those of none', async () => {
    const http = open();
    const { client } = place;
    const key = (name: string) => ({ Authorization: `Bearer key_test_${name}` });
    const count = async (headers: Record<string, string> = {}) =>
      (await http.get('/_emulator/inbox/mine').set(headers)).body.total_count;
    for (const name of ['one', 'two']) {
      const url = 'http://127.0.0.1:24100/_emulator/inbox/mine';
      await client.api('createWebhook', { key: `key_test_${name}`, body: { url } }, 201);
      const path = { topic: 'subscription.activated' };
      await client.api('testWebhooks', { key: `key_test_${name}`, path, body: {} }, 202);
      await http.post('/_emulator/webhooks/flush').set(key(name)).expect(200);
    }
    await http.post('/_emulator/inbox/mine').set(key('two')).send({ own: true }).expect(204);
    await http.post('/_emulator/inbox/mine').send({ own: false }).expect(204);

    expect([await count(), await count(key('one')), await count(key('two'))]).toEqual([1, 1, 2]);
    await http.post('/_emulator/reset').set(key('two')).send({}).expect(200);
    expect([await count(), await count(key('one')), await count(key('two'))]).toEqual([1, 1, 0]);
    await http.delete('/_emulator/inbox/mine').expect(204);
    expect([await count(), await count(key('one'))]).toEqual([0, 1]);
    const waited = await http.get('/_emulator/inbox/mine/wait?timeout_seconds=0').expect(408);
    expect(waited.body.nearest).toEqual([]);
    await http.delete('/_emulator/inbox/mine').set(key('one')).expect(204);
    expect(await count(key('one'))).toBe(0);
  });

  it('responds with 503 to a key whose world would be one too many, and stays unchanged', async () => {
    const http = open({ limits: { MAX_SANDBOXES: 1 } });
    const key = { Authorization: 'Bearer key_test_other' };
    await http.get('/customers').set('Authorization', 'Bearer key_test_emulator').expect(200);
    await http.post('/_emulator/inbox/a').send({ own: false }).expect(204);
    const answers = [
      await http.post('/_emulator/inbox/a').set(key).send({ own: true }),
      await http.get('/_emulator/inbox/a').set(key),
      await http.get('/_emulator/inbox/a/wait?timeout_seconds=0').set(key),
      await http.delete('/_emulator/inbox/a').set(key),
    ];

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(answers[0]?.body.detail).toBe(
      'All 1 sandboxes are in use. Delete some with DELETE /_emulator/sandboxes.',
    );
    expect((await http.get('/_emulator/inbox/a')).body.total_count).toBe(1);
  });

  it('rejects foreign origins and hosts, large messages and invalid names', async () => {
    const http = open({ limits: { MAX_EVENTS_BODY_BYTES: 100 } });
    await http.get('/_emulator/inbox/a').set('Origin', 'https://evil.example').expect(403);
    await http.get('/_emulator/inbox/a').set('Host', 'evil.example').expect(421);
    await http
      .post('/_emulator/inbox/a')
      .send({ text: 'x'.repeat(200) })
      .expect(413);
    await http.post('/_emulator/inbox/..%2Fa').send({}).expect(400);
    await http.put('/_emulator/inbox/a').send({}).expect(404);
  });
});
