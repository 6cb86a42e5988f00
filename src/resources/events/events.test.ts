import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('submitEvents', () => {
  it('stores the quantities of a cost as given, and counts only its amount', async () => {
    const user = await aUser(client);
    const vendor_id = await user.vendor();
    const quantities = { units: -3, unit_price: -0.5, input_volume: -1, volume_rate: 0 };
    const cost = { id: nextUuid(), amount: 0.25, vendor_id, ...quantities, package_size: 0 };
    const sent = anEvent({ costs: [cost] });
    await user.submit(sent);
    const { costs, stats } = await user.event(sent.id);

    expect(costs).toMatchObject([{ amount: 0.25, ...quantities, package_size: 0 }]);
    expect(stats.total_costs).toBe(0.25);
  });

  it('posts one ledger transaction for each fee, and none for a fee of 0', async () => {
    const prices = [{ values: [{ unit_price: 2 }] }, { values: [{ unit_price: 0 }] }];
    const user = await aUser(client, { prices });
    const sent = anEvent({ subject: 'chat', description: 'A call' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(fees.map(({ amount }: AnyBody) => amount)).toEqual([2, 0]);
    const transactions = [...user.world().tables.transactions.values()];
    expect(transactions).toMatchObject([
      {
        source: 'usage',
        postings: [{ from: 'wallet', to: 'revenue', amount: '2' }],
        balance_after: '-2',
        event_id: sent.id,
        fee_id: fees[0].id,
        subject: 'chat',
        description: 'A call',
      },
    ]);
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).toMatchObject({ has_fees: true, total_fees: 2, fee_currency: 'USD' });
  });

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
  it('are billed digit by digit', async () => {
    const { key, customerId, productId } = await aUser(client, { prices: [BY_VOLUME] });
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
    const { key, customerId } = await aUser(client, { prices: [BY_VOLUME] });
    const id = nextUuid();
    await sendText('/events', key, bodyOf(customerId, id, '99999999999999.99999'), 204);
    const world = await getText('/_emulator/export', key);
    await client.control('resetWorld', { key, body: { to: 'empty' } }, 200);
    await sendText('/_emulator/import', key, world, 200);

    expect(await getText(`/events/${id}`, key)).toContain('"v":99999999999999.99999');
  });
});
