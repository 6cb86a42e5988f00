import {
  aCustomer,
  aProduct,
  api,
  assuming,
  call,
  check,
  expect,
  type LooseParts,
  type OperationId,
  send,
  unknownId,
  wrongKey,
} from '../kit/index.ts';
import { operations } from './shared/cross-cutting.ts';

/** Paths that belong to no operation, some with an unknown customer or an empty id. */
const UNKNOWN = [
  ...['/nothing', '/v1/vendors', '/Vendors', '//vendors', '/vendors/a/b'],
  ...['/customers/stats/more', '/customers/a/nothing', '/customers/a/wallet/default:USD/nothing'],
  ...['/products/a/1/simulate-usage/more', '/tasks/a/b', '/webhooks/a/test', '/accounts/self/more'],
  ...['/vendors/', '/customers//wallet', '/webhooks/test//a'],
];

/** Unknown paths far below a path of each resource, and directly below a customer and a product. */
function unknownPathsBelow(customerId: string, productId: string): readonly string[] {
  const [customer, product] = [`/customers/${customerId}`, `/products/${productId}`];
  const byResource = new Map([...knownPaths().keys()].map((path) => [path.split('/')[1], path]));
  return [
    ...[...byResource.values()].map((path) => `${path}/a/b/c/d/nothing`),
    ...['/', '/nothing', '/wallet/', '/wallet/default:USD/nothing'].map((end) => customer + end),
    ...['/', '/1/nothing', '/default/nothing', '/subscribers/nothing'].map((end) => product + end),
  ];
}

/** One operation of each method, to send a request with that method. */
const BY_METHOD = {
  GET: 'getVendor',
  POST: 'createVendor',
  PATCH: 'updateCustomer',
  DELETE: 'deleteWebhook',
} as const;

const METHODS = Object.keys(BY_METHOD) as (keyof typeof BY_METHOD)[];
const WRITE_METHODS = METHODS.filter((method) => method !== 'GET');

async function expect401(operation: OperationId, parts: LooseParts): Promise<void> {
  expect((await call(operation, parts, [401])).text, `${parts.address}: body of 401`).toBe('');
}

/** Each path of the interface, with ids of no object, and its methods. */
function knownPaths(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const operation of operations) {
    const { path, method } = operation;
    if (found.has(path)) found.get(path)?.push(method);
    else found.set(path, [method]);
  }
  return new Map(
    [...found].map(([path, methods]) => [
      path.replaceAll(/\{version\}/g, '1').replaceAll(/\{\w+\}/g, unknownId('none')),
      methods.sort(),
    ]),
  );
}

const allowed = (header: unknown) =>
  String(header)
    .split(', ')
    .filter((name) => !['HEAD', 'OPTIONS'].includes(name))
    .sort();

check(
  'X-26',
  {
    requirement: ['R-ERR-04', 'R-ERR-19', 'R-ERR-27'],
    level: 'ASSUMED',
    effect: 'E1',
    assumes: ['A-102', 'A-201', 'A-205'],
  },
  'unknown paths, also far below known paths and objects, read and written → 404 without a body; without a key, or with a wrong one → 401',
  async () => {
    const headers = { 'X-Request-Id': 'contract-unknown' };
    const [{ id: customerId }, { id: productId }] = [await aCustomer(), await aProduct()];
    const paths = [...UNKNOWN, ...unknownPathsBelow(customerId, productId)];
    for (const [index, address] of paths.entries()) {
      const writing = WRITE_METHODS[index % WRITE_METHODS.length] as (typeof METHODS)[number];
      const methods = index % 2 === 0 ? (['GET', writing] as const) : (['GET'] as const);
      for (const method of methods) {
        const unknown = await call(BY_METHOD[method], { address, headers }, [404]);
        expect(unknown.text, address).toBe('');
        await assuming('A-205', async () =>
          expect(unknown.headers['x-request-id'], address).toBe('contract-unknown'),
        );
      }
      if (index % 8 !== 0) continue;
      for (const key of [null, wrongKey()]) await expect401(BY_METHOD[writing], { address, key });
    }
  },
);

check(
  'X-98',
  { requirement: 'R-ERR-19', level: 'ASSUMED', effect: 'E1', assumes: ['A-102', 'A-201'] },
  'each known path by a method that it does not have → 405 with Allow; with a wrong key → 401',
  async () => {
    for (const [index, [address, methods]] of [...knownPaths()].entries()) {
      const others = METHODS.filter((one) => !methods.includes(one));
      const method = others[index % others.length] as (typeof METHODS)[number];
      const answer = await call(BY_METHOD[method], { address }, [405]);
      expect(allowed(answer.headers['allow']), `${method} ${address}: Allow`).toEqual(methods);
      if (index % 3 === 0) await expect401(BY_METHOD[method], { address, key: wrongKey() });
    }
  },
);

check(
  'X-56',
  { requirement: 'R-ERR-25', level: 'ASSUMED', effect: 'E0', assumes: 'A-201' },
  'HEAD of what is there, of an unknown id and of an unknown path → the status and the type of GET, without a body; OPTIONS of each path, with a key, without one or with a wrong one → 204 with Allow',
  async () => {
    const known = { path: { customerId: (await aCustomer()).id } };
    const unknown = { path: { customerId: unknownId('cust') } };
    for (const [operation, parts] of [
      ['getCustomer', known],
      ['getCustomer', unknown],
      ['listVendors', {}],
      ['listVendors', { query: { limit: 'x' } }],
      ['getVendor', { address: '/nothing' }],
      ['getVendor', { address: '/top-ups' }],
    ] as const) {
      const { status, headers } = await send(operation, parts);
      const head = await send(operation, { ...parts, method: 'HEAD' });
      expect([head.status, head.text]).toEqual([status, '']);
      expect(head.headers['content-type']).toBe(headers['content-type']);
    }
    for (const [index, [address, methods]] of [...knownPaths()].entries()) {
      const key = [{}, { key: null }, { key: wrongKey() }][index % 3];
      const parts = { address, method: 'OPTIONS', ...key } as const;
      const { headers, text } = await call('getVendor', parts, [204]);
      expect([text, ...allowed(headers['allow'])], address).toEqual(['', ...methods]);
    }
    await call('getVendor', { address: '/nothing', method: 'OPTIONS' }, [404]);
  },
);

check(
  'X-34',
  { requirement: 'R-ERR-24', level: 'ASSUMED', effect: 'E1', assumes: 'A-202' },
  'malformed percent-encoding in the path of a DELETE → 400',
  async () => {
    const removals = ['deleteProduct', 'archiveProductVersion', 'deleteWebhook'] as const;
    const path = { productId: '%zz', version: '%zz', webhookId: '%zz' };
    for (const operation of removals) {
      const { body } = await call(operation, { path, isRawPath: true }, [400]);
      expect(body.status).toBe(400);
    }
  },
);

check(
  'X-16',
  { requirement: 'R-ERR-12', level: 'MUST', effect: 'E0' },
  '/accounts/self, /customers/stats, /products/versions and /webhooks/events are not read as ids',
  async () => {
    expect(await api('getAccountContext', {}, 200)).toHaveProperty('environment');
    expect(await api('listCustomerStats', { query: { limit: 1 } }, 200)).toHaveProperty('summary');
    expect(await api('listProductVersions', { query: { limit: 1 } }, 200)).toHaveProperty('items');
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
