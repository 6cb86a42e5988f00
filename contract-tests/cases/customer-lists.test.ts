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
  type Body,
  call,
  check,
  describe,
  expect,
  isOurs,
  now,
  type OperationId,
  unique,
  useUp,
} from '../kit/index.ts';
import { keyOf, pageOf, walk } from './shared/lists.ts';
import type { Caller } from './shared/one-of-each.ts';
import { subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

type Summary = Body<'listCustomers', 200>['items'][number];

async function listed(query: object): Promise<Summary[]> {
  const whole = { limit: 1000, ...query };
  const { body } = await call('listCustomers', { query: whole }, [200]);
  return (body as Body<'listCustomers', 200>).items;
}

const idsOf = async (query: object) => (await listed(query)).map(({ id }) => id);

/** The id of the customer that an external_id redirects to. */
async function redirected(
  query: Readonly<Record<string, unknown>>,
  caller: Caller = {},
): Promise<string | undefined> {
  const { headers, text } = await call('listCustomers', { query, ...caller }, [303]);
  expect(text, 'body of the redirect').toBe('');
  return String(headers['location']).split('/').at(-1);
}

describe('listCustomers by one filter', () => {
  check(
    'CUS-04',
    {
      requirement: ['R-CUS-23', 'R-CUS-24', 'R-CUS-25', 'R-ERR-06'],
      level: 'MUST',
      effect: 'E0',
    },
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
      requirement: ['R-CUS-09', 'R-CUS-10', 'R-CUS-21', 'R-CUS-26', 'R-CUS-27'],
      level: 'MUST',
      effect: 'E0',
    },
    'list item has id, name, active_subscription_count ≥ 0; e-mail with no match → 200 empty page; with match → only exact e-mails',
    async () => {
      const { id } = await aCustomer();
      const [item, ...others] = await listed({ customer_id: id });
      expect(others).toEqual([]);
      expect(item).toMatchObject({ id, name: expect.any(String) });
      expect(item?.active_subscription_count).toBeGreaterThanOrEqual(0);
      expect(Number.isInteger(item?.active_subscription_count), 'a whole number').toBe(true);

      const [email, one, other] = ['none', 'one', 'other'].map(
        (name) => `${unique(name)}@example.com`,
      );
      if (isOurs())
        for (const each of [one, other]) await aFreshCustomer({ email: each as string });
      expect(await listed({ email })).toEqual([]);
      const known = (await listed({})).find((each) => typeof each.email === 'string');
      if (!known) return;
      const found = await listed({ email: known.email });
      expect(found.map((each) => each.id)).toContain(known.id);
      expect(new Set(found.map((each) => each.email))).toEqual(new Set([known.email]));
    },
  );

  check(
    'CUS-09',
    {
      requirement: ['R-CUS-22', 'R-CUS-28', 'R-CUS-29', 'R-CUS-30', 'R-CUS-38'],
      level: 'IMPLIED',
      effect: 'E0',
    },
    'customer_id filter → that one; status=active lists only count ≥ 1, inactive only 0; whether the name filter matches exactly or by part is recorded',
    async (t) => {
      const { customer } = await aSubscriber();
      const { id, name } = await aCustomer('other');
      const counts = async (status: string) =>
        (await listed({ status })).map((item) => item.active_subscription_count);
      const part = await listed({ customer_id: id, name: name.slice(1, 5) });
      t.observe('name filter', part.length === 1 ? 'substring' : 'exact');

      expect(await idsOf({ customer_id: id })).toEqual([id]);
      expect(await idsOf({ customer_id: id, name })).toEqual([id]);
      expect((await counts('active')).filter((count) => count < 1)).toEqual([]);
      expect((await counts('inactive')).filter((count) => count !== 0)).toEqual([]);
      expect(await idsOf({ status: 'active', customer_id: customer.id })).toEqual([customer.id]);
    },
  );

  check(
    'CUS-19',
    { requirement: 'R-CUS-39', level: 'ASSUMED', effect: 'E0', assumes: 'A-602' },
    'two filters that match different customers → empty page',
    async () => {
      const [one, other] = [await aCustomer(), await aCustomer('other')];

      expect(one.id).not.toBe(other.id);
      for (const query of [{ name: unique('nobody') }, { name: other.name }])
        expect(await listed({ customer_id: one.id, ...query })).toEqual([]);
    },
  );
});

