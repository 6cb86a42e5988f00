import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { TEST_NOW } from '../../testing/client.ts';
import { openWebhookWorld, TOPIC, type WebhookWorld } from '../../testing/webhook-world.ts';
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

describe('listDeliveries', () => {
  it('shows how each delivery stands, newest first', async () => {
    const { receiver, register, dispatch, idle } = open();
    const [good, bad] = [await receiver(), await receiver(() => 500)];
    const [first, second] = [await register(good.url), await register(bad.url)];
    const eventId = await dispatch();
    await idle();
    const { items } = await control('listDeliveries', {}, 200);

    expect(items).toMatchObject([
      {
        event_id: eventId,
        destination_id: second.id,
        url: bad.url,
        status: 'pending',
        attempt_count: 1,
        last_status_code: 500,
        last_error: 'Answered 500.',
        next_attempt_at: '2026-01-15T12:00:05.000Z',
        waits_for: 'clock',
      },
      {
        destination_id: first.id,
        status: 'succeeded',
        last_status_code: 204,
        last_error: null,
        next_attempt_at: null,
        waits_for: null,
      },
    ]);
    const only = { query: { destination_id: first.id.replace('dst_', 'whd_') } };
    expect((await control('listDeliveries', only, 200)).total_count).toBe(1);
    const pending = { query: { status: 'pending', topic: TOPIC, event_id: eventId } };
    expect((await control('listDeliveries', pending, 200)).total_count).toBe(1);
    await control('listDeliveries', { query: { status: 'odd' } }, 400);
  });

  it('shows a connected account its own, and others nothing', async () => {
    const { client, receiver, register, dispatch, idle } = open();
    await register((await receiver()).url);
    await dispatch();
    await idle();
    const account = await client.api('createConnectedAccount', { body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': account.id };
    const [delivery] = await lab.deliveries();

    expect((await control('listDeliveries', { headers }, 200)).total_count).toBe(0);
    const path = { deliveryId: delivery.delivery.id };
    await control('getDelivery', { headers, path }, 404);
    await control('getDelivery', { key: 'key_live_emulator', path }, 404);
  });
});

describe('getDelivery', () => {
  it('shows every byte that went over the wire', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver(() => (response) => {
      response.writeHead(503, { 'X-Reason': 'busy' }).end('{"later":true}');
    });
    await register(place.url);
    await dispatch({ text: `it's "ü"` });
    await idle();
    const [delivery] = await lab.deliveries();

    expect(delivery.body).toBe(place.requests[0]?.body);
    expect(delivery.exchanges).toMatchObject([
      {
        at: TEST_NOW,
        cause: 'first',
        status_code: 503,
        request: { url: place.url, body: place.requests[0]?.body },
        response: { headers: { 'x-reason': 'busy' }, body: '{"later":true}', truncated: false },
      },
    ]);
    expect(delivery.exchanges[0].request.headers['Service-Signature']).toBe(
      signatureOf(place.requests[0]?.headers ?? {}),
    );
  });

  it('reads 64 KiB of an answer and no further', async () => {
    const { receiver, register, dispatch, idle } = open();
    let written = 0;
    const place = await receiver(() => (response) => {
      const write = (): void => {
        if (response.destroyed) return;
        written += 16_384;
        if (response.write('x'.repeat(16_384))) setImmediate(write);
        else response.once('drain', write);
      };
      response.writeHead(200);
      write();
    });
    await register(place.url);
    await dispatch();
    await idle();
    const [{ delivery, exchanges }] = (await lab.deliveries()) as [never];

    expect(delivery).toMatchObject({ status: 'succeeded' });
    const [{ response }] = exchanges as [{ response: { body: string; truncated: boolean } }];
    expect([response.body.length, response.truncated]).toEqual([65_536, true]);
    expect(written).toBeLessThan(20_000_000);
  });

  it('gives a shell line that makes the same request again', async () => {
    const { receiver, register, dispatch, idle } = open();
    const place = await receiver();
    const { secret } = await register(place.url);
    await dispatch({ text: `it's $HOME \`x\` "ü" \\n` });
    await idle();
    const [{ curl }] = (await lab.deliveries()) as [{ curl: string }];
    const shown = execFileSync('sh', ['-c', curl.replace(/^curl/, 'printf "%s\\n"')], {
      encoding: 'utf8',
    }).split('\n');

    expect(shown).toContain(place.url);
    const [first] = place.requests;
    expect(shown[shown.indexOf('--data-binary') + 1]).toBe(first?.body);
    const header = shown.find((line) => line.startsWith('Service-Signature: '))?.slice(19);
    expect(verifySignature(first?.body ?? '', header, secret, { now: NOW }).valid).toBe(true);
  });
});

describe('replayDeliveries', () => {
  it('sends one delivery again, the same bytes signed anew', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    const place = await receiver();
    await register(place.url);
    await dispatch({ a: 1 });
    await idle();
    await advance('PT1H');
    const [{ delivery }] = (await lab.deliveries()) as [{ delivery: { id: string } }];
    const body = { delivery_id: delivery.id };
    const answer = await control('replayDeliveries', { body }, 202);
    await idle();

    expect(answer).toEqual({ delivery_ids: [delivery.id], skipped_ids: [] });
    const [first, again] = place.requests;
    expect(again?.body).toBe(first?.body);
    expect(signatureOf(again?.headers ?? {})).toMatch(`t=${NOW + 3600},`);
    expect((await lab.deliveries())[0].exchanges).toMatchObject([
      { cause: 'first' },
      { cause: 'replay', at: '2026-01-15T13:00:00.000Z' },
    ]);
  });

  it('sends all that fit a filter, and ends the retries of what is acknowledged', async () => {
    const { client, world, receiver, register, dispatch, idle } = open();
    let isUp = false;
    const place = await receiver(() => (isUp ? 204 : 500));
    await register(place.url);
    await register((await receiver()).url);
    await dispatch();
    await dispatch();
    await idle();
    isUp = true;
    const { delivery_ids } = await control(
      'replayDeliveries',
      { body: { status: 'pending' } },
      202,
    );
    await idle();

    expect(delivery_ids).toHaveLength(2);
    expect(place.requests).toHaveLength(4);
    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
    const log = await client.api('listWebhookEvents', { query: { status: 'Success' } }, 200);
    expect(log.items).toHaveLength(2);
  });

  it('leaves the schedule alone when it fails', async () => {
    const { client, world, receiver, register, dispatch, idle } = open();
    await register((await receiver(() => 500)).url);
    await dispatch();
    await idle();
    const before = client.emulator.dispatcher.scheduled(world);
    await control('replayDeliveries', { body: { topic: TOPIC } }, 202);
    await idle();

    expect(client.emulator.dispatcher.scheduled(world)).toEqual(before);
    expect((await lab.deliveries())[0].delivery).toMatchObject({ attempt_count: 2 });
  });

  it('skips a disabled destination, and refuses what is not there', async () => {
    const { client, receiver, register, dispatch, idle } = open();
    const place = await receiver();
    const { id } = await register(place.url);
    await dispatch();
    await idle();
    const path = { webhookId: id };
    await client.api('updateWebhook', { path, body: { enabled: false } }, 200);

    const skipped = await control('replayDeliveries', { body: { destination_id: id } }, 202);
    expect([skipped.delivery_ids, skipped.skipped_ids.length]).toEqual([[], 1]);
    await control('replayDeliveries', { body: { delivery_id: 'dlv_none' } }, 422);
    await control('replayDeliveries', { body: {} }, 422);
    expect(place.requests).toHaveLength(1);
  });
});

