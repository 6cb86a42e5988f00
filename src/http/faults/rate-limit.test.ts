import { describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW } from '../../testing/client.ts';

const client = createTestClient();
let worlds = 0;

/** Calls of a world of its own, in which these rules are set. */
async function world(...rules: object[]) {
  worlds += 1;
  const key = `key_test_rules-${worlds}`;
  const { emulator } = client;
  await client.control('setFaults', { body: { rules }, key }, 200);
  const create = async (name = 'Ada') => {
    const response = await client.send('createCustomer', { key, body: { name } });
    return response.status;
  };
  return {
    key,
    create,
    list: () => client.send('listCustomers', { key }),
    async statuses(count: number) {
      const found: number[] = [];
      for (let index = 0; index < count; index += 1) found.push(await create(`Ada ${index}`));
      return found;
    },
    async counts() {
      const { rules: states } = await client.control('listFaults', { key }, 200);
      return states.map(({ seen, applied }: Record<string, number>) => [seen, applied]);
    },
    customers: () => emulator.worlds.find(key)?.tables.customers.size,
    log: () => client.control('listRequests', { key }, 200),
  };
}

describe('a rate limit', () => {
  it('lets so many requests pass in a period of world time, and says when the next may come', async () => {
    const { key, create, statuses } = await world({
      match: { operation: 'createCustomer' },
      rate_limit: { limit: 2, period: '10s', clock: 'world' },
    });
    expect(await statuses(4)).toEqual([201, 201, 429, 429]);

    await client.control('advanceClock', { key, body: { by: '8500ms' } }, 200);
    const refused = await client.send('createCustomer', { key, body: { name: 'Ada' } });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body).toEqual({
      type: '/problems/fault',
      title: 'Too Many Requests.',
      status: 429,
      detail: 'Too many requests. One passes in 2 s.',
    });

    await client.control('advanceClock', { key, body: { by: '2s' } }, 200);
    expect(await create()).toBe(201);
    const body = { mode: 'frozen', now: TEST_NOW };
    await client.control('setClock', { key, body }, 200);
    expect(await statuses(3)).toEqual([201, 201, 429]);
  });
});
