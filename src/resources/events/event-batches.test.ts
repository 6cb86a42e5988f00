import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent } from '../../testing/usage.ts';

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
