import {
  aConnectedAccount,
  aDraftProduct,
  anyOf,
  api,
  aUsageEvent,
  aWebhook,
  call,
  check,
  expect,
  type OperationId,
  operationOf,
} from '../kit/index.ts';
import { idOf, operations } from './shared/cross-cutting.ts';
import { oneOfEach } from './shared/one-of-each.ts';
import { detailOf } from './shared/subscriptions.ts';
import { dispatch } from './shared/webhooks.ts';

const reads = operations.filter(({ method }) => method === 'GET').map(idOf);

/** Every timestamp in a body: the fields whose name is that of a timestamp. */
function timestamps(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(timestamps);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /_at$|^valid_|^time$/.test(name) && typeof inner === 'string' ? [inner] : timestamps(inner),
  );
}

/** The fields that objects have. */
const SHAPES =
  'R-ACC-05 R-ACC-15 R-CONV-04 R-CUS-09 R-CUS-13 R-ERR-11 R-EVT-16 R-EVT-20 R-EVT-24 R-PRD-50 R-PRF-04 R-PRF-10 R-SUB-01 R-SUB-02 R-TSK-11 R-TSK-17 R-TSK-18 R-VND-12 R-WAL-03 R-WAL-42 R-WAL-45 R-WAL-50 R-WHK-01 R-WHK-02 R-WHK-05 R-WHK-06 R-WHK-08';

check(
  'X-10',
  {
    requirement:
      'R-CONV-05 R-CONV-06 R-CONV-07 R-CONV-08 R-CONV-09 R-CONV-10 R-CONV-11 R-CONV-12 R-CONV-13 R-CONV-14 R-PRD-10',
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
  { requirement: 'R-CONV-25', effect: 'E3', assumes: 'A-308' },
  'nullable fields and required external_id are present and null when unset; arrays present',
  async () => {
    const made = await api('createCustomer', { body: { name: 'Contract bare' } }, 201);
    const shown = await detailOf(made);
    const vendor = await api('createVendor', { body: { name: 'Contract bare' } }, 201);
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
  { requirement: `${SHAPES} R-CONV-02 R-ERR-12`, effect: 'E0' },
  'every list, and what the account has → conforms to the OpenAPI document: declared status, required fields, types, closed enumerations; all timestamps are ISO 8601 in UTC; /accounts/self, /customers/stats, /products/versions and /webhooks/events are not read as ids',
  async () => {
    const seen: string[] = [];
    for (const list of reads.filter((id) => !operationOf(id).path.includes('{')))
      seen.push(...timestamps((await call(list, {}, [200])).body));
    for (const kind of ['customer', 'asset', 'product', 'vendor'] as const) {
      const id = await anyOf(kind);
      const path = { customerId: id, assetCode: id, productId: id, vendorId: id };
      const capital = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
      const { body } = await call(`get${capital}` as OperationId, { path }, [200]);
      seen.push(...timestamps(body));
    }
    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) {
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
      expect(Date.parse(text)).not.toBeNaN();
    }
  },
);

check(
  'X-81',
  { requirement: SHAPES, effect: 'E3' },
  'every read of what the suite made → conforms to the OpenAPI document: declared status, required fields, types, closed enumerations',
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
