import {
  aConnectedAccount,
  aCustomer,
  adjustment,
  api,
  aWebhook,
  type CheckContext,
  call,
  check,
  expect,
  keyHeaders,
  type LooseParts,
  type OperationId,
  send,
  unique,
  unknownId,
  usageEvent,
  wrongKey,
} from '../kit/index.ts';
import { idOf, nowhere, operations, writes } from './shared/one-of-each.ts';
import { DATA, log, TOPIC } from './shared/webhooks.ts';

const reads = operations.filter(({ method }) => method === 'GET');

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
    ['createCustomer', { raw: '{"broken": ' }],
    ['createCustomer', { raw: '{}', contentType: 'text/plain' }],
    ['createCustomer', { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
    ['updateCustomer', { path, body: { name } }],
    ['adjustWallet', { path, body: adjustment() }],
    ['submitEvents', { body: used }],
    ['testWebhook', { path, body: DATA }],
    ['updateWebhook', { path, body: { enabled: false } }],
    ['deleteWebhook', { path }],
  ];
}

/** Sends the requests to a scene in each way, and expects 401 without a body, and that nothing is done. */
async function expectNothingDone(
  t: CheckContext,
  waysOf: (index: number, customerId: string) => readonly LooseParts[],
): Promise<void> {
  const scene = await aScene(t);
  const before = await scene.state();
  for (const [index, [operation, parts]] of requestsTo(scene).entries())
    for (const way of waysOf(index, scene.path.customerId)) {
      const { text } = await call(operation, { ...parts, ...way }, [401]);
      expect(text, `${operation}: body of 401`).toBe('');
    }

  expect(await scene.state()).toEqual(before);
}

/** Expects 401 without a body from each operation with each of these keys. */
async function expectNoAccess(
  these: typeof operations,
  keys: readonly (string | null)[],
): Promise<void> {
  for (const operation of these.map(idOf))
    for (const key of keys) {
      const body = writes.some((write) => write.id === operation) && { body: { nothing: true } };
      const parts = { path: nowhere(operation), ...body, key };
      expect((await call(operation, parts, [401])).text, `${operation}: body of 401`).toBe('');
    }
}

check(
  'X-01',
  { requirement: 'R-AUTH-01 R-AUTH-02 R-ERR-03', effect: 'E0' },
  'each read without a key, and with the real key and a `!` → 401 with an empty body, never 403 or 404',
  () => expectNoAccess(reads, [null, wrongKey()]),
);

check(
  'X-84',
  { requirement: 'R-AUTH-01 R-AUTH-02 R-ERR-03', effect: 'E1' },
  'each write without a key, and with the real key and a `!` → 401 with an empty body, never 403 or 404',
  () => expectNoAccess(writes, [null, wrongKey()]),
);

check(
  'X-55',
  { requirement: 'R-AUTH-01 R-AUTH-02 R-ERR-03', effect: 'E1' },
  'valid requests for what exists, and invalid requests, without a key and with a wrong one → 401 without a body, and nothing changes',
  (t) => expectNothingDone(t, () => [{ key: null }, { key: wrongKey() }]),
);

check(
  'X-59',
  { requirement: 'R-AUTH-09', effect: 'E1', assumes: 'A-104' },
  'valid and invalid requests on behalf of an unknown account, or of an id that is not an account → 401 without a body, and nothing changes',
  (t) =>
    expectNothingDone(t, (index, customerId) => [
      { actingFor: unknownId('acc') },
      { actingFor: index % 2 === 0 ? customerId : 'nobody' },
    ]),
);

check(
  'X-20',
  { requirement: 'R-AUTH-05 R-AUTH-08', effect: 'E0', assumes: 'A-102' },
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

/** Request ids that are one character too long, or have one that none may have. */
const UNUSABLE_IDS = ['x'.repeat(129), 'contract id', 'contract,id', 'contract%id'];

check(
  'X-66',
  { requirement: 'R-ERR-27', effect: 'E0', assumes: 'A-205' },
  'X-Request-Id, sent with every allowed character at the greatest length → returned, whatever the status; not sent → a new one each time, none with a wrong key; sent longer or with other characters → replaced',
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
      const headers = { 'X-Request-Id': unique('Request:.+=/_').padEnd(128, '-') };
      expect(await idOf({ headers })).toBe(headers['X-Request-Id']);
      expect(await idOf({ headers, key: wrongKey() })).toBe(headers['X-Request-Id']);
      expect(await idOf({ key: wrongKey() })).toBeUndefined();
      for (const own of UNUSABLE_IDS)
        expect(await idOf({ headers: { 'X-Request-Id': own } })).not.toBe(own);
      seen.push(await idOf({}), await idOf({}));
    }

    expect(new Set(seen).size).toBe(10);
    for (const id of seen) expect(id).toMatch(/\S/);
  },
);
