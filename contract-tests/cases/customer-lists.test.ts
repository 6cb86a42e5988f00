import {
  ADDRESSES,
  aCustomer,
  aFixedPrice,
  aFreshAccount,
  aFreshCustomer,
  aFreshProduct,
  aSubscriber,
  assuming,
  aUnitPrice,
  call,
  check,
  expect,
  isOurs,
  now,
  type OperationId,
  unique,
} from '../kit/index.ts';
import { listedCustomers, redirected } from './shared/customers.ts';
import { keyOf, walk } from './shared/lists.ts';
import type { Caller } from './shared/one-of-each.ts';
import { subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

const idsOf = async (query: object) => (await listedCustomers(query)).map(({ id }) => id);

check(
  'CUS-04',
  { requirement: 'R-CUS-23 R-CUS-24 R-CUS-25 R-ERR-06', effect: 'E0' },
  'external_id with a match → 303, no body, Location resolves to that customer; without → 404, not an empty list',
  async () => {
    const { id, external_id } = await aCustomer();
    const { headers, text } = await call('listCustomers', { query: { external_id } }, [303]);
    const { pathname } = new URL(String(headers['location']), 'http://relative.invalid');
    const missed = { query: { external_id: unique('nobody') } };

    expect(text).toBe('');
    expect(pathname.endsWith(`/customers/${id}`), pathname).toBe(true);
    expect((await call('listCustomers', missed, [404])).text).toBe('');
  },
);

check(
  'CUS-06',
  {
    requirement:
      'R-CUS-09 R-CUS-10 R-CUS-21 R-CUS-22 R-CUS-26 R-CUS-27 R-CUS-28 R-CUS-29 R-CUS-30 R-CUS-38 R-CUS-39',
    effect: 'E0',
    partly: 'A-602',
  },
  'customers by each filter, alone and by two together → only those that match, with id, name and active_subscription_count, or an empty page; whether the name filter matches exactly or by part is recorded',
  async (t) => {
    const { customer: active } = await aSubscriber();
    const [one, other] = [await aCustomer(), await aCustomer('other')];
    const [item] = await listedCustomers({ customer_id: one.id });
    expect(item).toMatchObject({ id: one.id, name: one.name });
    expect(item?.active_subscription_count).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(item?.active_subscription_count), 'a whole number').toBe(true);
    const part = await listedCustomers({ customer_id: one.id, name: one.name.slice(1, 5) });
    t.observe('name filter', part.length === 1 ? 'substring' : 'exact');

    for (const [query, ids] of [
      [{ customer_id: other.id }, [other.id]],
      [{ customer_id: other.id, name: other.name }, [other.id]],
      [{ email: `${unique('none')}@example.com` }, []],
      [{ status: 'active', customer_id: active.id }, [active.id]],
      [{ status: 'inactive', customer_id: active.id }, []],
    ] as const)
      expect(await idsOf(query), JSON.stringify(query)).toEqual(ids);
    await assuming('A-602', async () => {
      for (const name of [unique('nobody'), other.name])
        expect(await idsOf({ customer_id: one.id, name })).toEqual([]);
    });
    const counts = async (status: string) =>
      (await listedCustomers({ status })).map((each) => each.active_subscription_count);
    expect((await counts('active')).filter((count) => count < 1)).toEqual([]);
    expect((await counts('inactive')).filter((count) => count !== 0)).toEqual([]);
    if (isOurs()) await aFreshCustomer({ email: `${unique('one')}@example.com` });
    const known = (await listedCustomers({})).find((each) => typeof each.email === 'string');
    if (!known) return;
    const found = await listedCustomers({ email: known.email });
    expect(found.map((each) => each.id)).toContain(known.id);
    expect(new Set(found.map((each) => each.email))).toEqual(new Set([known.email]));
  },
);

check(
  'CUS-32',
  { requirement: 'R-CUS-25 R-CUS-26 R-CUS-38 R-CUS-39 R-CUS-41', effect: 'E3', assumes: 'A-602' },
  'e-mail in another case, parts of e-mail and name, wildcards, external_id with other filters → e-mails match without regard to letter case, and so do parts of names; wildcards match nothing; external_id returns the redirect, or 404 if nobody has it, whatever else is asked',
  async () => {
    const key = unique('Find');
    const [email, name] = [`${key}@example.com`, `${key} Name_50% (x)`];
    const customer = await aFreshCustomer({ email, name });
    await aFreshCustomer({ email: `x${email}`, name: `${key.slice(1)} other` });
    const { external_id } = customer;

    for (const query of [
      { email: email.toUpperCase() },
      { email: email.toLowerCase() },
      { name: name.toUpperCase() },
      { name: `${key.toLowerCase()} NAME` },
      { name: `${key.slice(3)} Name_50%` },
      { name: name.toUpperCase(), email: email.toUpperCase(), customer_id: customer.id },
    ])
      expect(await idsOf(query), JSON.stringify(query)).toEqual([customer.id]);
    for (const query of [
      { email: key },
      { email: email.slice(1) },
      { email: `${email}.` },
      { name: `${key}%` },
      { name: `${key}_` },
      { name: `${key}*` },
      { name: `${key} Name.50` },
      { name: `${name} ` },
    ])
      expect(await idsOf(query), JSON.stringify(query)).toEqual([]);
    const nobody = unique('nobody');
    for (const other of [
      { name: 'nobody' },
      { status: 'active' },
      { status: 'inactive' },
      { customer_id: 'cust_none' },
      { email: `x${email}` },
      { offset: 1, limit: 1 },
      { name, email, customer_id: customer.id },
    ]) {
      const missed = { query: { external_id: nobody, ...other } };
      const asked = JSON.stringify(other);
      expect(await redirected({ external_id, ...other }), asked).toBe(customer.id);
      expect((await call('listCustomers', missed, [404])).text, asked).toBe('');
    }
  },
);

