import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AnyBody,
  asNewAccount,
  createTestClient,
  type TestClient,
} from '../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (body: object) => client.api('createCustomer', { body }, 201);
const wait = (body: object, status = 200) => client.api('waitForRequests', { body }, status);

describe('waitForRequests', () => {
  it('returns requests from before the call at once', async () => {
    await create({ name: 'A' });

    expect((await wait({ operation: 'createCustomer' })).total_count).toBe(1);
  });

  it('returns as soon as count requests match', async () => {
    await create({ name: 'A' });
    const waiting = wait({ operation: 'createCustomer', count: 2, body: {}, timeout_seconds: 5 });
    await create({ name: 'B' });

    expect((await waiting).items.map(({ ordinal }: AnyBody) => ordinal)).toEqual([2, 1]);
  });

  it('can be waited for by many, which Node does not report as a leak', async () => {
    const warn = vi.fn();
    process.on('warning', warn);
    const waiting = Array.from({ length: 12 }, () => wait({ body: { name: 'B' } }));
    await create({ name: 'B' });
    await Promise.all(waiting);
    process.off('warning', warn);

    expect(warn).not.toHaveBeenCalled();
  });

  it('ignores requests up to the ordinal after', async () => {
    await create({ name: 'A' });
    const missed = await wait({ after: 1, timeout_seconds: 0 }, 408);

    expect(missed).toMatchObject({
      status: 408,
      detail: '0 of 1 requests matched within 0 s.',
      nearest: [],
    });
  });

  it('returns 408 with the nearest requests and how they differ after the timeout', async () => {
    await create({ name: 'A', metadata: { tier: 'gold', city: 'Rome' } });
    await client.send('listVendors');
    const { nearest } = await wait(
      {
        operation: 'createCustomer',
        status: 201,
        body: { metadata: { tier: 'silver' } },
        timeout_seconds: 0,
      },
      408,
    );

    expect(nearest.map(({ differs }: AnyBody) => differs)).toEqual([
      ['body'],
      ['operation', 'status', 'body'],
    ]);
    expect(nearest[0].item.request_body.name).toBe('A');
  });

  it('returns no nearest request of another account', async () => {
    const headers = await asNewAccount(client.api);
    await create({ name: 'A' });
    const body = { operation: 'createVendor', timeout_seconds: 0 };

    expect((await client.api('waitForRequests', { headers, body }, 408)).nearest).toEqual([]);
  });

  it('matches parts of the body and the response at any depth', async () => {
    const { id } = await create({ name: 'A', metadata: { tier: 'gold', city: 'Rome' } });
    const body = { metadata: { tier: 'gold' } };

    expect((await wait({ body, response: { id } })).total_count).toBe(1);
  });

  it('returns 503 when the world is closed', async () => {
    const waiting = wait({ timeout_seconds: 60 }, 503);
    await client.send('listVendors', { key: 'key_test_other' });
    client.emulator.worlds.close('emulator');

    expect((await waiting).detail).toBe('This world was closed in the meantime. Try again.');
  });

  it('rejects an unknown operation and suggests the nearest name, as listRequests does', async () => {
    const { errors } = await wait({ operation: 'createCostumer' }, 422);
    const query = { operation: 'getWallets' };
    const { detail } = await client.api('listRequests', { query }, 400);

    expect(errors.operation).toEqual([
      'There is no operation "createCostumer". Did you mean createCustomer?',
    ]);
    expect(detail).toContain('There is no operation "getWallets".');
  });
});
