import {
  aCustomer,
  aFreshCustomer,
  aSubscriber,
  assuming,
  call,
  check,
  expect,
  isOurs,
  unique,
} from '../kit/index.ts';
import { listedCustomers, redirected } from './shared/customers.ts';

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