interface Made {
  readonly set?: readonly string[];
  readonly isLater?: boolean;
  readonly isPaid?: boolean;
}

/** Subscriptions of one customer, the statuses that each is then set to, and how many are active in the end. */
const STATES: readonly (readonly [made: readonly Made[], active: number])[] = [
  [[], 0],
  [[{}], 1],
  [[{ set: ['inactive'] }], 0],
  [[{ set: ['inactive', 'active'] }, {}], 2],
  [[{ isLater: true }], 0],
  [[{ isPaid: true }], 0],
];

check(
  'CUS-60',
  { requirement: 'R-CUS-23 R-CUS-30', effect: 'E3', partly: 'A-602' },
  'customers without subscriptions and with active, ended, reactivated, later and unpaid ones → each is found by external_id and customer_id, and by the status of its subscriptions alone; those of a status, page by page → each once, counted across all pages',
  async () => {
    const free = await aFreshProduct();
    const paid = await aFreshProduct({ prices: [aFixedPrice()] });
    const name = unique('State');
    const ids = { active: [] as string[], inactive: [] as string[] };
    for (const [made, active] of STATES) {
      const customer = await aFreshCustomer({ name: `${name}.${unique('one')}` });
      for (const { set = [], isLater, isPaid } of made) {
        const terms = { ...(isLater && { starts_at: now(DAY_MS) }), ...(isPaid && ADDRESSES) };
        const { id } = await subscribe(customer, { ...to(isPaid ? paid : free), ...terms });
        for (const status of set) await update(customer, id, { status });
      }
      const { id, external_id } = customer;
      const [status, other] =
        active > 0 ? (['active', 'inactive'] as const) : (['inactive', 'active'] as const);
      ids[status].push(id);
      await assuming('A-602', async () =>
        expect(await redirected({ external_id, status: other })).toBe(id),
      );
      for (const [query, found] of [
        [{ customer_id: id, status: other }, []],
        [{ customer_id: id, status }, [[id, active]]],
      ] as const) {
        const items = await listedCustomers(query);
        const shown = items.map((item) => [item.id, item.active_subscription_count]);
        expect(shown, JSON.stringify(query)).toEqual(found);
      }
    }
    for (const status of ['active', 'inactive'] as const)
      await walk({ list: 'listCustomers', query: { name, status } }, ids[status]);
  },
);

/** Two customers of an account with the same name and e-mail: one with a subscription, one without. */
async function twoOf(caller: Caller, [name, email, key]: readonly [string, string, string]) {
  const make = async (operation: OperationId, body: object, path = {}) =>
    (await call(operation, { path, body, ...caller }, [201])).body.id;
  const active: string = await make('createCustomer', { name, email, external_id: key });
  const idle: string = await make('createCustomer', { name, email });
  const sold = { name, code: key, publish: true, prices: [aUnitPrice('contract.alike')] };
  const id = await make('createProduct', sold);
  await make('createSubscription', { products: [{ id }] }, { customerId: active });
  return { caller, active, idle };
}

check(
  'CUS-59',
  { requirement: 'R-ACC-17', effect: 'E3', assumes: 'A-104' },
  'customers of the platform and of two connected accounts with similar names, e-mails and external ids, some of them by an update → no filter, alone or combined, finds those of another account',
  async () => {
    const [name, key] = [unique('Alike'), unique('alike')];
    const email = `${key}@example.com`;
    const made: Awaited<ReturnType<typeof twoOf>>[] = [];
    for (const caller of [
      {},
      { actingFor: (await aFreshAccount()).id },
      { actingFor: (await aFreshAccount()).id },
    ])
      made.push(await twoOf(caller, [name, email, key]));
    const everybody = made.flatMap(({ active, idle }) => [active, idle]);
    for (const { caller, active, idle } of made) {
      const find = async (query: object) => {
        const whole = { query: { limit: 1000, ...query }, ...caller };
        const { items, total_count } = (await call('listCustomers', whole, [200])).body;
        if ('actingFor' in caller) expect(total_count).toBe(items.length);
        return items.map(keyOf).filter((id: string) => everybody.includes(id));
      };
      for (const [query, found] of [
        [{ name }, [idle, active]],
        [{ email }, [idle, active]],
        [{ status: 'active' }, [active]],
        [{ status: 'inactive' }, [idle]],
        [{ status: 'active', email }, [active]],
        [{ customer_id: active }, [active]],
      ] as const)
        expect(await find(query), JSON.stringify(query)).toEqual(found);
      const foreign = everybody.filter((id) => id !== active && id !== idle);
      const more = [{}, { name }, { email }, { status: 'active' }];
      for (const [index, customer_id] of foreign.entries())
        expect(await find({ customer_id, ...more[index] })).toEqual([]);
      expect(await redirected({ external_id: key }, caller)).toBe(active);
      const other = { external_id: `${key}.other` };
      const path = { customerId: idle };
      await call('updateCustomer', { path, body: other, ...caller }, [204]);
      expect(await redirected(other, caller), 'after an update').toBe(idle);
    }
  },
);
