import { afterEach, describe, expect, it } from 'vitest';
import { openWebhookWorld, type WebhookWorld } from '../../testing/webhook-world.ts';
import { verifySignature } from '../../webhooks/verify-signature.ts';

/** TEST_NOW in Unix seconds. */
const NOW = 1768478400;

let lab: WebhookWorld;
const open = (settings = {}) => {
  lab = openWebhookWorld(settings);
  return lab;
};
afterEach(() => lab.close());

const control: WebhookWorld['client']['control'] = (...call) => lab.client.control(...call);
const disturb = (body: object, status = 201) => control('createDisturbance', { body }, status);
const signatureOf = (headers: object) => (headers as Record<string, string>)['service-signature'];

describe('disturbances', () => {
  it('are used up exactly, by the oldest that fits first', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    const { id } = await register(place.url);
    const other = await register((await receiver()).url);
    const rule = await disturb({ kind: 'duplicate', count: 2, destination_id: id });
    await disturb({ kind: 'duplicate', topic: 'other.topic' });
    const ids = [await dispatch(), await dispatch(), await dispatch()];
    await idle();

    const [first, second, third] = ids;
    expect(place.ids()).toEqual([first, first, second, second, third]);
    expect(rule).toMatchObject({ kind: 'duplicate', count: 2, remaining: 2, destination_id: id });
    const { items } = await control('listDisturbances', {}, 200);
    expect(items.map(({ remaining }: { remaining: number }) => remaining)).toEqual([1, 0]);
    const query = { destination_id: other.id };
    expect((await control('listDeliveries', { query }, 200)).items).toMatchObject([
      { attempt_count: 1 },
      { attempt_count: 1 },
      { attempt_count: 1 },
    ]);
  });

  it('duplicate: the same bytes and the same signature', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'duplicate' });
    await dispatch();
    await idle();

    const [first, second] = place.requests;
    expect(second?.body).toBe(first?.body);
    expect(signatureOf(second?.headers ?? {})).toBe(signatureOf(first?.headers ?? {}));
    expect((await lab.deliveries())[0].exchanges).toMatchObject([
      { cause: 'first', disturbances: ['duplicate'] },
      { cause: 'duplicate' },
    ]);
  });

  it('swap: an event right after the next one, twice', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'swap', count: 2 });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await dispatch());
    await idle();

    const [a, b, c, d, e] = ids;
    expect(place.ids()).toEqual([b, a, d, c, e]);
  });

  it('swap: holds the last event until it is flushed or the rules are cleared', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'swap', count: 2 });
    await dispatch();
    await advance('P1D');
    const held = place.requests.length;
    await control('flushDeliveries', {}, 200);
    const flushed = place.requests.length;
    await dispatch();
    await control('clearDisturbances', {}, 204);
    await idle();

    expect([held, flushed, place.requests.length]).toEqual([0, 1, 2]);
  });

  it('delay: the first attempt waits on the clock, later events overtake it', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'delay', seconds: 30 });
    const [late, next] = [await dispatch(), await dispatch()];
    await idle();
    const before = place.ids();
    await advance('PT29S');
    const still = place.ids();
    await advance('PT1S');

    expect([before, still, place.ids()]).toEqual([[next], [next], [next, late]]);
    expect((await lab.deliveries())[0].exchanges).toMatchObject([
      { cause: 'first', at: '2026-01-15T12:00:30.000Z' },
    ]);
  });

  it('drop: nothing is sent, and the retry follows', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'drop', count: 2 });
    await dispatch();
    await idle();
    await advance('PT5S');
    const before = place.requests.length;
    await advance('PT5M');

    expect([before, place.requests.length]).toEqual([0, 1]);
    expect((await lab.deliveries())[0].exchanges).toMatchObject([
      { status_code: null, error: 'Dropped by a disturbance.', request: null },
      { error: 'Dropped by a disturbance.' },
      { status_code: 204, disturbances: [] },
    ]);
  });

  it.each([
    ['bad_signature', 'mismatch'],
    ['stale_timestamp', 'stale'],
    ['reserialised_body', 'mismatch'],
  ])('%s: a receiver that looks finds %s', async (kind, reason) => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    const { secret } = await register(place.url);
    await disturb({ kind });
    const id = await dispatch({ a: 1 });
    await dispatch();
    await idle();

    const verdicts = place.requests.map(({ body, headers }) =>
      verifySignature(body, signatureOf(headers), secret, { now: NOW }),
    );
    expect(verdicts).toMatchObject([{ valid: false, reason }, { valid: true }]);
    expect(JSON.parse(place.requests[0]?.body ?? '')).toMatchObject({ id, data: { a: 1 } });
    const [{ body, exchanges }] = (await lab.deliveries()) as [never];
    const [{ request }] = exchanges as [{ request: { body: string } }];
    expect(request.body).toBe(place.requests[0]?.body);
    expect(request.body === body).toBe(kind !== 'reserialised_body');
  });

  it('stale_timestamp: as old as told', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'stale_timestamp', seconds: 86_400 });
    await dispatch();
    await idle();

    expect(signatureOf(place.requests[0]?.headers ?? {})).toMatch(`t=${NOW - 86_400},v0=`);
  });

  it('old_secret_only: waits until there is an old secret', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    const { id, secret: old } = await register(place.url);
    await disturb({ kind: 'old_secret_only' });
    await dispatch();
    await idle();
    const { secret } = await control('rotateSecret', { body: { destination_id: id } }, 200);
    await dispatch();
    await idle();

    const fits = (each: string) =>
      place.requests.map(
        ({ body, headers }) =>
          verifySignature(body, signatureOf(headers), each, { now: NOW }).valid,
      );
    expect([fits(old), fits(secret)]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('meet in one request', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    await register(place.url);
    await disturb({ kind: 'duplicate' });
    await disturb({ kind: 'stale_timestamp', seconds: 900 });
    await dispatch();
    await idle();

    expect(place.requests.map(({ headers }) => signatureOf(headers)?.split(',')[0])).toEqual([
      `t=${NOW - 900}`,
      `t=${NOW - 900}`,
    ]);
  });

  it('can be removed, and are refused where they mean nothing', async () => {
    open();
    const { id } = await disturb({ kind: 'drop' });
    await control('deleteDisturbance', { path: { disturbanceId: id } }, 204);
    await control('deleteDisturbance', { path: { disturbanceId: id } }, 404);

    await disturb({ kind: 'drop', seconds: 5 }, 422);
    await disturb({ kind: 'drop', destination_id: 'dst_none' }, 422);
    await disturb({ kind: 'odd' }, 422);
    await disturb({ kind: 'drop', count: 0 }, 422);
  });
});
