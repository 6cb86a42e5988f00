import { describe, expect, it } from 'vitest';
import { anEvent, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';

const client = createTestClient();
const { api } = client;

describe('submitEvents', () => {
  it('bills usage in full even if the setting overdraft is deny', async () => {
    const strict = createTestClient({ overdraft: 'deny' });
    const user = await aUser(strict);
    await user.submit(anEvent(), anEvent());
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });
});

const BY_VOLUME = { usage_type: 'volume', volume_field: 'v', values: [{ volume_rate: 1 }] };

/** Sends the text of a body as it is, since JSON.stringify would round its numbers. */
async function sendText(path: string, key: string, text: string, status: number): Promise<string> {
  const response = await client.http
    .post(path)
    .set({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })
    .send(text);
  expect(response.status).toBe(status);
  return response.text;
}

const getText = async (path: string, key: string): Promise<string> =>
  (await client.http.get(path).set({ Authorization: `Bearer ${key}` })).text;

const bodyOf = (customerId: string, id: string, v: string): string =>
  `{"customer_id":"${customerId}","events":[{"id":"${id}","event_type":"call",` +
  `"occurred_at":"2026-01-15T12:00:00Z","data":{"v":${v},"plan":"1.10"}}]}`;

describe('numbers in the data of usage', () => {
  it('survive an export and an import', async () => {
    const { key, customerId } = await aUser(client, { prices: [BY_VOLUME] });
    const id = nextUuid();
    await sendText('/events', key, bodyOf(customerId, id, '99999999999999.99999'), 204);
    const world = await getText('/_emulator/export', key);
    await client.control('resetWorld', { key, body: { to: 'empty' } }, 200);
    await sendText('/_emulator/import', key, world, 200);

    expect(await getText(`/events/${id}`, key)).toContain('"v":99999999999999.99999');
  });
});

const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };
const pricing = [
  { asset: 'CREDIT', values: [{ unit_price: 3 }] },
  { asset: 'USD', values: [{ unit_price: 1 }] },
];

/** A customer with 4 CREDIT and 1 USD. Each call has two fees of 3 CREDIT or 1 USD. */
async function aFundedUser(): Promise<User> {
  const user = await aUser(client, { assets: [credits], prices: [{ pricing }, { pricing }] });
  await user.credit('CREDIT', 4);
  await user.credit('USD', 1);
  return user;
}

const simulate = ({ key, productId }: User, body: object) =>
  client.send('simulateUsage', { key, path: { productId, version: 1 }, body });

describe('simulateUsage', () => {
  it('prices in the first asset without a customer', async () => {
    const user = await aFundedUser();
    const { body } = await simulate(user, { events: [anEvent()] });
    expect(body.fees).toMatchObject([
      { currency: 'CREDIT', amount: 3 },
      { currency: 'CREDIT', amount: 3 },
    ]);
    expect(body).not.toHaveProperty('warnings');
  });

  it('stores nothing, and returns the same response to the same request', async () => {
    const user = await aFundedUser();
    const world = user.world();
    const request = {
      customer_id: user.customerId,
      events: [anEvent(), anEvent({ occurred_at: '2001-01-01T00:00:00Z' })],
    };
    const { requests: _, ...before } = world?.image() ?? {};
    const first = await simulate(user, request);
    const second = await simulate(user, request);
    const { requests: __, ...after } = world?.image() ?? {};

    expect(after).toEqual(before);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    { productId: 'prp_none', field: 'productId' },
    { version: 9, field: 'version' },
    { customer_id: 'cust_none', field: 'customer_id' },
  ])('rejects an unknown $field', async ({ productId, version, customer_id, field }) => {
    const user = await aFundedUser();
    const path = { productId: productId ?? user.productId, version: version ?? 1 };
    const body = { events: [anEvent()], customer_id: customer_id ?? null };
    const { errors } = await api('simulateUsage', { key: user.key, path, body }, 422);
    expect(Object.keys(errors)).toEqual([field]);
  });

  it('rejects more events than the limit', async () => {
    const small = createTestClient({ limits: { MAX_BATCH: 1 } });
    const { key, productId } = await aUser(small);
    const path = { productId, version: 1 };
    const body = { events: [anEvent(), anEvent()] };
    const { errors } = await small.api('simulateUsage', { key, path, body }, 422);
    expect(Object.keys(errors)).toEqual(['events']);
  });
});
