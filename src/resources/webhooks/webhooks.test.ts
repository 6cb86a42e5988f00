import { beforeEach, describe, expect, it } from 'vitest';
import { asNewAccount, createTestClient, type TestClient, worldOf } from '../../testing/client.ts';

const ADDRESS = 'http://127.0.0.1:9/hook';
const TOPIC = 'subscription.activated';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (body: object = {}) =>
  client.api('createWebhook', { body: { url: ADDRESS, ...body } }, 201);
const get = (webhookId: string) => client.api('getWebhook', { path: { webhookId } });

describe('createWebhook', () => {
  it('returns another secret for each destination, and the same secrets in an equal world', async () => {
    const secrets = [await create(), await create()].map(({ secret }) => secret);
    const again = createTestClient();
    const same = await again.api('createWebhook', { body: { url: ADDRESS } }, 201);
    const live = await client.api(
      'createWebhook',
      { body: { url: ADDRESS }, key: 'key_live_emulator' },
      201,
    );

    expect(secrets[1]).not.toBe(secrets[0]);
    expect(same.secret).toBe(secrets[0]);
    expect(live.secret).not.toBe(secrets[0]);
  });

  it('accepts an unknown topic and adds one warning per destination', async () => {
    const { id } = await create({ topics: ['invoice.paid', 'subscription.activated', '*'] });
    await client.api('updateWebhook', { path: { webhookId: id }, body: { enabled: false } });
    const world = worldOf(client.emulator);

    expect((await get(id)).topics).toEqual(['invoice.paid', 'subscription.activated', '*']);
    expect([...(world.tables.warnings.values() ?? [])]).toEqual([
      expect.objectContaining({
        kind: 'unknown_topic',
        field: 'topics',
        message: expect.stringContaining(`${id} subscribes to invoice.paid`),
      }),
    ]);
  });
});

describe('testWebhooks', () => {
  const sendText = (text: string) =>
    client.http
      .post(`/webhooks/test/${TOPIC}`)
      .set('Authorization', 'Bearer key_test_emulator')
      .set('Content-Type', 'application/json')
      .send(text);

  it.each(['{"__proto__":1}', '1.0', '1e400', '{"amount":12345678901234567890.10,"rate":1e-7}'])(
    'stores and lists any JSON value unchanged: %s',
    async (text) => {
      const { body } = await sendText(text);
      const listed = await client.send('listWebhookEvents');
      const { tables } = worldOf(client.emulator);
      const [event] = [...tables.webhook_events.values()];

      expect(event?.body).toContain(`,"data":${text}}`);
      expect(event?.event_id).toBe(body.id);
      expect(listed.text).toContain(`"data":${text},`);
    },
  );
});

/** Stores events that match no destination, so nothing is sent; returns their ids, oldest first. */
async function file(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 1)
    ids.push((await client.api('testWebhooks', { path: { topic: TOPIC }, body: {} }, 202)).id);
  return ids;
}

const list = (query: Readonly<Record<string, string | number>> = {}, status = 200) =>
  client.api('listWebhookEvents', { query }, status);

describe('listWebhookEvents pages', () => {
  it('return 400 for a changed cursor, and for both next and prev', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;

    await list({ next: `${next}=` }, 400);
    await list({ next, prev: next }, 400);
  });

  it('return 400 for a cursor of another world or another owner', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;
    const headers = await asNewAccount(client.api);

    await client.api('listWebhookEvents', { query: { next }, headers }, 400);
    await client.api('listWebhookEvents', { query: { next }, key: 'key_live_emulator' }, 400);
  });

  it('have the same cursors in an equal world', async () => {
    await file(2);
    const { next } = (await list({ limit: 1 })).pagination;
    client = createTestClient();
    await file(2);

    expect((await list({ limit: 1 })).pagination.next).toBe(next);
  });
});
