import {
  aConnectedAccount,
  aDraftProduct,
  assuming,
  aWebhook,
  call,
  check,
  expect,
  type OperationId,
  specifiedStatuses,
  unique,
  uniqueAssetCode,
  unknownId,
  uuid,
} from '../kit/index.ts';
import { idOf, nowhere, operations } from './shared/cross-cutting.ts';
import { type OneOfEach, oneOfEach, WRITES } from './shared/one-of-each.ts';
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
  topUpId: ({ transactionId = '' }) => [unknownId('top'), transactionId],
  transactionId: ({ eventId = '' }) => [uuid(), eventId],
  eventId: ({ transactionId = '' }) => [uuid(), transactionId],
  taskId: ({ customerId = '' }) => [`${customerId}:nothing`, `${unknownId('cust')}:nothing`],
  accountId: () => ['default:EUR', 'other:USD'],
  assetCode: () => [uniqueAssetCode()],
  topic: () => ['contract.unheard_of'],
  version: () => ['99'],
};

/** Malformed values, for parameters with a format. */
const ODD_IDS: Readonly<Record<string, readonly string[]>> = {
  version: ['0', '-1', '1.5', 'latest', '40000'],
  accountId: ['default', 'default:USD:x', ':', 'USD'],
  topic: ['*', 'Subscription.Activated'],
};
const SHAPELESS = ['nothing', 'x'.repeat(300), 'a/ä b', '%'];

/** Malformed values for a parameter. */
const oddIds = (name: string) =>
  name === 'assetCode' ? [unknownId('none')] : [...SHAPELESS, ...(ODD_IDS[name] ?? [])];

/** Requests to each operation with ids in its path: each id in turn is unknown or malformed, all else is valid. */
async function requestsToNothing(isOdd = false, gone: Partial<Ids> = {}) {
  const own = await oneOfEach({});
  const { id: connectedAccountId } = await aConnectedAccount();
  const ids: Ids = { ...own.ids, connectedAccountId, topUpId: unknownId('top') };
  const counts = new Map<string, number>();
  return operations.flatMap((operation, index) => {
    const id = idOf(operation);
    const body = operation.body ? { body: WRITES[id]?.(own) ?? DATA } : {};
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    // One malformed id for each operation, in turn, as paths share their names.
    const these = isOdd ? names.slice(index % names.length).slice(0, 1) : names;
    return these.map((name) => {
      const kind = id === 'getConnectedAccount' ? 'connectedAccountId' : name;
      const former = gone[kind] === undefined ? [] : [gone[kind]];
      const values = isOdd ? oddIds(kind) : [...(UNKNOWN_IDS[kind]?.(ids) ?? []), ...former];
      // One value for each operation and name, so that all values of a name are sent over all operations.
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      return {
        ...{ id, name, is404: specifiedStatuses(operation).includes(404) },
        parts: { path: { ...ids, [name]: values[count % values.length] as string }, ...body },
      };
    });
  });
}

/** Reads that return 404 for an unknown id. */
const MISSING: readonly OperationId[] = operations
  .filter((each) => each.method === 'GET' && specifiedStatuses(each).includes(404))
  .map(idOf)
  .filter((id) => id !== 'getAccountContext' && id !== 'listCustomers');

check(
  'X-04',
  {
    requirement: [
      'R-ACC-12',
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
    requirement: ['R-CUS-34', 'R-ERR-04', 'R-ERR-09', 'R-ERR-10', 'R-TSK-16'],
    level: 'MUST',
    effect: 'E3',
    assumes: 'A-1202',
  },
  'each operation that lists 404, with each id of its path in turn unknown, of something else, or deleted → 404 without a body',
  async (t) => {
    const [webhook, product] = [await aWebhook(t), await aDraftProduct(t)];
    const gone = { webhookId: webhook.id, productId: product.id };
    await call('deleteWebhook', { path: gone }, [204]);
    await call('deleteProduct', { path: gone }, [204]);
    for (const { id, name, parts, is404 } of await requestsToNothing(false, gone)) {
      if (!is404) continue;
      const expectNothing = async () => expect((await call(id, parts, [404])).text, id).toBe('');
      await (name === 'topic' ? assuming('A-1202', expectNothing) : expectNothing());
    }
  },
);

check(
  'X-58',
  {
    requirement: ['R-AST-33', 'R-ERR-21', 'R-ERR-26', 'R-SUB-35'],
    level: 'ASSUMED',
    effect: 'E3',
    assumes: ['A-201', 'A-202'],
  },
  'operations with an id of their path of no usual form → 404 without a body where that is listed; where it is not, with any unknown id → 422 that names the parameter, or an empty page',
  async () => {
    const unlisted = (await requestsToNothing()).filter(({ is404 }) => !is404);
    const odd = (await requestsToNothing(true)).filter(({ is404 }) => is404);
    for (const { id, name, parts, is404 } of [...unlisted, ...odd]) {
      const status = is404 ? 404 : id === 'listSubscribers' ? 200 : 422;
      const { text, body } = await call(id, parts, [status]);
      if (status === 404) expect(text, id).toBe('');
      if (status === 422) expect(Object.keys(body.errors), id).toEqual([name]);
      if (status === 200) expect(body).toMatchObject({ items: [], total_count: 0 });
    }
  },
);
