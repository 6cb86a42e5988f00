import {
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  aUnitPrice,
  aWebhook,
  check,
  expect,
  now,
  type OwnObject,
  refused,
  restOn,
  today,
  unique,
  uniqueSubject,
  unknownId,
  usageEvent,
} from '../kit/index.ts';
import { submit } from './shared/events.ts';
import { type Filter, tryFilters, tryPairs } from './shared/lists.ts';
import { addVersion } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS, moved } from './shared/times.ts';
import { grantsOf } from './shared/wallets.ts';
import { enable } from './shared/webhooks.ts';

/** Two customers with external ids of the same start, and six events that each differ in one field. The second one pays 0. */
async function aUsage() {
  const external_id = unique('near');
  const product = await aFreshProduct();
  const one = await aFreshCustomer({ external_id });
  const other = await aFreshCustomer({ external_id: `${external_id}0` });
  const starts_at = now(-4 * DAY_MS);
  const subject = `${uniqueSubject()}a`;
  const type = product.eventType;
  const freeOfCharge = await aFreshProduct({ prices: [aUnitPrice(type, 0)] });
  for (const [customer, held] of [
    [one, product],
    [other, freeOfCharge],
  ] as const)
    await subscribe(customer, { ...to(held), starts_at });
  const ids: Record<string, string> = {};
  const add = async (customer: OwnObject, added: Readonly<Record<string, object>>) => {
    const events = Object.values(added).map((more) => usageEvent(type, { subject, ...more }));
    await submit(customer, ...events);
    Object.keys(added).forEach((name, index) => {
      ids[name] = events[index]?.id as string;
    });
  };
  await add(one, { priced: {} });
  await add(one, { late: { occurred_at: `${today(-1)}T00:00:00.000Z` } });
  await add(one, {
    later: { occurred_at: `${today(-2)}T23:59:59.999Z`, subject: `${subject}b` },
    free: { event_type: `${type}.x`, subject: `${subject}b` },
  });
  await add(other, {
    foreign: {},
    loud: { subject: subject.toUpperCase(), event_type: type.toUpperCase() },
  });
  return { one, other, ids, subject, type };
}

/** The filters of events, and what they find of `aUsage`. */
function filtersOf({ one, other, ids, subject, type }: Awaited<ReturnType<typeof aUsage>>) {
  const own = ['priced', 'late', 'later', 'free'];
  const filters: Filter[] = [
    { query: { event_id: ids['late'] as string }, fits: ['late'] },
    { query: { customer_id: one.id }, fits: own },
    { query: { customer_id: other.id }, fits: ['foreign', 'loud'] },
    { query: { customer_external_id: one.external_id }, fits: own },
    { query: { customer_external_id: other.external_id }, fits: ['foreign', 'loud'] },
    { query: { subject }, fits: ['priced', 'late', 'foreign'] },
    { query: { subject: `${subject}b` }, fits: ['later', 'free'] },
    { query: { event_types: [type] }, fits: ['priced', 'late', 'later', 'foreign'] },
    {
      query: { event_types: [`${type}.x`, `${type}.y`, type.toUpperCase()] },
      fits: ['free', 'loud'],
    },
    { query: { has_fees: true }, fits: ['priced', 'late', 'later', 'foreign'], isShared: true },
    { query: { has_fees: false }, fits: ['free', 'loud'], isShared: true },
    {
      query: { period_from: today(-1) },
      fits: ['priced', 'late', 'free', 'foreign', 'loud'],
      isShared: true,
    },
    {
      query: { period_from: today() },
      fits: ['priced', 'free', 'foreign', 'loud'],
      isShared: true,
    },
    { query: { period_to: today(-1) }, fits: ['late', 'later'], isShared: true },
    { query: { period_to: today(-2) }, fits: ['later'], isShared: true },
  ];
  return filters;
}

