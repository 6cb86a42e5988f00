import {
  aConnectedAccount,
  aCustomer,
  adjustment,
  api,
  aVendor,
  aWebhook,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  keyHeaders,
  type LooseParts,
  type OperationId,
  send,
  specifiedStatuses,
  unique,
  unknownId,
  usageEvent,
  wrongKey,
} from '../kit/index.ts';
import { idOf, nowhere, operations, writes } from './shared/cross-cutting.ts';
import { DATA, expectAccountHeader, log, TOPIC } from './shared/webhooks.ts';

const reads = operations.filter(({ method }) => method === 'GET');

/** Reads that return 404 for an unknown id. */
const MISSING: readonly (readonly [OperationId, Record<string, string>?])[] = reads
  .filter((read) => specifiedStatuses(read).includes(404))
  .map(idOf)
  .filter((id) => id !== 'getAccountContext' && id !== 'listCustomers')
  .map((id) => [id]);

/** Invalid keys, made from the run's key. */
const OTHERS: readonly ((key: string) => string)[] = [
  () => '',
  (key) => `${key}!`,
  (key) => `x${key}`,
  (key) => `${key} ${key}`,
];

/** Objects for requests without a valid key. `state` reads what these requests must not change. */
async function aScene(t: CheckContext) {
  const [customer, account] = [await aCustomer(), await aConnectedAccount()];
  const webhook = await aWebhook(t);
  const path = { customerId: customer.id, webhookId: webhook.id, topic: TOPIC };
  const name = unique('keyless');
  const state = async () => [
    await api('getCustomer', { path }, 200),
    await api('getWallet', { path }, 200),
    (await api('listEvents', { query: { customer_id: customer.id, limit: 1 } }, 200)).items,
    await api('getWebhook', { path }, 200),
    await log({ destination_id: [webhook.id] }),
    (await call('listCustomers', { query: { external_id: name } }, [404])).text,
    (await call('listCustomers', { query: { name }, actingFor: account.id }, [200])).body.items,
  ];
  return { path, name, account, external_id: customer.external_id, state };
}

