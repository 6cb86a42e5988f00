import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };

describe('submitEvents in batches', () => {
  it('has the same result however events are split and repeated', { timeout: 60_000 }, async () => {
    const model = fc.constantFrom('a', 'b', 'c');
    const usage = fc.record({ model, tokens: fc.integer({ min: -1, max: 5000 }) });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 });
    const lists = fc.array(usage, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lists, sizes, async (list, pieces) => {
        const events = list.map((data) => anEvent({ data, subject: data.model }));
        const whole = await meteredUser();
        await whole.submit(...events);
        const split = await meteredUser();
        let from = 0;
        for (const size of pieces) {
          const piece = events.slice(from, from + size);
          if (piece.length > 0) await split.submit(...piece, ...events.slice(0, from));
          from += size;
        }
        expect(await outcome(split, events)).toEqual(await outcome(whole, events));
      }),
      { numRuns: 15, seed: 7 },
    );
  });

  async function meteredUser(): Promise<User> {
    const pricing = [
      {
        asset: 'CREDIT',
        values: [
          { dimensions: { model: 'a' }, volume_rate: 0.5, package_size: 7 },
          { dimensions: { model: 'b' }, volume_rate: 1, package_size: 3 },
        ],
      },
      { asset: 'USD', values: [{ volume_rate: 0.001, package_size: 3 }] },
    ];
    const price = { usage_type: 'volume', volume_field: 'tokens', billable_dimensions: ['model'] };
    const user = await aUser(client, { assets: [credits], prices: [{ ...price, pricing }] });
    await user.credit('CREDIT', 100, { reason: 'gift' });
    await user.credit('CREDIT', 300);
    await user.credit('USD', 1);
    return user;
  }

  /** The balances, statistics, fees and tasks of a customer, without the ids that differ between worlds. */
  async function outcome(user: User, events: readonly AnyBody[]) {
    const { key, customerId } = user;
    const stored = await Promise.all(events.map(({ id }) => user.event(id)));
    const tasks = await api('listTasks', { key, query: { sort: 'created_at' } }, 200);
    return {
      balances: await user.balances(),
      stats: await api('getCustomerStats', { key, path: { customerId } }, 200),
      fees: stored.map(({ fees }) =>
        fees.map(({ currency, amount }: AnyBody) => [currency, amount]),
      ),
      tasks: tasks.items.map(({ subject, event_count, stats }: AnyBody) => ({
        subject,
        event_count,
        stats,
      })),
    };
  }
});

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
