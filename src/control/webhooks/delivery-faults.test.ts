import { describe, expect, it } from 'vitest';
import { openWebhookWorld, sentSignature } from '../../testing/webhook-world.ts';

/** A world with one receiver, whose deliveries have a fault. */
async function openFaultyWorld(rule: object) {
  const opened = openWebhookWorld();
  const place = await opened.receiver();
  await opened.register(place.url);
  await opened.addFault(rule);
  return { ...opened, place };
}

describe('delivery faults', () => {
  it('are counted exactly, and the first matching rule applies', async () => {
    const { receiver, register, dispatch, idle, api, addFault } = openWebhookWorld();
    const place = await receiver();
    const { id } = await register(place.url);
    const other = await register((await receiver()).url);
    const destination = id.replace('dst_', 'whd_');
    await addFault({ delivery: 'duplicate', times: 2, match: { destination } });
    const connected = await api('createWebhook', { body: { url: place.url, connect: true } }, 201);
    await addFault({ delivery: 'duplicate', match: { destination: connected.id } });
    const ids = [await dispatch(), await dispatch(), await dispatch()];
    await idle();

    const [first, second, third] = ids;
    expect(place.ids()).toEqual([first, first, second, second, third]);
    expect((await api('listFaults')).rules).toEqual([
      { position: 1, seen: 3, applied: 2, delivery: 'duplicate', times: 2, match: { destination } },
      {
        position: 2,
        seen: 0,
        applied: 0,
        delivery: 'duplicate',
        times: 1,
        match: { destination: connected.id },
      },
    ]);
    const query = { destination_id: other.id };
    expect((await api('listDeliveries', { query })).items).toMatchObject([
      { attempt_count: 1 },
      { attempt_count: 1 },
      { attempt_count: 1 },
    ]);
  });

  it.each(['flushDeliveries', 'waitForDelivery'] as const)(
    'duplicate: %s responds once the receiver has both',
    async (operation) => {
      const { receiver, register, dispatch, api, addFault } = openWebhookWorld();
      const place = await receiver();
      await register(place.url);
      await api('pauseDeliveries', { body: {} });
      await addFault({ delivery: 'duplicate' });
      const id = await dispatch();
      await api('pauseDeliveries', { body: { paused: false } });
      await api(operation);

      expect(place.ids()).toEqual([id, id]);
    },
  );

  it('duplicate: sends the same body and signature twice', async () => {
    const { place, dispatch, idle, deliveries } = await openFaultyWorld({ delivery: 'duplicate' });
    await dispatch();
    await idle();

    const [first, second] = place.requests;
    expect(second?.body).toBe(first?.body);
    expect(sentSignature(second?.headers ?? {})).toBe(sentSignature(first?.headers ?? {}));
    expect((await deliveries())[0].exchanges).toMatchObject([
      { cause: 'first', faults: ['duplicate'] },
      { cause: 'duplicate' },
    ]);
  });

  it('swap: sends an event after the next one, twice', async () => {
    const { place, dispatch, idle } = await openFaultyWorld({ delivery: 'swap', times: 2 });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await dispatch());
    await idle();

    const [a, b, c, d, e] = ids;
    expect(place.ids()).toEqual([b, a, d, c, e]);
  });

  it('swap: holds the last event until a flush or until the rules are cleared', async () => {
    const { place, dispatch, idle, advance, api } = await openFaultyWorld({
      delivery: 'swap',
      times: 2,
    });
    await dispatch();
    await advance('P1D');
    const held = place.requests.length;
    await api('flushDeliveries');
    const flushed = place.requests.length;
    await dispatch();
    await api('setFaults', { body: { rules: [] } });
    await idle();

    expect([held, flushed, place.requests.length]).toEqual([0, 1, 2]);
  });

  it('delay: postpones the first attempt on the clock while later events overtake it', async () => {
    const { place, dispatch, idle, advance, deliveries } = await openFaultyWorld({
      delivery: 'delay',
      seconds: 30,
    });
    const [late, next] = [await dispatch(), await dispatch()];
    await idle();
    const before = place.ids();
    await advance('PT29S');
    const still = place.ids();
    await advance('PT1S');

    expect([before, still, place.ids()]).toEqual([[next], [next], [next, late]]);
    expect((await deliveries())[0].exchanges).toMatchObject([
      { cause: 'first', at: '2026-01-15T12:00:30.000Z' },
    ]);
  });

  it('drop: sends nothing, and retries follow on schedule', async () => {
    const { place, dispatch, idle, advance, deliveries } = await openFaultyWorld({
      delivery: 'drop',
      times: 2,
    });
    await dispatch();
    await idle();
    await advance('PT5S');
    const before = place.requests.length;
    await advance('PT5M');

    expect([before, place.requests.length]).toEqual([0, 1]);
    expect((await deliveries())[0].exchanges).toMatchObject([
      { status_code: null, error: 'Dropped by a fault.', request: null },
      { error: 'Dropped by a fault.' },
      { status_code: 204, faults: [] },
    ]);
  });

  it('status: sends nothing, and the attempt has the status of the rule', async () => {
    const { place, dispatch, idle, advance, deliveries } = await openFaultyWorld({
      delivery: 'status',
      status: 500,
    });
    await dispatch();
    await idle();
    const before = place.requests.length;
    await advance('PT5S');

    expect([before, place.requests.length]).toEqual([0, 1]);
    expect((await deliveries())[0].exchanges).toMatchObject([
      { status_code: 500, error: 'Responded with 500.', faults: ['status'], request: null },
      { status_code: 204, faults: [] },
    ]);
  });

  it.each([
    [{ delivery: 'drop', seconds: 5 }, 'seconds'],
    [{ delivery: 'drop', match: { destination: 'dst_none' } }, 'match.destination'],
    [{ delivery: 'drop', match: { operation: 'testWebhooks' } }, 'match.operation'],
    [{ delivery: 'drop', latency: '1s' }, 'latency'],
    [{ delivery: 'drop', status: 503 }, 'delivery'],
    [{ delivery: 'status', status: 503, headers: { A: 'b' } }, 'headers'],
    [{ delivery: 'odd' }, 'delivery'],
  ])('are rejected with 422 if fields do not fit together: %j', async (rule, field) => {
    const { addFault } = openWebhookWorld();

    expect(Object.keys((await addFault(rule, 422)).errors)).toEqual([field]);
  });
});
