import {
  aConnectedAccount,
  aCustomer,
  aProduct,
  assuming,
  aWebhook,
  call,
  check,
  expect,
  type LooseParts,
  type OperationId,
  send,
  specifiedStatuses,
  unique,
  uniqueAssetCode,
  unknownId,
  wrongKey,
} from '../kit/index.ts';
import {
  idOf,
  nowhere,
  type OneOfEach,
  oneOfEach,
  operations,
  WRITES,
} from './shared/one-of-each.ts';
import { DATA } from './shared/webhooks.ts';

type Ids = OneOfEach['ids'];

/** Well-formed ids that do not fit: unknown ones, and ids of another kind of object. */
const UNKNOWN_IDS: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  customerId: ({ vendorId = '' }) => [unknownId('cust'), vendorId],
  subscriptionId: ({ customerId = '' }) => [unknownId('sub'), customerId],
  productId: ({ customerId = '' }) => [unknownId('prp'), customerId],
  vendorId: ({ customerId = '' }) => [unknownId('vnd'), customerId],
  webhookId: ({ customerId = '' }) => [unknownId('dst'), unknownId('whd'), customerId],
  connectedAccountId: ({ customerId = '' }) => [unknownId('acc'), customerId],
  topUpId: () => [unknownId('top')],
  transactionId: ({ eventId = '' }) => [eventId],
  eventId: ({ transactionId = '' }) => [transactionId],
  taskId: ({ customerId = '' }) => [`${customerId}:nothing`],
  accountId: () => ['default:EUR', 'other:USD'],
  assetCode: () => [uniqueAssetCode()],
  topic: () => ['contract.unheard_of'],
  version: () => ['99'],
};

/** Malformed values, for parameters with a format. */
const ODD_IDS: Readonly<Record<string, readonly string[]>> = {
  version: ['0', '1e0', '+1', '%'],
  accountId: ['default', 'default:USD:x', ':', '%'],
  topic: ['*', 'Subscription.Activated'],
};
const SHAPELESS = ['nothing', 'x'.repeat(300), 'a/ä b', '%'];

/** Malformed values for a parameter. */
const oddIds = (name: string) =>
  name === 'assetCode' ? [unknownId('none')] : (ODD_IDS[name] ?? SHAPELESS);

/** Requests to each operation with ids in its path: each id in turn is unknown or malformed, all else is valid. */
async function requestsToNothing(gone: Partial<Ids> = {}) {
  const one = await oneOfEach({});
  const { id: connectedAccountId } = await aConnectedAccount();
  const ids: Ids = { ...one.ids, connectedAccountId, topUpId: unknownId('top') };
  const places = operations.flatMap((operation) =>
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ operation, name })),
  );
  // One malformed id for each operation, in turn, as paths share their names.
  const oneInTurn = operations.flatMap((operation, index) => {
    const own = places.filter((place) => place.operation === operation);
    return own.slice(index % own.length).slice(0, 1);
  });
  const kindOf = ({ operation, name }: (typeof places)[number]) =>
    idOf(operation) === 'getConnectedAccount' ? 'connectedAccountId' : name;
  /** Each place gets a value, and each value is sent to a place. */
  const requestsWith = (these: typeof places, valuesOf: (kind: string) => readonly string[]) =>
    [...new Set(these.map(kindOf))].flatMap((kind) => {
      const [own, values] = [these.filter((place) => kindOf(place) === kind), valuesOf(kind)];
      return Array.from({ length: Math.max(own.length, values.length) }, (_, turn) => {
        const { operation, name } = own[turn % own.length] as (typeof places)[number];
        const id = idOf(operation);
        const path = { ...ids, [name]: values[turn % values.length] as string };
        const body = operation.body ? { body: WRITES[id]?.(one) ?? DATA } : {};
        return {
          id,
          name,
          isRead: operation.method === 'GET',
          is404: specifiedStatuses(operation).includes(404),
          parts: { path, ...body },
        };
      });
    });
  return {
    unknown: requestsWith(places, (kind) => [
      ...(UNKNOWN_IDS[kind]?.(ids) ?? []),
      ...(gone[kind] === undefined ? [] : [gone[kind]]),
    ]),
    odd: requestsWith(oneInTurn, oddIds),
  };
}

/** Reads that return 404 for an unknown id. */
const MISSING: readonly OperationId[] = operations
  .filter((each) => each.method === 'GET' && specifiedStatuses(each).includes(404))
  .map(idOf)
  .filter((id) => id !== 'getAccountContext' && id !== 'listCustomers');