describe('listCustomers by text', () => {
  check(
    'CUS-32',
    {
      requirement: ['R-CUS-25', 'R-CUS-26', 'R-CUS-38', 'R-CUS-39', 'R-CUS-41'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-602',
    },
    'e-mail in another case, parts of e-mail and name, wildcards, external_id with other filters → e-mails match without case, names by part without case, wildcards match nothing; external_id returns the redirect, or 404 if nobody has it, whatever else is asked',
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
        { name, email, customer_id: customer.id },
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
});

describe('listCustomers by status', () => {
  check(
    'CUS-56',
    { requirement: 'R-CUS-30', level: 'MUST', effect: 'E3' },
    'active customers between inactive ones, paged through by status alone and with an e-mail → each exactly once, and counted across all pages',
    async () => {
      const email = `${unique('mail')}@example.com`;
      const product = await aFreshProduct();
      const made = { active: [] as string[], inactive: [] as string[] };
      for (const status of [
        'active',
        'inactive',
        'inactive',
        'active',
        'inactive',
        'active',
      ] as const) {
        const customer = await aFreshCustomer({ email });
        if (status === 'active') await subscribe(customer, to(product));
        made[status].push(customer.id);
      }
      const others = { active: 'inactive', inactive: 'active' } as const;
      for (const status of ['active', 'inactive'] as const) {
        await walk({ list: 'listCustomers', query: { email, status } }, made[status]);
        const items = await listed({ status });
        const counts = new Set(items.map((item) => item.active_subscription_count > 0));
        const ids = items.map(({ id }) => id);
        expect(counts, `${status}: whether any is active`).toEqual(new Set([status === 'active']));
        expect(ids.filter((id) => made[others[status]].includes(id))).toEqual([]);
        if (items.length < 1000) expect(ids).toEqual(expect.arrayContaining(made[status]));
      }
    },
  );
});

describe('listCustomers and the state of subscriptions', () => {
  /** Subscriptions of one customer, the statuses that each is then set to, and how many are active in the end. */
  const STATES = [
    { made: [], active: 0 },
    { made: [{}], active: 1 },
    { made: [{ set: ['inactive'] }], active: 0 },
    { made: [{ set: ['inactive'] }, { set: ['inactive'] }], active: 0 },
    { made: [{ set: ['inactive'] }, {}], active: 1 },
    { made: [{ set: ['inactive', 'active'] }, {}], active: 2 },
    { made: [{ isLater: true }], active: 0 },
    { made: [{ isPaid: true }], active: 0 },
  ] as const satisfies readonly { made: readonly Made[]; active: number }[];

  interface Made {
    readonly set?: readonly string[];
    readonly isLater?: boolean;
    readonly isPaid?: boolean;
  }

  check(
    'CUS-60',
    { requirement: ['R-CUS-23', 'R-CUS-30'], level: 'IMPLIED', effect: 'E3', assumes: 'A-602' },
    'customers without subscriptions and with active, ended, reactivated, later and unpaid ones → each is found by external_id, customer_id, e-mail and name, and by the status of its subscriptions alone',
    async () => {
      const [free, paid] = [
        await aFreshProduct(),
        await aFreshProduct({ prices: [aFixedPrice()] }),
      ];
      const name = unique('State');
      for (const { made, active } of STATES) {
        const email = `${unique('mail')}@example.com`;
        const customer = await aFreshCustomer({ name: `${name}.${unique('one')}`, email });
        for (const { set = [], isLater, isPaid } of made as readonly Made[]) {
          const terms = { ...(isLater && { starts_at: now(DAY_MS) }), ...(isPaid && ADDRESSES) };
          const { id } = await subscribe(customer, { ...to(isPaid ? paid : free), ...terms });
          for (const status of set) await update(customer, id, { status });
        }
        const { id, external_id } = customer;
        const [status, other] = active > 0 ? ['active', 'inactive'] : ['inactive', 'active'];
        expect(await redirected({ external_id })).toBe(id);
        await assuming('A-602', async () =>
          expect(await redirected({ external_id, status: other })).toBe(id),
        );
        for (const [query, found] of [
          [{ email, status }, [id]],
          [{ email, status: other }, []],
          [{ customer_id: id }, [id]],
          [{ name: customer.name, status }, [id]],
        ] as const) {
          const items = (await listed(query)).map((item) => [
            item.id,
            item.active_subscription_count,
          ]);
          expect(items, JSON.stringify(query)).toEqual(found.map((each) => [each, active]));
        }
      }
      expect((await pageOf({ list: 'listCustomers', query: { name } })).total_count).toBe(8);
    },
  );
});

describe('listCustomers with customers of several accounts', () => {
  /** Two customers of an account with the same name and e-mail: one with a subscription, one without. */
  async function twoOf(caller: Caller, [name, email, key]: readonly [string, string, string]) {
    const make = async (operation: OperationId, body: object, path = {}) =>
      (await useUp('customer', () => call(operation, { path, body, ...caller }, [201]))).body.id;
    const active: string = await make('createCustomer', { name, email, external_id: key });
    const idle: string = await make('createCustomer', { name, email });
    const sold = { name, code: key, publish: true, prices: [aUnitPrice('contract.alike')] };
    const id = await make('createProduct', sold);
    await make('createSubscription', { products: [{ id }] }, { customerId: active });
    return { caller, active, idle };
  }

  check(
    'CUS-59',
    { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E3', assumes: 'A-104' },
    'customers of the platform and of two connected accounts with similar names, e-mails and external ids → no filter, alone or combined, finds those of another account',
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
          [{}, [idle, active]],
          [{ name }, [idle, active]],
          [{ name: name.toLowerCase().slice(1) }, [idle, active]],
          [{ email }, [idle, active]],
          [{ email: email.toUpperCase(), name }, [idle, active]],
          [{ status: 'active' }, [active]],
          [{ status: 'inactive' }, [idle]],
          [{ status: 'active', email }, [active]],
          [{ status: 'inactive', name }, [idle]],
          [{ customer_id: active }, [active]],
        ] as const)
          expect(await find(query), JSON.stringify(query)).toEqual(found);
        const foreign = everybody.filter((id) => id !== active && id !== idle);
        const more = [{}, { name }, { email }, { status: 'active' }];
        for (const [index, customer_id] of foreign.entries())
          expect(await find({ customer_id, ...more[index] })).toEqual([]);
        expect(await redirected({ external_id: key }, caller)).toBe(active);
      }
    },
  );
});