/** Requests whose response would be different with a valid key. */
function requestsTo(scene: Awaited<ReturnType<typeof aScene>>): [OperationId, LooseParts][] {
  const { path, name, account, external_id } = scene;
  const body = { name, external_id: name };
  const used = { customer_id: path.customerId, events: [usageEvent('contract.call')] };
  return [
    ['getCustomer', { path }],
    ['getCustomer', { path, method: 'HEAD' }],
    ['getCustomer', { path, headers: { Prefer: 'code=200' } }],
    ['getCustomer', { path, actingFor: account.id }],
    ['getCustomer', { path: { customerId: '%zz' }, isRawPath: true }],
    ['listCustomers', { query: { external_id } }],
    ['listCustomers', { query: { limit: 'x', unheard_of: 1 } }],
    ['createCustomer', { body }],
    ['createCustomer', { body, actingFor: account.id }],
    ['createCustomer', { body: { name: 42 } }],
    ['createCustomer', { raw: '{"broken": ' }],
    ['createCustomer', { raw: '{}', contentType: 'text/plain' }],
    ['createCustomer', { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
    ['createCustomer', {}],
    ['updateCustomer', { path, body: { name } }],
    ['adjustWallet', { path, body: adjustment() }],
    ['submitEvents', { body: used }],
    ['testWebhook', { path, body: DATA }],
    ['updateWebhook', { path, body: { enabled: false } }],
    ['deleteWebhook', { path }],
  ];
}

describe('API keys', () => {
  check(
    'X-01',
    { requirement: ['R-AUTH-01', 'R-ERR-03'], level: 'MUST', effect: 'E0' },
    'each of 57 operations without a key → 401 (every operation requires a key); 401 response → empty body: reads without a key',
    async () => {
      for (const read of reads) {
        const { text } = await call(idOf(read), { path: nowhere(idOf(read)), key: null }, [401]);
        expect(text).toBe('');
      }
    },
  );

  check(
    'X-84',
    { requirement: 'R-AUTH-01', level: 'MUST', effect: 'E1' },
    'each of 57 operations without a key → 401 (every operation requires a key): writes without a key',
    async () => {
      for (const write of writes) {
        const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: null };
        const { text } = await call(idOf(write), parts, [401]);
        expect(text).toBe('');
      }
    },
  );

  check(
    'X-02',
    { requirement: 'R-AUTH-02', level: 'MUST', effect: 'E0' },
    'each operation with a wrong key → 401, not 403/404 (invalid key gives 401). The wrong key is the real key with `!` appended, never another well-formed key: reads with a wrong key',
    async () => {
      for (const read of reads)
        await call(idOf(read), { path: nowhere(idOf(read)), key: wrongKey() }, [401]);
    },
  );

  check(
    'X-85',
    { requirement: 'R-AUTH-02', level: 'MUST', effect: 'E1' },
    'each operation with a wrong key → 401, not 403/404 (invalid key gives 401). The wrong key is the real key with `!` appended, never another well-formed key: writes with a wrong key',
    async () => {
      for (const write of writes) {
        const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: wrongKey() };
        await call(idOf(write), parts, [401]);
      }
    },
  );

  check(
    'X-55',
    { requirement: ['R-AUTH-01', 'R-AUTH-02', 'R-ERR-03'], level: 'MUST', effect: 'E1' },
    'requests that are right in all else, to what is there, and requests that are wrong otherwise too, without a key and with wrong ones → 401 without a body, and nothing is done',
    async (t) => {
      const scene = await aScene(t);
      const before = await scene.state();
      for (const [operation, parts] of requestsTo(scene))
        for (const more of [{ key: null }, { key: '' }, { key: wrongKey() }])
          expect((await call(operation, { ...parts, ...more }, [401])).text).toBe('');

      expect(await scene.state()).toEqual(before);
    },
  );

  check(
    'X-59',
    { requirement: 'R-AUTH-09', level: 'ASSUMED', effect: 'E1', assumes: 'A-104' },
    'requests on behalf of an account that is unknown, or of something else, right in all else and wrong → 401 without a body, and nothing is done',
    async (t) => {
      const scene = await aScene(t);
      const before = await scene.state();
      for (const [operation, parts] of requestsTo(scene))
        for (const actingFor of [unknownId('acc'), scene.path.customerId, 'nobody'])
          expect((await call(operation, { ...parts, actingFor }, [401])).text).toBe('');

      expect(await scene.state()).toEqual(before);
    },
  );

  check(
    'X-66',
    { requirement: 'R-ERR-27', level: 'ASSUMED', effect: 'E0', assumes: 'A-205' },
    'X-Request-Id sent, and not → the same, and another each time, whatever is answered; to a wrong key none of its own',
    async () => {
      const seen: unknown[] = [];
      for (const [operation, parts] of [
        ['listVendors', {}],
        ['listVendors', { query: { limit: 'x' } }],
        ['getVendor', { path: { vendorId: unknownId('vnd') } }],
        ['getVendor', { address: '/top-ups' }],
        ['getVendor', { address: '/nothing' }],
      ] as const) {
        const idOf = async (more: LooseParts) =>
          (await send(operation, { ...parts, ...more })).headers['x-request-id'];
        const headers = { 'X-Request-Id': unique('request') };
        expect(await idOf({ headers })).toBe(headers['X-Request-Id']);
        expect(await idOf({ headers, key: wrongKey() })).toBe(headers['X-Request-Id']);
        expect(await idOf({ key: wrongKey() })).toBeUndefined();
        seen.push(await idOf({}), await idOf({}));
      }

      expect(new Set(seen).size).toBe(10);
      for (const id of seen) expect(id).toMatch(/\S/);
    },
  );

  check(
    'X-20',
    { requirement: ['R-AUTH-05', 'R-AUTH-08'], level: 'ASSUMED', effect: 'E0', assumes: 'A-102' },
    "key in the service's header, as a bearer token and in both → 200; in both and differing, in another scheme, empty or with more around it → 401 without a body",
    async (t) => {
      const same = (key: string) => key;
      const read = async (places: Parameters<typeof keyHeaders>[0], more: object = {}) => {
        const headers = { ...keyHeaders(places), ...more };
        return send('getAccountContext', { key: null, headers });
      };
      const bearer = await read({ bearer: same });
      t.observe('bearer token', bearer.status);

      expect(bearer.status).toBe(200);
      expect((await read({ own: same })).body).toEqual(bearer.body);
      expect((await read({ own: same, bearer: same })).body).toEqual(bearer.body);
      for (const other of OTHERS)
        for (const places of [
          { own: same, bearer: other },
          { own: other, bearer: same },
          { own: other },
          { bearer: other },
        ]) {
          const { status, text } = await read(places);
          expect([status, text]).toEqual([401, '']);
        }
      const { Authorization = '' } = keyHeaders({ bearer: same });
      const basic = await read({}, { Authorization: Authorization.replace('Bearer', 'Basic') });
      expect([basic.status, basic.text]).toEqual([401, '']);
    },
  );

  check(
    'X-21',
    { requirement: 'R-AUTH-04', level: 'IMPLIED', effect: 'E3' },
    'object of another key or account is not visible → 404, or absent (the key identifies one account)',
    async () => {
      const account = await aConnectedAccount();
      const customer = await aCustomer();
      const vendor = await aVendor();
      const actingFor = account.id;
      await expectAccountHeader(actingFor);
      await call('getCustomer', { path: { customerId: customer.id }, actingFor }, [404]);
      await call('getVendor', { path: { vendorId: vendor.id }, actingFor }, [404]);
      const { body } = await call(
        'listVendors',
        { query: { external_id: vendor.external_id }, actingFor },
        [200],
      );

      expect(body.items).toEqual([]);
    },
  );
});

