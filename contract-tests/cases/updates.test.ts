import {
  ADDRESSES,
  aFreshCustomer,
  aFreshProduct,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
  refused,
  unique,
} from '../kit/index.ts';
import { pageOf } from './shared/lists.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { dispatch, TOPIC } from './shared/webhooks.ts';

describe('updates of webhook destinations', () => {
  const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

  check(
    'WHK-50',
    { requirement: ['R-WHK-02', 'R-WHK-04'], level: 'MUST', effect: 'E2' },
    'a destination read, listed and tested → updated_at unchanged; updated → later; created_at and secret never change, and the list shows everything but the secret',
    async (t) => {
      const { id } = await aWebhook(t, { topics: [TOPIC] });
      const before = await shown(id);
      await dispatch({ id } as never);
      const { items } = await api('listWebhooks', {}, 200);
      const { secret, ...rest } = before;

      expect(await shown(id)).toEqual(before);
      expect(items.find((item) => item.id === id)).toEqual(rest);
      const path = { webhookId: id };
      const update = () => api('updateWebhook', { path, body: { url: blackHole() } }, 200);
      const changed = await eventually(update, ({ updated_at }) => updated_at > before.updated_at);
      const after = await shown(id);

      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      expect([after.updated_at, after.url]).toEqual([changed.updated_at, changed.url]);
      expect([after.created_at, after.secret]).toEqual([before.created_at, secret]);
    },
  );

  check(
    'WHK-51',
    { requirement: ['R-WHK-10', 'R-WHK-22'], level: 'MUST', effect: 'E2' },
    'enabled left out at creation → enabled; left out at updates of a disabled destination → disabled until an update sets it; topics and connect unchanged by updates of others',
    async (t) => {
      const { id } = await aWebhook(t, { topics: [TOPIC], connect: true });
      const path = { webhookId: id };
      const update = (body: object) => api('updateWebhook', { path, body }, 200);
      const kept = async () => {
        const { enabled, topics, connect } = await shown(id);
        return { enabled, topics, connect };
      };
      expect(await kept()).toEqual({ enabled: true, topics: [TOPIC], connect: true });
      await update({ enabled: false });
      for (const body of [{}, { url: blackHole() }, { url: blackHole() }]) {
        await update(body);
        expect(await kept()).toEqual({ enabled: false, topics: [TOPIC], connect: true });
      }
      const topics = ['contract.unheard_of', TOPIC];
      await update({ topics });
      expect(await kept()).toEqual({ enabled: false, topics, connect: true });
      await update({ enabled: true });
      expect(await kept()).toEqual({ enabled: true, topics, connect: true });
    },
  );
});

describe('updates and filters of customers', () => {
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
      const found = async (query: object) =>
        (await pageOf({ list: 'listCustomers', query: query as never })).items.map(
          (item) => item['id'],
        );
      const { external_id } = customer;

      for (const query of [
        { email: email.toUpperCase() },
        { email: email.toLowerCase() },
        { name: name.toUpperCase() },
        { name: `${key.toLowerCase()} NAME` },
        { name: `${key.slice(3)} Name_50%` },
        { name, email, customer_id: customer.id },
      ])
        expect(await found(query), JSON.stringify(query)).toEqual([customer.id]);
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
        expect(await found(query), JSON.stringify(query)).toEqual([]);
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
        const asked = { query: { external_id, ...other } };
        const { headers } = await call('listCustomers', asked, [303]);
        const missed = { query: { external_id: nobody, ...other } };

        expect(String(headers['location']).split('/').at(-1), JSON.stringify(other)).toBe(
          customer.id,
        );
        expect((await call('listCustomers', missed, [404])).text).toBe('');
      }
    },
  );

  check(
    'CUS-33',
    { requirement: 'R-CUS-40', level: 'ASSUMED', effect: 'E3', assumes: 'A-307' },
    'each optional field of a customer set to null by itself → only that field is cleared; a name of null → rejected, nothing changed',
    async () => {
      const whole = {
        external_id: unique('customer'),
        email: `${unique('mail')}@example.com`,
        metadata: { region: 'eu' },
        external_accounts: [{ provider: 'stripe', provider_id: unique('payer') }],
      };
      const empty = { external_id: null, email: null, metadata: null, external_accounts: [] };
      const { id } = await aFreshCustomer(whole);
      const path = { customerId: id };
      const read = async () => {
        const shown: Readonly<Record<string, unknown>> = await api('getCustomer', { path }, 200);
        return Object.fromEntries(Object.keys(whole).map((name) => [name, shown[name] ?? null]));
      };
      let wanted: object = whole;
      for (const name of Object.keys(whole) as (keyof typeof empty)[]) {
        await call('updateCustomer', { path, body: { [name]: null } }, [204]);
        wanted = { ...wanted, [name]: empty[name] };
        expect(await read(), name).toEqual(wanted);
      }
      await refused('updateCustomer', { path, body: { name: null, email: whole.email } });

      expect(await read()).toEqual(wanted);
      expect((await api('getCustomer', { path }, 200)).name).toBe('Contract fresh');
    },
  );
});

describe('updates of subscriptions', () => {
  check(
    'SUB-41',
    {
      requirement: ['R-SUB-04', 'R-SUB-41'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-606', 'A-307'],
    },
    'renews_at of null, at creation and by update → a perpetual subscription without renews_at; set again → as given; in the past → rejected',
    async () => {
      const product = await aFreshProduct();
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const none = await subscribe(customer, { ...to(product), renews_at: null });
      const body = { ...to(product), ...ADDRESSES, renews_at: now(DAY_MS) };
      const given = await subscribe(customer, body);
      const of = { ...path, subscriptionId: given.id };
      const renewal = async () => {
        const { subscriptions } = await api('getCustomer', { path }, 200);
        return subscriptions?.find((each) => each.id === given.id)?.renews_at ?? null;
      };
      const update = (renews_at: unknown, status: number) =>
        call('updateSubscription', { path: of, body: { renews_at } }, [status]);
      const later = now(2 * DAY_MS);

      expect(none.renews_at ?? null).toBeNull();
      expect(await renewal()).toBe(body.renews_at);
      await update(null, 204);
      expect(await renewal()).toBeNull();
      await update(later, 204);
      expect(await renewal()).toBe(later);
      await update(now(-1_000), 422);
      expect(await renewal()).toBe(later);
    },
  );
});
