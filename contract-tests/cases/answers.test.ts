import {
  aConnectedAccount,
  aDraftProduct,
  anyOf,
  api,
  assuming,
  aUsageEvent,
  aVendor,
  aWebhook,
  call,
  check,
  describe,
  expect,
  isOurs,
  type OperationId,
  operationOf,
  useUp,
} from '../kit/index.ts';
import { idOf, operations } from './shared/cross-cutting.ts';
import { oneOfEach } from './shared/one-of-each.ts';
import { detailOf } from './shared/subscriptions.ts';
import { dispatch } from './shared/webhooks.ts';

const reads = operations.filter(({ method }) => method === 'GET').map(idOf);

/** The lists with offset paging. */
const LISTS = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listTasks',
  'listVendors',
  'listCustomerStats',
] as const;

type List = (typeof LISTS)[number];

async function page(list: List, query: object = {}): Promise<PageOf> {
  const { body } = await call(list, { query: query as never }, [200]);
  return body as PageOf;
}

interface PageOf {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
}

/** Every timestamp in a body: the fields whose name is that of a timestamp. */
function timestamps(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(timestamps);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /_at$|^valid_|^time$/.test(name) && typeof inner === 'string' ? [inner] : timestamps(inner),
  );
}

describe('responses', () => {
  check(
    'X-08',
    { requirement: ['R-CONV-01', 'R-ERR-16'], level: 'MUST', effect: 'E0' },
    'successful responses → JSON content type; the content type of problems is recorded',
    async (t) => {
      const success = await call('listVendors', {}, [200]);
      const failure = await call('listVendors', { query: { limit: 'x' } }, [400, 422, 200]);
      t.observe('content type of problems', failure.headers['content-type']);

      expect(String(success.headers['content-type'])).toMatch(/^application\/json/);
    },
  );

  check(
    'X-09',
    { requirement: 'R-CONV-02', level: 'MUST', effect: 'E0' },
    'all timestamps parse as ISO 8601 and are UTC',
    async () => {
      const seen: string[] = [];
      for (const list of [
        'listConnectedAccounts',
        'listEvents',
        'listProducts',
        'listTasks',
      ] as const)
        seen.push(...timestamps((await call(list, { query: { limit: 20 } }, [200])).body));
      seen.push(
        ...timestamps((await call('getAsset', { path: { assetCode: 'USD' } }, [200])).body),
      );

      expect(seen.length).toBeGreaterThan(0);
      for (const text of seen) {
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
        expect(Date.parse(text)).not.toBeNaN();
      }
    },
  );

  check(
    'X-10',
    {
      requirement: [
        'R-CONV-05',
        'R-CONV-06',
        'R-CONV-07',
        'R-CONV-08',
        'R-CONV-09',
        'R-CONV-10',
        'R-CONV-11',
        'R-CONV-12',
        'R-CONV-13',
        'R-CONV-14',
        'R-PRD-10',
      ],
      level: 'MUST',
      effect: 'E2',
    },
    'new ids carry their kind prefix: cust, sub, prp, prc, fee, top, vnd, acc, dst or whd, evt',
    async (t) => {
      const webhook = await aWebhook(t);
      const product = await aDraftProduct(t);
      const version = await api(
        'getProductVersion',
        { path: { productId: product.id, version: '1' } },
        200,
      );

      expect(webhook.id).toMatch(/^(dst|whd)_/);
      expect(product.id).toMatch(/^prp_/);
      expect(version.prices[0]?.id).toMatch(/^prc_/);
    },
  );

  check(
    'X-28',
    { requirement: 'R-CONV-25', level: 'ASSUMED', effect: 'E3', assumes: 'A-308' },
    'nullable fields and required external_id are present and null when unset; arrays present',
    async () => {
      const made = await useUp('customer', () =>
        api('createCustomer', { body: { name: 'Contract bare' } }, 201),
      );
      const shown = await detailOf(made);
      const vendor = await useUp('vendor', () =>
        api('createVendor', { body: { name: 'Contract bare' } }, 201),
      );
      const read = await api('getVendor', { path: { vendorId: vendor.id } }, 200);
      await aUsageEvent(made, 'contract.bare');
      const { items } = await api('listEvents', { query: { customer_id: made.id } }, 200);

      expect(shown).toMatchObject({ metadata: null, subscriptions: [], external_accounts: [] });
      expect(items).toMatchObject([{ external_id: null }]);
      expect(read).not.toHaveProperty('external_id');
    },
  );

  check(
    'X-80',
    {
      requirement: [
        'R-ACC-05',
        'R-ACC-15',
        'R-CONV-04',
        'R-CUS-09',
        'R-CUS-13',
        'R-ERR-11',
        'R-EVT-16',
        'R-EVT-20',
        'R-EVT-24',
        'R-PRD-50',
        'R-PRF-04',
        'R-PRF-10',
        'R-SUB-01',
        'R-SUB-02',
        'R-TSK-11',
        'R-TSK-17',
        'R-TSK-18',
        'R-VND-12',
        'R-WAL-03',
        'R-WAL-42',
        'R-WAL-45',
        'R-WAL-50',
        'R-WHK-01',
        'R-WHK-02',
        'R-WHK-05',
        'R-WHK-06',
        'R-WHK-08',
      ],
      level: 'MUST',
      effect: 'E0',
    },
    'every response of the run conforms to the OpenAPI document: declared status, required fields, types, closed enumerations; a violation of an assumed part counts as refuted, not as failed: every list, and what the account has',
    async () => {
      for (const list of reads.filter((id) => !operationOf(id).path.includes('{')))
        await call(list, {}, [200]);
      for (const kind of ['customer', 'asset', 'product', 'vendor'] as const) {
        const id = await anyOf(kind);
        const path = { customerId: id, assetCode: id, productId: id, vendorId: id };
        const capital = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
        await call(`get${capital}` as OperationId, { path }, [200]);
      }
    },
  );

  check(
    'X-81',
    {
      requirement: [
        'R-ACC-05',
        'R-ACC-15',
        'R-CONV-04',
        'R-CUS-09',
        'R-CUS-13',
        'R-ERR-11',
        'R-EVT-16',
        'R-EVT-20',
        'R-EVT-24',
        'R-PRD-50',
        'R-PRF-04',
        'R-PRF-10',
        'R-SUB-01',
        'R-SUB-02',
        'R-TSK-11',
        'R-TSK-17',
        'R-TSK-18',
        'R-VND-12',
        'R-WAL-03',
        'R-WAL-42',
        'R-WAL-45',
        'R-WAL-50',
        'R-WHK-01',
        'R-WHK-02',
        'R-WHK-05',
        'R-WHK-06',
        'R-WHK-08',
      ],
      level: 'MUST',
      effect: 'E3',
    },
    'every response of the run conforms to the OpenAPI document: declared status, required fields, types, closed enumerations; a violation of an assumed part counts as refuted, not as failed: every read of what the suite made',
    async () => {
      const { ids, webhookId } = await oneOfEach({});
      const { id: account } = await aConnectedAccount();
      await dispatch({ id: webhookId } as never);
      for (const read of reads.filter((id) => id !== 'getTopUp')) {
        const path = { ...ids, ...(read === 'getConnectedAccount' && { accountId: account }) };
        const { body } = await call(read, { path }, [200]);
        if (body.items) expect(body.items.length, read).toBeGreaterThan(0);
      }
    },
  );
});