describe('pausing', () => {
  it('holds events back and sends them in their order when it ends', async () => {
    const { receiver, register, dispatch, idle } = open();
    const [held, other] = [await receiver(), await receiver()];
    const { id } = await register(held.url);
    await register(other.url);
    const body = { destination_id: id };
    const pauses = await control('pauseDeliveries', { body }, 200);
    const ids = [await dispatch(), await dispatch(), await dispatch()];
    await idle();
    const during = [held.requests.length, other.requests.length];
    const left = await control('resumeDeliveries', { body }, 200);
    await idle();

    expect(pauses).toEqual({ all: false, destination_ids: [id] });
    expect(left).toEqual({ all: false, destination_ids: [] });
    expect(during).toEqual([0, 3]);
    expect(held.ids()).toEqual(ids);
  });

  it('of everything holds later destinations too, over an advance, without using up attempts', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    await control('pauseDeliveries', {}, 200);
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    await dispatch();
    await advance('P30D');
    const agenda = await control('listAgenda', {}, 200);
    const before = place.requests.length;
    await control('resumeDeliveries', {}, 200);
    await idle();

    expect([before, place.requests.length]).toEqual([0, 1]);
    expect(agenda.items).toEqual([]);
    expect((await lab.deliveries())[0].delivery).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-02-14T12:00:05.000Z',
    });
  });

  it('makes overdue retries when it ends', async () => {
    const { receiver, register, dispatch, idle, advance } = open();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    await dispatch();
    await idle();
    await control('pauseDeliveries', {}, 200);
    await advance('PT1H');
    await control('resumeDeliveries', {}, 200);
    await idle();

    expect((await lab.deliveries())[0]).toMatchObject({
      delivery: { status: 'succeeded' },
      exchanges: [{}, { at: '2026-01-15T13:00:00.000Z', cause: 'retry' }],
    });
  });

  it('refuses a destination that is not there', async () => {
    open();
    await control('pauseDeliveries', { body: { destination_id: 'dst_none' } }, 422);
  });
});

