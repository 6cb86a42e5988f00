import { describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW } from '../testing/client.ts';
import { aFaultyWorld } from '../testing/worlds.ts';

const client = createTestClient();
const world = (...rules: object[]) => aFaultyWorld(client, ...rules);

describe('a rate limit fault', () => {
  it('allows `limit` requests per period of world time, then returns 429 with Retry-After', async () => {
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
      detail: 'Too many requests. Try again in 2 s.',
    });

    await client.control('advanceClock', { key, body: { by: '2s' } }, 200);
    expect(await create()).toBe(201);
    const body = { mode: 'frozen', now: TEST_NOW };
    await client.control('setClock', { key, body }, 200);
    expect(await statuses(3)).toEqual([201, 201, 429]);
  });
});
