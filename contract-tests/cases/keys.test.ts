import {
  aConnectedAccount,
  aCustomer,
  api,
  aVendor,
  call,
  check,
  describe,
  expect,
  type OperationId,
  send,
  specifiedStatuses,
  unique,
  wrongKey,
} from '../kit/index.ts';
import { idOf, nowhere, operations, writes } from './shared/cross-cutting.ts';

const reads = operations.filter(({ method }) => method === 'GET');

/** Reads whose 404 can be had: an unknown id where one is listed. */
const MISSING: readonly (readonly [OperationId, Record<string, string>?])[] = reads
  .filter((read) => specifiedStatuses(read).includes(404))
  .map(idOf)
  .filter((id) => id !== 'getAccountContext' && id !== 'listCustomers')
  .map((id) => [id]);

describe('the key', () => {
  // each of 57 operations without a key → 401 (every operation requires a key)
  // 401 response → empty body
  check(['X-01', 'X-03'], { effect: 'E0', title: 'reads without a key' }, async () => {
    for (const read of reads) {
      const { text } = await call(idOf(read), { path: nowhere(idOf(read)), key: null }, [401]);
      expect(text).toBe('');
    }
  });

  check('X-01', { effect: 'E1', title: 'writes without a key' }, async () => {
    for (const write of writes) {
      const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: null };
      const { text } = await call(idOf(write), parts, [401]);
      expect(text).toBe('');
    }
  });

  // each operation with a wrong key → 401, not 403/404 (invalid key gives 401). The wrong key
  // is the real key with `!` appended, never another well-formed key
  check('X-02', { effect: 'E0', title: 'reads with a wrong key' }, async () => {
    for (const read of reads)
      await call(idOf(read), { path: nowhere(idOf(read)), key: wrongKey() }, [401]);
  });

  check('X-02', { effect: 'E1', title: 'writes with a wrong key' }, async () => {
    for (const write of writes) {
      const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: wrongKey() };
      await call(idOf(write), parts, [401]);
    }
  });

  // key sent in each candidate place, on loopback or by request only → the places that work are recorded (scheme
  // not shown)
  check('X-20', async (t) => {
    const bearer = await send('getAccountContext');
    t.observe('bearer token', bearer.status);

    expect(bearer.status).toBe(200);
  });

  // object of another key or account is not visible → 404, or absent (the key identifies one account)
  check('X-21', async () => {
    const account = await aConnectedAccount();
    const customer = await aCustomer();
    const vendor = await aVendor();
    const actingFor = account.id;
    await call('getCustomer', { path: { customerId: customer.id }, actingFor }, [404]);
    await call('getVendor', { path: { vendorId: vendor.id }, actingFor }, [404]);
    const { body } = await call(
      'listVendors',
      { query: { external_id: vendor.external_id }, actingFor },
      [200],
    );

    expect(body.items).toEqual([]);
  });
});

describe('what is not there', () => {
  // every 404 of the 17 reachable reads → empty body
  check('X-04', async () => {
    expect(MISSING.length).toBeGreaterThanOrEqual(15);
    for (const [operation] of MISSING) {
      const { text } = await call(operation, { path: nowhere(operation) }, [404]);
      expect(text).toBe('');
    }
    const { text } = await call(
      'listCustomers',
      { query: { external_id: unique('nobody') } },
      [404],
    );
    expect(text).toBe('');
  });

  // X-16: /accounts/self, /customers/stats, /products/versions and /webhooks/events are not read as ids
  check('X-16', async () => {
    expect(await api('getAccountContext', {}, 200)).toHaveProperty('environment');
    expect(await api('listCustomerStats', { query: { limit: 1 } }, 200)).toHaveProperty('summary');
    expect(await api('listProductVersions', { query: { limit: 1 } }, 200)).toHaveProperty('items');
    expect(await api('listWebhookEvents', { query: { limit: 1 } }, 200)).toHaveProperty(
      'pagination',
    );
  });

  // a path that fits both /webhooks/test/{topic}/{account} and /webhooks/{id}/test/{topic} → read as the first
  check('X-17', async () => {
    // Read as /webhooks/test/{topic}/{account}: the account is unknown. Read the other way, a destination
    // named "test" is unknown. Either way nothing is dispatched.
    const path = { topic: 'test', connectedAccountId: 'subscription.activated' };
    await call('testConnectedWebhooks', { path, body: { status: 'x' } }, [404]);
  });
});