describe('flushDeliveries', () => {
  it('makes the next attempt of all that waits, without moving the clock', async () => {
    const { client, receiver, register, dispatch, idle } = open();
    const place = await receiver((at) => (at < 3 ? 500 : 204));
    await register(place.url);
    await register((await receiver(() => 500)).url);
    await dispatch();
    await dispatch();
    await idle();

    expect(await control('flushDeliveries', {}, 200)).toEqual({
      sent: 4,
      succeeded: 1,
      failed: 0,
      pending: 3,
      paused: 0,
    });
    expect((await control('getClock', {}, 200)).now).toBe(TEST_NOW);
    expect(place.requests).toHaveLength(4);
    // The second attempt was made; the third follows five minutes later.
    const [second] = client.emulator.dispatcher.scheduled(lab.world);
    expect(second?.at).toBe('2026-01-15T12:05:00.000Z');
  });

  it('waits for one attempt of each, also where retries fall due meanwhile', async () => {
    const schedule = Array.from({ length: 500 }, () => '1ms').join(',');
    const { receiver, register, dispatch } = open({ clock: 'real', retry_schedule: schedule });
    await register((await receiver(() => 500)).url);
    await dispatch();

    expect(await control('flushDeliveries', {}, 200)).toMatchObject({ paused: 0 });
  });

  it('ends when what it waits for is paused', async () => {
    const { receiver, register, dispatch } = open();
    let arrived: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await register((await receiver(() => () => arrived())).url);
    await dispatch();
    await dispatch();
    const flushed = control('flushDeliveries', {}, 200);
    await arrival;
    await control('pauseDeliveries', {}, 200);

    expect(await flushed).toMatchObject({ sent: 2, pending: 2 });
  });

  it('leaves what is paused, and has nothing to do twice', async () => {
    const { receiver, register, dispatch } = open();
    const { id } = await register((await receiver()).url);
    await control('pauseDeliveries', { body: { destination_id: id } }, 200);
    await dispatch();

    expect(await control('flushDeliveries', {}, 200)).toMatchObject({ sent: 0, paused: 1 });
    await control('resumeDeliveries', {}, 200);
    expect(await control('flushDeliveries', {}, 200)).toMatchObject({ paused: 0 });
    expect(await control('flushDeliveries', {}, 200)).toMatchObject({ sent: 0, succeeded: 0 });
  });
});