check(
  'X-04',
  {
    requirement:
      'R-ACC-12 R-AST-20 R-CUS-32 R-ERR-04 R-EVT-46 R-PRD-29 R-PRD-35 R-VND-06 R-WAL-18 R-WAL-20 R-WAL-27 R-WHK-20',
    effect: 'E0',
  },
  'each read that lists 404, of an unknown id → 404 with an empty body',
  async () => {
    expect(MISSING.length).toBeGreaterThanOrEqual(15);
    for (const operation of MISSING) {
      const { text } = await call(operation, { path: nowhere(operation) }, [404]);
      expect(text, operation).toBe('');
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
  'X-57',
  {
    requirement: 'R-CUS-34 R-ERR-04 R-ERR-09 R-ERR-10 R-TSK-16 R-WHK-32 R-WHK-50',
    effect: 'E3',
    partly: 'A-1202',
  },
  'each operation that lists 404, with each id of its path in turn unknown, of something else, or of a deleted destination → 404 without a body',
  async (t) => {
    const gone = { webhookId: (await aWebhook(t)).id };
    await call('deleteWebhook', { path: gone }, [204]);
    for (const { id, name, parts, is404 } of (await requestsToNothing(gone)).unknown) {
      if (!is404) continue;
      const expectNothing = async () => expect((await call(id, parts, [404])).text, id).toBe('');
      await (name === 'topic' ? assuming('A-1202', expectNothing) : expectNothing());
    }
  },
);

for (const [id, what, isOfReads] of [
  ['X-58', 'reads', true],
  ['X-122', 'writes', false],
] as const)
  check(
    id,
    {
      requirement: 'R-AST-33 R-ERR-21 R-ERR-26 R-SUB-35 R-WAL-44',
      effect: 'E3',
      assumes: 'A-201 A-202',
    },
    `${what} with a malformed or an unknown id in the path → 404 without a body where that is listed; elsewhere 422 that names the parameter, or an empty page`,
    async () => {
      const { unknown, odd } = await requestsToNothing();
      const unlisted = unknown.filter(({ is404 }) => !is404);
      for (const { id, name, isRead, parts, is404 } of [...unlisted, ...odd]) {
        if (isRead !== isOfReads) continue;
        const status = is404 ? 404 : id === 'listSubscribers' ? 200 : 422;
        const { text, body } = await call(id, parts, [status]);
        if (status === 404) expect(text, id).toBe('');
        if (status === 422) expect(Object.keys(body.errors), id).toEqual([name]);
        if (status === 200) expect(body).toMatchObject({ items: [], total_count: 0 });
      }
    },
  );

/** Paths that belong to no operation, some with an unknown customer or an empty id. */
const UNKNOWN = [
  '/nothing',
  '/v1/vendors',
  '/Vendors',
  '//vendors',
  '/vendors/a/b',
  '/customers/stats/more',
  '/customers/a/nothing',
  '/customers/a/wallet/default:USD/nothing',
  '/products/a/1/simulate-usage/more',
  '/tasks/a/b',
  '/webhooks/a/test',
  '/accounts/self/more',
  '/vendors/',
  '/customers//wallet',
  '/webhooks/test//a',
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

/** The methods that Allow lists. HEAD is where GET is. */
const allowed = (header: unknown) => String(header).split(', ').sort();

const withCommon = (methods: readonly string[]) =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();

check(
  'X-26',
  { requirement: 'R-ERR-04 R-ERR-19 R-ERR-27', effect: 'E1', assumes: 'A-102 A-201 A-205' },
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
  { requirement: 'R-ERR-19', effect: 'E1', assumes: 'A-102 A-201' },
  'each known path by a method that it does not have → 405 with Allow; with a wrong key → 401',
  async () => {
    for (const [index, [address, methods]] of [...knownPaths()].entries()) {
      const others = METHODS.filter((one) => !methods.includes(one));
      const method = others[index % others.length] as (typeof METHODS)[number];
      const answer = await call(BY_METHOD[method], { address }, [405]);
      const listed = allowed(answer.headers['allow']);
      expect(listed, `${method} ${address}: Allow`).toEqual(withCommon(methods));
      if (index % 3 === 0) await expect401(BY_METHOD[method], { address, key: wrongKey() });
    }
  },
);

check(
  'X-56',
  { requirement: 'R-ERR-25', effect: 'E0', assumes: 'A-201' },
  'HEAD of what is there, of an unknown id and of an unknown path → the status, type and length of GET, without a body; OPTIONS of each path, with a key, without one or with a wrong one → 204 with Allow',
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
      for (const name of ['content-type', 'content-length'])
        expect(head.headers[name], name).toBe(headers[name]);
    }
    for (const [index, [address, methods]] of [...knownPaths()].entries()) {
      const key = [{}, { key: null }, { key: wrongKey() }][index % 3];
      const parts = { address, method: 'OPTIONS', ...key } as const;
      const { headers, text } = await call('getVendor', parts, [204]);
      expect([text, ...allowed(headers['allow'])], address).toEqual(['', ...withCommon(methods)]);
    }
    await call('getVendor', { address: '/nothing', method: 'OPTIONS' }, [404]);
  },
);

check(
  'X-34',
  { requirement: 'R-ERR-24', effect: 'E1', assumes: 'A-202' },
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
  'X-17',
  { requirement: 'R-ERR-13', effect: 'E1' },
  'a path that fits both /webhooks/test/{topic}/{account} and /webhooks/{id}/test/{topic} → read as the first',
  async () => {
    // Read as /webhooks/test/{topic}/{account}: the account is unknown. Read the other way, a destination
    // named "test" is unknown. Either way nothing is dispatched.
    const path = { topic: 'test', connectedAccountId: 'subscription.activated' };
    await call('testConnectedWebhooks', { path, body: { status: 'x' } }, [404]);
  },
);