const OF_EVENTS = {
  requirement: 'R-EVT-39 R-EVT-40 R-EVT-41 R-EVT-42 R-EVT-43 R-EVT-44 R-LIM-09 R-PAGE-04',
  effect: 'E3',
  partly: 'A-305',
} as const;
const ALIKE = 'events that differ by a letter, its case or a millisecond';

check(
  'EVT-48',
  OF_EVENTS,
  `each filter of events, with ${ALIKE} → the matching ones, newest submission first, the last of a batch first, their count, their second page`,
  async () => {
    const usage = await aUsage();
    await tryFilters({ list: 'listEvents' }, usage.ids, filtersOf(usage));
  },
);

check(
  'EVT-109',
  OF_EVENTS,
  `each two filters of events, all but event_id, and these with one that does not match, with ${ALIKE} → the matching ones, newest first, their count`,
  async () => {
    const usage = await aUsage();
    const filters = filtersOf(usage);
    await tryPairs({ list: 'listEvents' }, usage.ids, filters, 'late');
  },
);

check(
  'CUS-25',
  { requirement: 'R-CUS-22 R-CUS-26 R-CUS-28 R-CUS-30', effect: 'E3', partly: 'A-305' },
  'each filter of customers, each two and all together, with similar customers that must not match → the matching ones, newest first, their count, their second page',
  async () => {
    const mail = unique('mail');
    const [name, product] = [unique('name'), await aFreshProduct()];
    const make = (email: string, called: string) => aFreshCustomer({ email, name: called });
    const one = await make(`${mail}@example.com`, `${name} one`);
    const two = await make(`${mail}@example.com`, `${name} two`);
    const longer = await make(`x${mail}@example.com`, `${name} one`);
    const other = await make(`${mail}@example.org`, `${name} two`);
    // The order of a list is that of the customers, not of their subscriptions.
    for (const customer of [longer, one]) await subscribe(customer, to(product));
    const ids = { one: one.id, two: two.id, longer: longer.id, other: other.id };
    const filters: Filter[] = [
      { query: { customer_id: one.id }, fits: ['one'] },
      { query: { email: `${mail}@example.com` }, fits: ['one', 'two'] },
      { query: { email: `x${mail}@example.com` }, fits: ['longer'] },
      { query: { name: `${name} one` }, fits: ['one', 'longer'] },
      { query: { name: `${name} two` }, fits: ['two', 'other'] },
      { query: { status: 'active' }, fits: ['one', 'longer'], isShared: true },
      { query: { status: 'inactive' }, fits: ['two', 'other'], isShared: true },
    ];

    await tryFilters({ list: 'listCustomers' }, ids, filters);
    await tryPairs({ list: 'listCustomers' }, ids, filters, 'one');
  },
);

check(
  'PRD-32',
  { requirement: 'R-PRD-27', effect: 'E3', partly: 'A-305' },
  'versions of products by each status → those of that status alone, every version of a product, newest first',
  async () => {
    const [one, lower] = [await aFreshProduct(), await aFreshProduct({ publish: false })];
    await addVersion(one, { publish: true });
    await addVersion(one, {});
    await api('archiveProductVersion', { path: { productId: one.id, version: '1' } }, 204);
    const ids = {
      old: `${one.id}@1`,
      lower: `${lower.id}@1`,
      live: `${one.id}@2`,
      draft: `${one.id}@3`,
    };
    await tryFilters({ list: 'listProductVersions' }, ids, [
      { query: { status: 'published' }, fits: ['live'], isShared: true },
      { query: { status: 'draft' }, fits: ['draft', 'lower'], isShared: true },
      { query: { status: 'archived' }, fits: ['old'], isShared: true },
    ]);
  },
);

