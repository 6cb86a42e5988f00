import { beforeEach, describe, expect, it } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

const TOPIC = 'subscription.activated';
const DATA = { user_id: 'user_7', nested: { status: ['active', 1, null] } };

type Headers = Readonly<Record<string, string>>;

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

async function register(body: object = {}, headers: Headers = {}): Promise<string> {
  const given = { url: 'http://127.0.0.1:9/hook', ...body };
  return (await client.api('createWebhook', { body: given, headers }, 201)).id;
}

async function connect(): Promise<Headers & { 'X-Service-Account': string }> {
  const { id } = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
  return { 'X-Service-Account': id };
}

/** Dispatches a test event and answers its id. */
async function dispatch(operation: OperationId, path: Headers, headers: Headers = {}) {
  const sent = await client.api(operation, { path, body: DATA, headers }, 202);
  expect(sent).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
  return sent.id as string;
}

/** The destinations that an event matched, by an account's log; undefined where it is not there. */
async function matched(id: string, headers: Headers = {}): Promise<string[] | undefined> {
  const { items } = await client.api('listWebhookEvents', { headers }, 200);
  const found = items.filter((item: { id: string }) => item.id === id);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.matched_destination_ids;
}

describe('testConnectedWebhooks', () => {
  it('stands in both logs, each with its own destinations', async () => {
    const headers = await connect();
    const own = await register({}, headers);
    const connecting = await register({ connect: true });
    await register();
    const connectedAccountId = headers['X-Service-Account'];
    const id = await dispatch('testConnectedWebhooks', { topic: TOPIC, connectedAccountId });

    expect(await matched(id)).toEqual([connecting]);
    expect(await matched(id, headers)).toEqual([own]);
  });

  it('stands in the log of the platform also when nothing matched', async () => {
    const { 'X-Service-Account': connectedAccountId } = await connect();
    const id = await dispatch('testConnectedWebhooks', { topic: TOPIC, connectedAccountId });

    expect(await matched(id)).toEqual([]);
  });

  it('answers 404 for an unknown topic or account, and for the platform itself', async () => {
    const headers = await connect();
    const connectedAccountId = headers['X-Service-Account'];
    const { account_id } = await client.api('getAccountContext', {}, 200);
    const expect404 = (path: Headers, as: Headers = {}) =>
      client.api('testConnectedWebhooks', { path, body: DATA, headers: as }, 404);

    await expect404({ topic: 'invoice.paid', connectedAccountId });
    await expect404({ topic: TOPIC, connectedAccountId: 'acc_unknown' });
    await expect404({ topic: TOPIC, connectedAccountId: account_id });
    await expect404({ topic: TOPIC, connectedAccountId }, headers);
  });
});

describe('testConnectedWebhook', () => {
  it('matches the one named alone, when it hears of connected accounts', async () => {
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

  it('answers 404 for an unknown topic, destination or account', async () => {
    const { 'X-Service-Account': connectedAccountId } = await connect();
    const webhookId = await register({ connect: true });
    const known = { webhookId, topic: TOPIC, connectedAccountId };
    const expect404 = (path: Headers) =>
      client.api('testConnectedWebhook', { path, body: DATA }, 404);

    await expect404({ ...known, topic: 'invoice.paid' });
    await expect404({ ...known, webhookId: 'whd_unknown' });
    await expect404({ ...known, connectedAccountId: 'acc_unknown' });
  });
});