describe('pages of lists', () => {
  check(
    'X-11',
    {
      requirement: [
        'R-ACC-08',
        'R-CUS-21',
        'R-EVT-39',
        'R-PAGE-01',
        'R-PRD-24',
        'R-PRD-26',
        'R-PRF-09',
        'R-TSK-11',
        'R-VND-03',
      ],
      level: 'MUST',
      effect: 'E0',
    },
    'each offset list has all four of items, total_count ≥ 0, limit ≥ 1, offset ≥ 0',
    async () => {
      for (const list of LISTS) {
        const { items, total_count, limit, offset } = await page(list, { limit: 3 });
        expect(items.length).toBeLessThanOrEqual(3);
        expect(total_count).toBeGreaterThanOrEqual(items.length);
        expect([limit, offset]).toEqual([3, 0]);
      }
    },
  );

  check(
    'X-12',
    { requirement: ['R-LIM-01', 'R-LIM-02', 'R-PAGE-02'], level: 'MUST', effect: 'E0' },
    'no paging parameters → limit 100, offset 0 echoed',
    async () => {
      for (const list of LISTS) expect(await page(list)).toMatchObject({ limit: 100, offset: 0 });
    },
  );

  check(
    'X-13',
    { requirement: ['R-PAGE-02', 'R-PAGE-03', 'R-PAGE-04'], level: 'IMPLIED', effect: 'E0' },
    'a short list read with limit=1 and each offset → the whole list, no repeats, at most `limit` items per page, total_count constant',
    async () => {
      for (let count = 0; isOurs() && count < 3; count += 1) await aVendor();
      await anyOf('product');
      for (const list of ['listAssets', 'listProducts', 'listVendors'] as const) {
        const whole = await page(list, { limit: 20 });
        const walked: unknown[] = [];
        for (let offset = 0; offset < whole.items.length; offset += 1) {
          const one = await page(list, { limit: 1, offset });
          expect(one.total_count).toBe(whole.total_count);
          expect(one.items).toHaveLength(1);
          walked.push(...one.items);
        }
        expect(walked).toEqual(whole.items);
      }
    },
  );

  check(
    'X-14',
    { requirement: 'R-PAGE-05', level: 'IMPLIED', effect: 'E0' },
    'offset past the end → 200, empty items, same total_count',
    async () => {
      for (const kind of ['account', 'asset', 'vendor', 'task'] as const) await anyOf(kind);
      for (const list of LISTS) {
        const { total_count } = await page(list, { limit: 1 });
        const past = await page(list, { limit: 1, offset: total_count + 1000 });
        expect(past.items).toEqual([]);
        expect(past.total_count).toBe(total_count);
      }
    },
  );

  check(
    'X-15',
    { requirement: 'R-LIM-16', level: 'ASSUMED', effect: 'E0', assumes: 'A-305' },
    'limit 0, −1, text, 10 000 → 200 with a clamped limit, 400 or 422; the maximum is recorded (not shown)',
    async (t) => {
      for (const limit of [0, -1, 'text', 10_000]) {
        const { status } = await call('listVendors', { query: { limit } }, [200, 400, 422]);
        t.observe(`limit ${limit}`, status);
        await assuming('A-305', async () => expect(status).toBe(400));
      }
    },
  );

  check(
    'X-31',
    { requirement: 'R-PAGE-06', level: 'ASSUMED', effect: 'E0', assumes: 'A-305' },
    'lists without a stated order → created_at descending',
    async () => {
      await anyOf('vendor');
      for (const list of ['listConnectedAccounts', 'listProducts', 'listVendors'] as const) {
        const moments = (await page(list, { limit: 50 })).items.map((item) =>
          String(item['created_at']),
        );
        expect(moments).toEqual([...moments].sort().reverse());
      }
    },
  );
});
