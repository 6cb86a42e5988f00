import { describe, expect, it } from 'vitest';
import type { World } from '../../store/world.ts';
import { DATA, type Names, openTestDispatches } from '../../testing/before-each.ts';
import { TEST_NOW } from '../../testing/client.ts';

const TOPIC = 'subscription.activated';

const place = openTestDispatches();
const { register, connect, disable, dispatch, matched } = place;

describe('testWebhooks', () => {
  it('logs an event with the body as its data', async () => {
    const id = await dispatch('testWebhooks', { topic: TOPIC });
    const { items } = await place.client.api('listWebhookEvents', {}, 200);

    expect(items).toEqual([
      {
        id,
        matched_destination_ids: [],
        topic: TOPIC,
        time: TEST_NOW,
        data: DATA,
        successful_at: null,
        failed_at: null,
        metadata: null,
      },
    ]);
  });

  it('matches enabled platform destinations of the topic or of all topics', async () => {
    const all = await register();
    const topical = await register({ topics: ['invoice.paid', TOPIC] });
    await register({ topics: ['invoice.paid'] });
    await register({ connect: true });
    await disable(await register());

    expect(await matched(await dispatch('testWebhooks', { topic: TOPIC }))).toEqual([all, topical]);
  });

  it('keeps the matched destinations after one is deleted', async () => {
    const webhookId = await register();
    const id = await dispatch('testWebhooks', { topic: TOPIC });
    await place.client.api('deleteWebhook', { path: { webhookId } }, 204);
    await register();

    expect(await matched(id)).toEqual([webhookId]);
  });

  it('for a connected account matches its own destinations and those with connect', async () => {
    const headers = await connect();
    const own = await register({}, headers);
    await register({ connect: true }, headers);
    await register();
    const connecting = await register({ connect: true });
    await register({ connect: true, topics: ['invoice.paid'] });
    const id = await dispatch('testWebhooks', { topic: TOPIC }, headers);

    expect(await matched(id, headers)).toEqual([own]);
    expect(await matched(id)).toEqual([connecting]);
  });

  it('for a connected account logs nothing for the platform if nothing matched there', async () => {
    const headers = await connect();
    await register();
    const id = await dispatch('testWebhooks', { topic: TOPIC }, headers);

    expect(await matched(id, headers)).toEqual([]);
    expect(await matched(id)).toBeUndefined();
  });

  it('for the platform logs nothing for connected accounts', async () => {
    const headers = await connect();
    await register({}, headers);
    const id = await dispatch('testWebhooks', { topic: TOPIC });

    expect(await matched(id)).toEqual([]);
    expect(await matched(id, headers)).toBeUndefined();
  });

  it.each(['invoice.paid', '*', 'Subscription.Activated'])(
    'returns 404 for the topic %s',
    async (topic) => {
      await register({ topics: ['*'] });
      await place.client.api('testWebhooks', { path: { topic }, body: DATA }, 404);

      expect((await place.client.api('listWebhookEvents', {}, 200)).items).toEqual([]);
    },
  );

  const sendText = (text: string) =>
    place.client.http
      .post(`/webhooks/test/${TOPIC}`)
      .set('Authorization', 'Bearer key_test_emulator')
      .set('Content-Type', 'application/json')
      .send(text);

  it.each(['', '{', 'undefined'])('returns 400 for the body %o', async (text) => {
    expect((await sendText(text)).status).toBe(400);
  });

  it.each([
    'null',
    'true',
    '"text"',
    '[1,[2]]',
    '{"__proto__":1}',
    '1.0',
    '1e400',
    '{"amount":12345678901234567890.10,"rate":1e-7}',
  ])('stores and lists any JSON value unchanged: %s', async (text) => {
    const { body } = await sendText(text);
    const listed = await place.client.send('listWebhookEvents');
    const { tables } = place.client.emulator.worlds.find('key_test_emulator') as World;
    const [event] = [...tables.webhook_events.values()];

    expect(event?.body).toContain(`,"data":${text}}`);
    expect(event?.event_id).toBe(body.id);
    expect(listed.text).toContain(`"data":${text},`);
  });
});

describe('testWebhook', () => {
  it('matches the named destination regardless of its topics, with either id prefix', async () => {
    await register();
    const webhookId = await register({ topics: ['invoice.paid'] });
    const alias = webhookId.replace('dst_', 'whd_');

    for (const name of [webhookId, alias]) {
      const id = await dispatch('testWebhook', { webhookId: name, topic: TOPIC });
      expect(await matched(id)).toEqual([webhookId]);
    }
  });

  it('matches nothing if the named destination is disabled', async () => {
    const webhookId = await register();
    await disable(webhookId);

    expect(await matched(await dispatch('testWebhook', { webhookId, topic: TOPIC }))).toEqual([]);
  });

  it('matches nothing if the field connect of the named destination is true', async () => {
    const webhookId = await register({ connect: true });

    expect(await matched(await dispatch('testWebhook', { webhookId, topic: TOPIC }))).toEqual([]);
  });

  it('returns 404 for an unknown topic or destination, or that of another account', async () => {
    const headers = await connect();
    const webhookId = await register();
    const foreign = await register({}, headers);
    const expect404 = (path: Names) => place.client.api('testWebhook', { path, body: DATA }, 404);

    await expect404({ webhookId, topic: 'invoice.paid' });
    await expect404({ webhookId: 'dst_unknown', topic: TOPIC });
    await expect404({ webhookId: foreign, topic: TOPIC });
  });
});
