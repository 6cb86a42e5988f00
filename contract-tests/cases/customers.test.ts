import {
  aCustomer,
  aFreshAccount,
  aFreshCustomer,
  aFreshProduct,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aVendor,
  call,
  check,
  expect,
  isOurs,
  type OperationId,
  type OwnObject,
  runMark,
  today,
  unique,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { redirected, statsEntryOf, statsOf } from './shared/customers.ts';
import { listed, taskOf } from './shared/events.ts';
import { expectChanged } from './shared/fields.ts';
import { keyOf, pageOf } from './shared/lists.ts';
import { detailOf, subscribe, to } from './shared/subscriptions.ts';
import { METADATA, payers } from './shared/values.ts';
import { charge, charged } from './shared/wallets.ts';
import { log } from './shared/webhooks.ts';

/** A customer with every field. */
const whole = () => ({
  external_id: unique('customer'),
  email: `${unique('mail')}@example.com`,
  metadata: { ...runMark(), region: 'eu' },
  external_accounts: [{ provider: 'stripe', provider_id: unique('payer') }],
});

check(
  'CUS-53',
  { requirement: 'R-CUS-42', effect: 'E3' },
  'customer created with one valid and one invalid subscription → 422, neither customer nor subscription is created, and the external_id is free',
  async () => {
    const product = await aFreshProduct();
    const archived = await aFreshProduct();
    await api('archiveProductVersion', { path: { productId: archived.id, version: '1' } }, 204);
    const external_id = unique('customer');
    const email = `${external_id}@example.com`;
    const body = { name: 'Contract refused', external_id, email };
    const latest = async () => (await log({ limit: 1 }))[0]?.id;
    const before = await latest();
    for (const bad of [to({ ...product, id: unknownId('prp') }), to(archived)]) {
      const subscriptions = [to(product), bad];
      await call('createCustomer', { body: { ...body, subscriptions } }, [422]);
      await call('listCustomers', { query: { external_id } }, [404]);
      for (const confined of [
        { list: 'listCustomers', query: { email } },
        { list: 'listSubscribers', path: { productId: product.id } },
      ] as const)
        expect(await pageOf(confined)).toMatchObject({ items: [], total_count: 0 });
    }
    if (isOurs()) expect(await latest(), 'latest event').toBe(before);
    const customer = await aFreshCustomer({ ...body, subscriptions: [to(product)] });

    expect(await redirected({ external_id })).toBe(customer.id);
  },
);

check(
  'CUS-27',
  {
    requirement: 'R-CONV-18 R-CUS-04 R-CUS-33 R-CUS-37 R-CUS-40',
    effect: 'E3',
    assumes: 'A-305 A-307 A-601',
  },
  'each field of a customer updated alone, to another value, an empty one, none and null, and an update without fields → 204 without a body, only that field changes, nothing of its former value stays, and the customer keeps its place in the list',
  async () => {
    const made = await aFreshCustomer(whole());
    const newer = await aFreshCustomer();
    await expectChanged({
      made,
      // What is not set can be left out.
      read: async (one) => ({ external_id: null, email: null, ...(await detailOf(one)) }),
      async update({ id }, body) {
        const { text } = await call('updateCustomer', { path: { customerId: id }, body }, [204]);
        expect(text).toBe('');
      },
      changes: [
        { name: 'Contract renamed' },
        { external_id: ` ${unique('customer')}\t` },
        { external_id: null },
        { email: `${unique('mail')}@example.com` },
        { email: null },
        { external_accounts: [] },
        { external_accounts: payers() },
        { metadata: METADATA[0] },
        { metadata: {} },
        { metadata: null },
      ],
    });
    const path = { customerId: made.id };
    await call('updateCustomer', { path, body: { external_accounts: null } }, [204]);
    expect((await detailOf(made)).external_accounts, 'external accounts, null').toEqual([]);
    const { items } = await pageOf({ list: 'listCustomers' }, { limit: 1000 });
    const own = items.map(({ id }) => id).filter((id) => id === made.id || id === newer.id);
    expect(own, 'order of the list, newest first').toEqual([newer.id, made.id]);
  },
);

check(
  'CUS-54',
  { requirement: 'R-CUS-02 R-CUS-37 R-PRF-10', effect: 'E3', assumes: 'A-307 A-601' },
  'name, e-mail and external_id of a customer changed, or cleared, after they were looked for → what it had finds nothing, no customer, event or task, and what it has finds it, its earlier events and tasks, which name it so, as the stats do; the former external_id can be given to a new customer, and finds that customer, whose are later events sent by it',
  async () => {
    for (const isCleared of [false, true]) {
      const email = `${unique('mail')}@example.com`;
      const former = await aFreshCustomer({ name: unique('Former'), email });
      const { external_id, name } = former;
      const path = { customerId: former.id };
      const event = await aUsageEvent(former, 'contract.unpriced');
      const send = async (status: number) => {
        const { id, ...use } = usageEvent('contract.unpriced', { subject: event.subject });
        const body = { customer_external_id: external_id as string, events: [{ id, ...use }] };
        await call('submitEvents', { body }, [status]);
        return id;
      };
      const customersOf = async (id: string) =>
        (await listed({ event_id: id })).map(({ customer_id }) => customer_id);
      /** What the fields of a customer find: customers, and the events and tasks of one. */
      const foundBy = async (fields: Readonly<Record<string, string | null>>) => {
        const found: string[] = [];
        const add = async (list: OperationId, query: object) =>
          found.push(...(await pageOf({ list, query: { ...query } })).items.map(keyOf));
        await add('listCustomers', { name: fields['name'] });
        if (fields['email']) await add('listCustomers', { email: fields['email'] });
        if (!fields['external_id']) return found;
        const query = { customer_external_id: fields['external_id'] };
        await add('listTasks', query);
        await add('listEvents', query);
        return found;
      };
      /** Who the stats and the task of the usage are said to be of. */
      const named = async () => {
        const { customer } = await taskOf(former, event.subject);
        const who = [await statsEntryOf(former, {}), customer];
        return who.map((one) => [one?.name, one?.external_id ?? null]);
      };
      const usage = [`${former.id}:${event.subject}`, await send(204), event.id];
      expect(await foundBy({ name, email, external_id }), 'before').toEqual([
        former.id,
        former.id,
        ...usage,
      ]);
      const change = {
        name: unique('Changed'),
        email: isCleared ? null : `x${email}`,
        external_id: isCleared ? null : unique('customer'),
      };
      if (change.external_id) {
        const query = { external_id: change.external_id };
        await call('listCustomers', { query }, [404]);
      }
      await call('updateCustomer', { path, body: change }, [204]);
      if (change.external_id)
        expect(await redirected({ external_id: change.external_id })).toBe(former.id);
      await call('listCustomers', { query: { external_id } }, [404]);
      expect(await foundBy({ name, email, external_id }), 'by what it had').toEqual([]);
      expect(await foundBy(change), 'by what it has').toEqual(
        isCleared ? [former.id] : [former.id, former.id, ...usage],
      );
      expect(await named()).toEqual(Array(2).fill([change.name, change.external_id]));
      await send(422);
      const [item] = await listed({ event_id: event.id });
      expect(item?.external_id ?? null, 'external_id of an earlier event').toBe(change.external_id);
      const next = await aFreshCustomer({ name: 'Contract next', external_id });

      expect(await redirected({ external_id })).toBe(next.id);
      expect(await customersOf(await send(204)), 'customer of a later event').toEqual([next.id]);
      expect(await detailOf(former)).toMatchObject(
        isCleared ? { name: change.name } : (change as object),
      );
    }
  },
);

const period = () => ({ period_from: today(-1), period_to: today() });

check(
  'CUS-13',
  {
    requirement:
      'R-CONV-03 R-PRF-01 R-PRF-04 R-PRF-07 R-PRF-08 R-PRF-09 R-PRF-10 R-PRF-15 R-PRF-16',
    effect: 'E0',
    partly: 'A-903',
  },
  'stats list echoes period_from/to, by default from the first day of the month of its end to today or to a later start, has summary and paging fields; the stats in summary, in items and of one customer have all five fields',
  async () => {
    const { id } = await aCustomer();
    const asked = period();
    const page = await api('listCustomerStats', { query: { ...asked, limit: 1 } }, 200);

    expect(page).toMatchObject({ ...asked, limit: 1, offset: 0 });
    expect(page.items.length).toBeLessThanOrEqual(1);
    for (const stats of [
      page.summary,
      ...page.items.map((item) => item.stats),
      await statsOf({ id }),
    ]) {
      for (const field of ['gross_revenue', 'total_costs', 'net_revenue', 'margin'] as const)
        expect(stats[field], field).toBeTypeOf('number');
      expect(stats.currency, 'currency').toMatch(/^[A-Z]{3}$/);
    }
    await assuming('A-903', async () => {
      const { period_from, period_to } = await api('listCustomerStats', {}, 200);
      expect([period_from, period_to]).toEqual([`${today().slice(0, 7)}-01`, today()]);
      const query = { period_to: today(-40) };
      const before = await api('listCustomerStats', { query }, 200);
      expect(before.period_from, 'of an earlier end').toBe(`${today(-40).slice(0, 7)}-01`);
      const later = { period_from: today(3) };
      expect(
        await api('listCustomerStats', { query: later }, 200),
        'of a later start',
      ).toMatchObject({ ...later, period_to: later.period_from });
    });
  },
);

check(
  'CUS-14',
  {
    requirement: 'R-LIM-10 R-PRF-02 R-PRF-03 R-PRF-11 R-PRF-12 R-PRF-13',
    effect: 'E3',
    partly: 'A-304',
  },
  'an event dated exactly period_to is included, one of the next day is not; net revenue = gross revenue − costs; margin = net ÷ gross revenue, also of a loss, if that is not 0; the margin at a revenue of 0 is recorded',
  async (t) => {
    const { product } = await aSubscriber();
    const [customer, vendor] = [await aFreshCustomer(), await aVendor()];
    t.observe('margin without revenue', (await statsOf(customer)).margin);
    await subscribe(customer, { ...to(product), starts_at: `${today(-4)}T00:00:00Z` });
    const costs = [{ id: uuid(), vendor_id: vendor.id, amount: 0.1 }];
    const loss = [{ id: uuid(), vendor_id: vendor.id, amount: 10.75 }];
    for (const [day, more] of [
      [today(-3), { costs: loss }],
      [today(-3), {}],
      [today(-3), {}],
      [today(-1), {}],
      [today(), { costs }],
    ] as const) {
      const occurred_at = `${day}T00:00:00Z`;
      await aUsageEvent(customer, product.eventType, { occurred_at, ...more });
    }
    const statsIn = async (from: number, to: number) => {
      const query = { period_from: today(from), period_to: today(to) };
      return (await statsEntryOf(customer, query))?.stats as Awaited<ReturnType<typeof statsOf>>;
    };

    // One event costs 0.25.
    expect((await statsIn(-2, -1)).gross_revenue).toBe(0.25);
    expect((await statsIn(-1, 0)).gross_revenue).toBe(0.5);
    const stats = await statsIn(0, 0);
    expect([stats.gross_revenue, stats.total_costs]).toEqual([0.25, 0.1]);
    expect(String(amount(stats, 'net_revenue')), 'net_revenue').toBe('0.15');
    expect(String(amount(stats, 'margin')), 'margin').toBe('0.6');
    const lost = await statsIn(-3, -3);
    expect([lost.gross_revenue, lost.total_costs, lost.net_revenue]).toEqual([0.75, 10.75, -10]);
    await assuming('A-304', async () => {
      expect(String(amount(lost, 'margin')), 'margin of a loss').toBe('-13.3333333333');
    });
  },
);

check(
  'CUS-52',
  { requirement: 'R-ACC-17', effect: 'E4', assumes: 'A-104 A-903' },
  "equal revenue of two customers of a connected account → in the account's summary and items, newest customer first, not in the platform's",
  async () => {
    const actingFor = (await aFreshAccount()).id;
    const own = await aFreshCustomer();
    const read = async (caller: object) => {
      const query = { ...period(), limit: 1000 };
      return (await call('listCustomerStats', { query, ...caller }, [200])).body;
    };
    const before = await read({});
    const body = { name: 'Contract end user', metadata: runMark() };
    const users: string[] = [];
    for (const _ of ['older', 'newer']) {
      const made = await call('createCustomer', { body, actingFor }, [201]);
      users.unshift(made.body.id);
      const path = { customerId: made.body.id };
      await call('chargeWallet', { path, body: charge({ amount: 8 }), actingFor }, [201]);
    }
    const beside = await read({});
    const connected = await read({ actingFor });
    await charged(own, { amount: 2 });

    expect([beside.summary, beside.total_count]).toEqual([before.summary, before.total_count]);
    expect(connected).toMatchObject({ total_count: 2, summary: { gross_revenue: 16 } });
    expect(connected.items.map(({ id }: OwnObject) => id)).toEqual(users);
    expect((await read({ actingFor })).summary).toEqual(connected.summary);
    const rise = amount((await read({})).summary, 'gross_revenue').minus(
      amount(before.summary, 'gross_revenue'),
    );
    expect(String(rise)).toBe('2');
  },
);
