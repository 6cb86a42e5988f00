import {
  ADDRESSES,
  aFixedPrice,
  aFreshAccount,
  aFreshCustomer,
  aFreshProduct,
  assuming,
  aUnitPrice,
  call,
  check,
  expect,
  now,
  type OperationId,
  unique,
  useUp,
} from '../kit/index.ts';
import { listedCustomers, redirected } from './shared/customer-list.ts';
import { keyOf, pageOf, walk } from './shared/lists.ts';
import type { Caller } from './shared/one-of-each.ts';
import { subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

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
      const items = await listedCustomers({ status });
      const counts = new Set(items.map((item) => item.active_subscription_count > 0));
      const ids = items.map(({ id }) => id);
      expect(counts, `${status}: whether any is active`).toEqual(new Set([status === 'active']));
      expect(ids.filter((id) => made[others[status]].includes(id))).toEqual([]);
      if (items.length < 1000) expect(ids).toEqual(expect.arrayContaining(made[status]));
    }
  },
);

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
    const [free, paid] = [await aFreshProduct(), await aFreshProduct({ prices: [aFixedPrice()] })];
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
        const items = (await listedCustomers(query)).map((item) => [
          item.id,
          item.active_subscription_count,
        ]);
        expect(items, JSON.stringify(query)).toEqual(found.map((each) => [each, active]));
      }
    }
    expect((await pageOf({ list: 'listCustomers', query: { name } })).total_count).toBe(8);
  },
);

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