check(
  'WAL-46',
  {
    requirement: 'R-WAL-21 R-WAL-22 R-WAL-23 R-WAL-24 R-WAL-25 R-WAL-26 R-WAL-45 R-WAL-56',
    effect: 'E3',
    partly: 'A-305 A-704',
  },
  'grants that begin in the past and end a millisecond apart, or never end → shown as sent; by each bound, purpose and exclude_expired, each alone, each two and all together → the matching ones, newest first, their count, their second page; a malformed date → 400, an unknown customer → 404',
  async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const [start, end] = [now(-DAY_MS), now(DAY_MS)];
    const ids: Record<string, string> = {};
    const purposes: unknown[] = [];
    for (const [name, reason, by, ends] of [
      ['before', 'gift', -1, true],
      ['at', 'external_topup', 0, true],
      ['after', 'gift', 1, true],
      ['never', 'gift', 2, false],
    ] as const) {
      const effective_at = moved(start, by);
      const expires_at = ends ? moved(end, by) : null;
      const sent = { amount: 5 + by, effective_at, expires_at };
      await anAdjustment(customer, { reason, ...sent } as never);
      const grant = (await grantsOf(customer)).find(({ id }) => !Object.values(ids).includes(id));
      ids[name] = grant?.id as string;
      purposes.push(grant?.purpose);
      const { available: amount } = grant ?? {};
      expect({ ...grant, amount }, name).toMatchObject(sent);
    }
    const isAsAssumed = purposes.join() === 'promotion,paid,promotion,promotion';
    await restOn('A-704', isAsAssumed, 'adjustments have other purposes');
    const filters: Filter[] = [
      { query: { purpose: 'promotion' }, fits: ['before', 'after', 'never'] },
      { query: { purpose: 'paid' }, fits: ['at'] },
      { query: { exclude_expired: true }, fits: Object.keys(ids) },
      { query: { expired_from: end }, fits: ['at', 'after'] },
      { query: { expired_from: moved(end, 1) }, fits: ['after'] },
      { query: { expired_to: end }, fits: ['before', 'at'] },
      { query: { expired_to: moved(end, -1) }, fits: ['before'] },
      { query: { expired_to: moved(end, -2) }, fits: [] },
      { query: { effective_from: start }, fits: ['at', 'after', 'never'] },
      { query: { effective_from: moved(start, 3) }, fits: [] },
      { query: { effective_to: start }, fits: ['before', 'at'] },
      { query: { effective_to: moved(start, -1) }, fits: ['before'] },
    ];

    await tryFilters({ list: 'listGrants', path }, ids, filters);
    await tryPairs({ list: 'listGrants', path }, ids, filters, 'at');
    await refused('listGrants', { path, query: { expired_to: 'tomorrow' } }, [400]);
    await refused('listGrants', { path: { ...path, customerId: unknownId('cust') } }, [404]);
  },
);

check(
  'WHK-44',
  { requirement: 'R-WHK-16 R-WHK-18', effect: 'E2' },
  'destinations by enabled, by connect and by both → the matching ones, and their count',
  async (t) => {
    const [on, off] = [await aWebhook(t), await aWebhook(t)];
    const [far, gone] = [
      await aWebhook(t, { connect: true }),
      await aWebhook(t, { connect: true }),
    ];
    for (const each of [off, gone]) await enable(each, false);
    const ids = new Map(Object.entries({ on, off, far, gone }).map(([name, { id }]) => [id, name]));
    const named = async (query: object) => {
      const { items, total_count } = await api('listWebhooks', { query }, 200);
      expect(total_count).toBe(items.length);
      return items.flatMap(({ id }) => ids.get(id) ?? []).sort();
    };

    for (const [query, wanted] of [
      [{}, 'far gone off on'],
      [{ enabled: true }, 'far on'],
      [{ enabled: false }, 'gone off'],
      [{ connect: true }, 'far gone'],
      [{ connect: false }, 'off on'],
      [{ enabled: true, connect: true }, 'far'],
      [{ enabled: true, connect: false }, 'on'],
      [{ enabled: false, connect: true }, 'gone'],
      [{ enabled: false, connect: false }, 'off'],
    ] as const)
      expect((await named(query)).join(' '), JSON.stringify(query)).toBe(wanted);
  },
);