describe('rotateSecret', () => {
  it('signs by both for 24 hours, the new one first', async () => {
    const { client, receiver, register, dispatch, idle, advance } = open();
    const place = await receiver();
    const { id, secret: old } = await register(place.url);
    const rotated = await control('rotateSecret', { body: { destination_id: id } }, 200);
    await dispatch();
    await idle();
    await advance('PT23H59M59S');
    await dispatch();
    await idle();
    await advance('PT1S');
    await dispatch();
    await idle();

    expect(rotated).toEqual({
      destination_id: id,
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
      previous_secrets: [{ secret: old, valid_until: '2026-01-16T12:00:00.000Z' }],
    });
    expect(rotated.secret).not.toBe(old);
    const shown = await client.api('getWebhook', { path: { webhookId: id } }, 200);
    expect(shown.secret).toBe(rotated.secret);
    const fits = (secret: string) =>
      place.requests.map(
        ({ body, headers }, at) =>
          verifySignature(body, signatureOf(headers), secret, {
            now: NOW + ([0, 86_399, 86_400][at] ?? 0),
          }).valid,
      );
    expect(fits(rotated.secret)).toEqual([true, true, true]);
    expect(fits(old)).toEqual([true, true, false]);
    const counts = place.requests.map(
      ({ headers }) => signatureOf(headers)?.split('v0=')[1]?.split(',').length,
    );
    expect(counts).toEqual([2, 2, 1]);
  });

  it('keeps every secret of the last 24 hours', async () => {
    const { register } = open();
    const { id, secret: first } = await register('https://example.com/');
    const body = { destination_id: id };
    const { secret: second } = await control('rotateSecret', { body }, 200);
    const { previous_secrets } = await control('rotateSecret', { body }, 200);

    expect(previous_secrets.map(({ secret }: { secret: string }) => secret)).toEqual([
      second,
      first,
    ]);
  });
});

describe('waitForDelivery', () => {
  it('answers at once what is there already', async () => {
    const { receiver, register, dispatch, idle } = open();
    await register((await receiver()).url);
    const eventId = await dispatch({ user: { id: 7 }, more: 1 });
    await idle();
    const body = { data: { user: { id: 7 } }, status: 'succeeded', timeout_seconds: 0 };

    expect(await control('waitForDelivery', { body }, 200)).toMatchObject({
      items: [{ event_id: eventId }],
      total_count: 1,
    });
  });

  it('answers as soon as enough have come', async () => {
    const { receiver, register, dispatch } = open();
    await register((await receiver()).url);
    const body = { count: 2, status: 'succeeded' };
    const waiting = control('waitForDelivery', { body }, 200);
    const ids = [await dispatch(), await dispatch()];

    const { items } = await waiting;
    expect(items.map((item: { event_id: string }) => item.event_id)).toEqual(ids);
  });

  it('answers 408 with the nearest when the time is up', async () => {
    const { receiver, register, dispatch, idle } = open();
    await dispatch();
    await register((await receiver(() => 500)).url);
    await dispatch({ plan: 'basic' });
    const nearer = await dispatch({ plan: 'gold' });
    await idle();
    const body = { data: { plan: 'gold' }, status: 'succeeded', timeout_seconds: 0.05 };
    const answer = await control('waitForDelivery', { body }, 408);

    expect(answer.detail).toBe(
      '0 of 1 deliveries fitted within 0.05 s. 1 webhook events matched no destination. ' +
        '2 deliveries wait for a clock that stands still: advance it, or flush.',
    );
    expect(answer.type).toBe('/problems/wait-timeout');
    expect(answer.nearest).toMatchObject([
      { item: { event_id: nearer }, differs: ['status is "pending", not "succeeded"'] },
      { differs: [expect.any(String), 'data.plan is "basic", not "gold"'] },
    ]);
  });

  it('ends when the emulator closes', async () => {
    const { client } = open();
    const waiting = control('waitForDelivery', { body: { timeout_seconds: 60 } }, 408);
    const [answer] = await Promise.all([
      waiting,
      new Promise((resolve) => setImmediate(resolve)).then(() => client.emulator.close()),
    ]);

    expect(answer.nearest).toEqual([]);
  });
});

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
