import { describe, expect, it } from 'vitest';
import { DATA, type Names, openTestDispatches } from '../../testing/before-each.ts';

const TOPIC = 'subscription.activated';

const place = openTestDispatches();
const { register, connect, dispatch, matched } = place;

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
    const { account_id } = await place.client.api('getAccountContext', {}, 200);
    const expect404 = (path: Names, as: Names = {}) =>
      place.client.api('testConnectedWebhooks', { path, body: DATA, headers: as }, 404);

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

  it('returns 404 for an unknown topic, destination or account', async () => {
    const { 'X-Service-Account': connectedAccountId } = await connect();
    const webhookId = await register({ connect: true });
    const known = { webhookId, topic: TOPIC, connectedAccountId };
    const expect404 = (path: Names) =>
      place.client.api('testConnectedWebhook', { path, body: DATA }, 404);

    await expect404({ ...known, topic: 'invoice.paid' });
    await expect404({ ...known, webhookId: 'whd_unknown' });
    await expect404({ ...known, connectedAccountId: 'acc_unknown' });
  });
});
