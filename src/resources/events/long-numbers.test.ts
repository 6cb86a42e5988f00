import { describe, expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const PRICE = { usage_type: 'volume', volume_field: 'v', values: [{ volume_rate: 1 }] };

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
  it.each([
    ['99999999999999.99999', '99999999999999.99999'],
    ['0.12345678901234567890', '0.1234567890123456789'],
    ['1.10', '1.1'],
    ['100000000000000', '100000000000000'],
  ])('are shown as sent: %s', async (v, shown) => {
    const { key, customerId } = await aUser(client, { prices: [PRICE] });
    const id = nextUuid();
    await sendText('/events', key, bodyOf(customerId, id, v), 204);

    const event = await getText(`/events/${id}`, key);
    expect(event).toContain(`"data":{"v":${shown},"plan":"1.10"}`);
    expect(event).toContain(`"input_volume":${shown}`);
  });

  it('are billed digit by digit', async () => {
    const { key, customerId, productId } = await aUser(client, { prices: [PRICE] });
    const id = nextUuid();
    const body = bodyOf(customerId, id, '99999999999999.99999');
    const simulated = await sendText(`/products/${productId}/1/simulate-usage`, key, body, 200);
    await sendText('/events', key, body, 204);

    for (const text of [simulated, await getText(`/events/${id}`, key)])
      expect(text).toContain('"amount":99999999999999.99999');
    expect(await getText(`/customers/${customerId}/wallet`, key)).toContain(
      '"available":-99999999999999.99999',
    );
    expect(await getText(`/_emulator/explain/${id}`, key)).toContain('"v":99999999999999.99999');
    const { findings } = await client.control('verifyLedger', { key }, 200);
    expect(findings).toEqual([]);
  });

  it('survive an export and an import', async () => {
    const { key, customerId } = await aUser(client, { prices: [PRICE] });
    const id = nextUuid();
    await sendText('/events', key, bodyOf(customerId, id, '99999999999999.99999'), 204);
    const world = await getText('/_emulator/export', key);
    await client.control('resetWorld', { key, body: { to: 'empty' } }, 200);
    await sendText('/_emulator/import', key, world, 200);

    expect(await getText(`/events/${id}`, key)).toContain('"v":99999999999999.99999');
  });
});
