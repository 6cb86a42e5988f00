import { describe, expect, it } from 'vitest';
import { anEvent, CREDIT_ASSET, freshKey, nextUuid } from '../testing/catalog.ts';
import { asNewAccount, createTestClient, TEST_NOW } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';

const client = createTestClient();
const { api } = client;

const byModel = {
  name: 'Tokens',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [{ dimensions: { model: 'large' }, volume_rate: 1 }],
};

async function aUserOfTokens() {
  const user = await aUser(client, { prices: [byModel] });
  const warnings = (query = {}) => api('listWarnings', { key: user.key, query });
  return { ...user, warnings };
}

describe('listWarnings', () => {
  it('names the event and field of a volume that is not a number', async () => {
    const user = await aUserOfTokens();
    const event = anEvent({ data: { model: 'large', tokens: '12' } });
    await user.submit(event);

    const { items, total_count } = await user.warnings();

    expect(total_count).toBe(1);
    expect(items[0]).toMatchObject({
      kind: 'unusable_volume',
      at: TEST_NOW,
      event_id: event.id,
      field: 'data.tokens',
      message:
        'Tokens counts tokens, which is "12" and must be a number of 0 or more: there is no fee.',
    });
  });

  it('warns once per set of dimensions about usage that no price value matches', async () => {
    const user = await aUserOfTokens();
    await user.submit(
      anEvent({ data: { model: 'small', tokens: 1 } }),
      anEvent({ data: { model: 'small', tokens: 2 } }),
      anEvent({ data: { tokens: 3 } }),
    );

    const { items } = await user.warnings({ kind: 'unmatched_usage' });

    expect(items.map(({ message }: { message: string }) => message)).toEqual([
      'Tokens has no value for no model: there is no fee.',
      'Tokens has no value for model "small": there is no fee.',
    ]);
  });

  it('warns once per event type that no price counts, and suggests the nearest', async () => {
    const user = await aUserOfTokens();
    await user.submit(anEvent({ event_type: 'cal' }), anEvent({ event_type: 'cal' }));
    await user.submit(anEvent({ event_type: 'storage.used' }));
    const { items } = await user.warnings({ kind: 'unknown_event_type' });

    expect(items.map(({ message }: { message: string }) => message)).toEqual([
      `No price of Acme (${user.customerId}) counts storage.used: there is no fee.`,
      `No price of Acme (${user.customerId}) counts cal: there is no fee. Did you mean call?`,
    ]);
  });

  it('warns about usage without a subscription, costs without a rate and fees rounded to 0', async () => {
    const credits = CREDIT_ASSET;
    const tiny = { asset: 'CREDIT', values: [{ unit_price: 0.4 }] };
    const user = await aUser(client, { assets: [credits], prices: [tiny] });
    const { key, customerId } = user;
    const vendor = await api('createVendor', { key, body: { name: 'Host' } }, 201);
    const cost = { id: nextUuid(), vendor_id: vendor.id, amount: 1, currency: 'JPY' };
    await user.submit(anEvent({ costs: [cost] }));
    const { id } = await api('createCustomer', { key, body: { name: 'Idle' } }, 201);
    const idle = { customer_id: id, events: [anEvent()] };
    await api('submitEvents', { key, body: idle }, 204);
    const { items } = await api('listWarnings', { key });

    expect(customerId).not.toBe(id);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'no_subscription',
      'unpriced_cost',
      'rounded_away',
    ]);
  });

  it('warns about a connect destination that does not receive events of the platform', async () => {
    const key = freshKey();
    const body = { url: 'https://hooks.example.com/a', connect: true };
    await api('createWebhook', { key, body }, 201);
    await api('testWebhooks', { key, path: { topic: 'subscription.activated' }, body: {} }, 202);
    const { items } = await api('listWarnings', { key });

    expect(items).toMatchObject([{ kind: 'no_account' }]);
  });

  it('returns no warning of a simulation', async () => {
    const user = await aUserOfTokens();
    const path = { productId: user.productId, version: 1 };
    const body = { events: [anEvent({ data: { model: 'small', tokens: 1 } })] };
    await api('simulateUsage', { key: user.key, path, body });

    expect((await user.warnings()).items).toEqual([]);
  });

  it('shows a connected account its own warnings, and the platform all', async () => {
    const key = freshKey();
    const webhook = { url: 'https://example.com/hook', topics: ['invoice.paid'], connect: false };
    const headers = await asNewAccount(api, key);
    await api('createWebhook', { key, body: webhook }, 201);
    await api('createWebhook', { key, headers, body: webhook }, 201);

    const all = await api('listWarnings', { key });
    const own = await api('listWarnings', { key, headers });

    expect([all.total_count, own.total_count]).toEqual([2, 1]);
    expect(own.items[0]).toMatchObject({
      kind: 'unknown_topic',
      owner: headers['X-Service-Account'],
    });
  });
});
