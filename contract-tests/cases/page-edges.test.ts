import {
  aConnectedAccount,
  aCustomer,
  aFreshAccount,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  anAsset,
  assuming,
  aVendor,
  call,
  check,
  describe,
  expect,
  send,
  uniqueSubject,
  usageEvent,
} from '../kit/index.ts';
import { submit } from './shared/events.ts';
import { type Confined, pageOf } from './shared/lists.ts';
import type { Caller } from './shared/one-of-each.ts';
import { subscribe, to } from './shared/subscriptions.ts';

const LARGEST = '9223372036854775807';

/** Every list with offset paging, alone and by a filter, each with several items or with one. */
async function allLists(): Promise<readonly Confined[]> {
  const [vendor, account, customer] = [
    await aVendor(),
    await aConnectedAccount(),
    await aFreshCustomer(),
  ];
  for (const make of [aVendor, anAsset, aCustomer, aConnectedAccount]) await make('other');
  const product = await aFreshProduct();
  const subjects = [uniqueSubject(), uniqueSubject(), uniqueSubject()];
  await submit(customer, ...subjects.map((subject) => usageEvent('contract.edge', { subject })));
  for (const amount of [1, 2, 3]) await anAdjustment(customer, { amount });
  for (const each of [customer, await aFreshCustomer(), await aFreshCustomer()])
    await subscribe(each, to(product));
  const [of, external_id] = [{ customer_id: customer.id }, account.external_id];
  const path = { customerId: customer.id, accountId: 'default:USD' };
  return [
    { list: 'listVendors' },
    { list: 'listVendors', query: { external_id: vendor.external_id } },
    { list: 'listConnectedAccounts' },
    { list: 'listConnectedAccounts', query: { external_id } },
    { list: 'listAssets' },
    { list: 'listCustomers' },
    { list: 'listCustomers', query: of },
    { list: 'listCustomers', query: { name: 'Contract' } },
    { list: 'listCustomerStats' },
    { list: 'listProducts' },
    { list: 'listProducts', query: { code: product.code } },
    { list: 'listProductVersions' },
    { list: 'listProductVersions', query: { status: 'published' } },
    { list: 'listSubscribers', path: { productId: product.id } },
    { list: 'listGrants', path },
    { list: 'listGrants', path, query: { purpose: 'paid', exclude_expired: true } },
    { list: 'listEvents' },
    { list: 'listEvents', query: { ...of, event_types: ['contract.edge'] } },
    { list: 'listTasks' },
    { list: 'listTasks', query: { ...of, sort: 'created_at' } },
    { list: 'listTasks', query: { subject: subjects[0] } },
  ];
}

const REFUSED = [
  ...['9223372036854775808', '18446744073709551617', '1e400', '-1', `-${LARGEST}`, '0.5'].map(
    (offset) => ({ offset }),
  ),
  ...['0', '-1', '1001', '2147483648', '4294967297', LARGEST, '1.5'].map((limit) => ({ limit })),
  ...['', ' ', 'x', '1x', '0x10', '1,2', 'null', 'NaN', 'Infinity'].flatMap((text) => [
    { offset: text },
    { limit: text },
  ]),
];

/** Expects a page at this offset to have these items, and to name limit and offset as they were sent. */
async function expectPage(
  { list, path, query }: Confined,
  page: { readonly limit: number; readonly offset: number | string },
  wanted: { readonly items: readonly object[]; readonly total: number },
  caller: Caller = {},
) {
  const parts = { ...(path && { path }), query: { ...query, ...page }, ...caller };
  const { status, body, text } = await send(list, parts);
  const asked = `${list} ${JSON.stringify(parts)}`;
  expect(status, asked).toBe(200);
  expect(body.items, asked).toEqual(wanted.items);
  expect([body.total_count, body.limit], asked).toEqual([wanted.total, page.limit]);
  expect(/"offset"\s*:\s*(\d+)\s*[,}]/.exec(text)?.[1], asked).toBe(String(page.offset));
  return body;
}

describe('pages at the ends of lists', () => {
  check(
    'X-78',
    {
      requirement: ['R-LIM-16', 'R-PAGE-05'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-104', 'A-305'],
    },
    'every list with offset paging, alone and by a filter, with limits of 1, 2 and 1000 at its start, its last item, its end, beyond 32 and 53 bits and at the largest int64 → these items of the whole list, its count and summary, limit and offset as sent; of an account with nothing → none; a limit or offset beyond, or that is no whole number → 400',
    async () => {
      for (const confined of await allLists()) {
        const { items, total_count: total, ...rest } = await pageOf(confined, { limit: 1000 });
        expect(total).toBeGreaterThan(0);
        if (total > 1000) continue;
        const { limit: _, offset: __, ...more } = rest;
        for (const limit of [1, 2, 1000])
          for (const offset of [
            0,
            1,
            total - 1,
            total,
            total + 1,
            1000,
            2 ** 31,
            2 ** 32,
            2 ** 53,
            LARGEST,
          ]) {
            const from = Math.min(Number(offset), total);
            const wanted = { items: items.slice(from, from + limit), total };
            expect(await expectPage(confined, { limit, offset }, wanted)).toMatchObject(more);
          }
      }
    },
  );

  check(
    'X-89',
    {
      requirement: ['R-LIM-16', 'R-PAGE-05'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-104', 'A-305'],
    },
    'every list with offset paging, alone and by a filter, with limits of 1, 2 and 1000 at its start, its last item, its end, beyond 32 and 53 bits and at the largest int64 → these items of the whole list, its count and summary, limit and offset as sent; of an account with nothing → none; a limit or offset beyond, or that is no whole number → 400: of an account without items, and wrong limits and offsets',
    async () => {
      const { id: actingFor } = await aFreshAccount();
      for (const confined of await allLists()) {
        const { list, path, query } = confined;
        for (const page of REFUSED)
          await call(list, { ...(path && { path }), query: { ...query, ...page } }, [400]);
        if (path !== undefined || query !== undefined) continue;
        await assuming('A-104', async () => {
          for (const offset of [0, 1, LARGEST])
            await expectPage(
              confined,
              { limit: 7, offset },
              { items: [], total: 0 },
              { actingFor },
            );
        });
      }
    },
  );
});