describe('unknown objects and ambiguous paths', () => {
  check(
    'X-04',
    {
      requirement: [
        'R-AST-20',
        'R-CUS-32',
        'R-ERR-04',
        'R-EVT-46',
        'R-PRD-29',
        'R-PRD-35',
        'R-VND-06',
        'R-WAL-18',
        'R-WAL-20',
        'R-WAL-27',
        'R-WHK-20',
      ],
      level: 'MUST',
      effect: 'E0',
    },
    'every 404 of the 17 reachable reads → empty body',
    async () => {
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
    },
  );

  check(
    'X-16',
    { requirement: 'R-ERR-12', level: 'MUST', effect: 'E0' },
    '/accounts/self, /customers/stats, /products/versions and /webhooks/events are not read as ids',
    async () => {
      expect(await api('getAccountContext', {}, 200)).toHaveProperty('environment');
      expect(await api('listCustomerStats', { query: { limit: 1 } }, 200)).toHaveProperty(
        'summary',
      );
      expect(await api('listProductVersions', { query: { limit: 1 } }, 200)).toHaveProperty(
        'items',
      );
      expect(await api('listWebhookEvents', { query: { limit: 1 } }, 200)).toHaveProperty(
        'pagination',
      );
    },
  );

  check(
    'X-17',
    { requirement: 'R-ERR-13', level: 'IMPLIED', effect: 'E1' },
    'a path that fits both /webhooks/test/{topic}/{account} and /webhooks/{id}/test/{topic} → read as the first',
    async () => {
      // Read as /webhooks/test/{topic}/{account}: the account is unknown. Read the other way, a destination
      // named "test" is unknown. Either way nothing is dispatched.
      const path = { topic: 'test', connectedAccountId: 'subscription.activated' };
      await call('testConnectedWebhooks', { path, body: { status: 'x' } }, [404]);
    },
  );
});
