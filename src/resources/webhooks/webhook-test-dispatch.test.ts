import { beforeEach, describe, expect, it } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import {
  type AnyBody,
  asNewAccount,
  createTestClient,
  TEST_NOW,
  type TestClient,
  worldOf,
} from '../../testing/client.ts';

const TOPIC = 'subscription.activated';

const DATA = { user_id: 'user_7', nested: { status: ['active', 1, null] } };

/** Headers or path parameters, by name. */
type Names = Readonly<Record<string, string>>;

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

async function register(body: object = {}, headers: Names = {}): Promise<string> {
  const given = { url: 'http://127.0.0.1:9/hook', ...body };
  return (await client.api('createWebhook', { body: given, headers }, 201)).id;
}

const connect = () => asNewAccount(client.api);

/** Dispatches a test event and returns its id. */
async function dispatch(operation: OperationId, path: Names, headers: Names = {}): Promise<string> {
  const sent = await client.api(operation, { path, body: DATA, headers }, 202);
  expect(sent).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
  return sent.id;
}

/** The destinations that an event matched, from an account's log. Undefined if it is not there. */
async function matched(id: string, headers: Names = {}): Promise<string[] | undefined> {
  const { items } = await client.api('listWebhookEvents', { headers }, 200);
  const found = items.filter((item: AnyBody) => item.id === id);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.matched_destination_ids;
}

describe('testWebhooks', () => {
  it('logs an event with the body as its data', async () => {
    const id = await dispatch('testWebhooks', { topic: TOPIC });
    const { items } = await client.api('listWebhookEvents', {}, 200);

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

  const sendText = (text: string) =>
    client.http
      .post(`/webhooks/test/${TOPIC}`)
      .set('Authorization', 'Bearer key_test_emulator')
      .set('Content-Type', 'application/json')
      .send(text);

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
    const listed = await client.send('listWebhookEvents');
    const { tables } = worldOf(client.emulator);
    const [event] = [...tables.webhook_events.values()];

    expect(event?.body).toContain(`,"data":${text}}`);
    expect(event?.event_id).toBe(body.id);
    expect(listed.text).toContain(`"data":${text},`);
  });
});

describe('testConnectedWebhooks', () => {
  it('logs the event for both accounts, with the destinations of each', async () => {
    const headers = await connect();
    const own = await register({}, headers);
    const connecting = await register({ connect: true });
    await register();
    const connectedAccountId = headers['X-Service-Account'];
    const id = await dispatch('testConnectedWebhooks', { topic: TOPIC, connectedAccountId });

    expect(await matched(id)).toEqual([connecting]);
    expect(await matched(id, headers)).toEqual([own]);
  });

  it('logs the event for the platform even if no destination matched', async () => {
    const { 'X-Service-Account': connectedAccountId } = await connect();
    const id = await dispatch('testConnectedWebhooks', { topic: TOPIC, connectedAccountId });

    expect(await matched(id)).toEqual([]);
  });

  it('returns 404 for an unknown topic or account, and for the platform itself', async () => {
    const headers = await connect();
    const connectedAccountId = headers['X-Service-Account'];
    const { account_id } = await client.api('getAccountContext', {}, 200);
    const expect404 = (path: Names, as: Names = {}) =>
      client.api('testConnectedWebhooks', { path, body: DATA, headers: as }, 404);

    await expect404({ topic: 'invoice.paid', connectedAccountId });
    await expect404({ topic: TOPIC, connectedAccountId: 'acc_unknown' });
    await expect404({ topic: TOPIC, connectedAccountId: account_id });
    await expect404({ topic: TOPIC, connectedAccountId }, headers);
  });
});

describe('testConnectedWebhook', () => {
  it('matches only the named destination, and only if its field connect is true', async () => {
    const headers = await connect();
    await register({}, headers);
    await register({ connect: true });
    const connecting = await register({ connect: true, topics: ['invoice.paid'] });
    const plain = await register();
    const connectedAccountId = headers['X-Service-Account'];
    const send = (webhookId: string) =>
      dispatch('testConnectedWebhook', { webhookId, topic: TOPIC, connectedAccountId });

    const heard = await send(connecting);
    expect(await matched(heard)).toEqual([connecting]);
    expect(await matched(heard, headers)).toEqual([]);
    expect(await matched(await send(plain))).toEqual([]);
  });
});
