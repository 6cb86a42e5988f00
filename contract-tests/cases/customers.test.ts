import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aUsageEvent,
  call,
  check,
  expect,
  isOurs,
  runMark,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { listed } from './shared/events.ts';
import { METADATA, payers } from './shared/field-values.ts';
import { expectChanged } from './shared/fields.ts';
import { pageOf } from './shared/lists.ts';
import { detailOf, to } from './shared/subscriptions.ts';
import { log } from './shared/webhooks.ts';

/** The id of the customer with an external_id. */
async function owner(external_id: string): Promise<string | undefined> {
  const { headers } = await call('listCustomers', { query: { external_id } }, [303]);
  return String(headers['location']).split('/').at(-1);
}

/** A customer with every field. */
const whole = () => ({
  external_id: unique('customer'),
  email: `${unique('mail')}@example.com`,
  metadata: { ...runMark(), region: 'eu' },
  external_accounts: [{ provider: 'stripe', provider_id: unique('payer') }],
});

check(
  'CUS-01',
  {
    requirement:
      'R-CONV-05 R-CUS-04 R-CUS-06 R-CUS-12 R-CUS-13 R-CUS-14 R-CUS-16 R-CUS-17 R-CUS-18 R-CUS-19 R-CUS-31',
    level: 'MUST',
    effect: 'E3',
  },
  'create with name only → 201 `cust_` id and `subscriptions: []`; with every field → detail shows all and created_at, the list item external_id and e-mail; unknown id → 404',
  async () => {
    const body = { name: 'Contract bare' };
    const bare = await useUp('customer', () => api('createCustomer', { body }, 201));
    const given = whole();
    const customer = await aFreshCustomer(given);
    const shown = await detailOf(customer);
    const { items } = await pageOf({ list: 'listCustomers', query: { email: given.email } });

    expect(bare.id).toMatch(/^cust_/);
    expect(bare.subscriptions).toEqual([]);
    expect(shown).toMatchObject({ ...given, subscriptions: [] });
    expect(Date.parse(shown.created_at), 'created_at').not.toBeNaN();
    const { external_id, email } = given;
    expect(items).toMatchObject([{ id: customer.id, external_id, email }]);
    await api('getCustomer', { path: { customerId: unknownId('cust') } }, 404);
  },
);

check(
  'CUS-53',
  { requirement: 'R-CUS-42', level: 'IMPLIED', effect: 'E3' },
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

    expect(await owner(external_id)).toBe(customer.id);
  },
);

check(
  'CUS-27',
  {
    requirement: 'R-CONV-18 R-CUS-04 R-CUS-33 R-CUS-37 R-CUS-40',
    level: 'ASSUMED',
    effect: 'E3',
    assumes: 'A-305 A-307 A-601',
  },
  'each field of a customer updated by itself, by others, empty values, none and null, and no field → 204 empty, only that field changes, nothing of the former stays, and the customer keeps its place in the list',
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
        ...METADATA.slice(0, 3).map((metadata) => ({ metadata })),
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
  { requirement: 'R-CUS-02 R-CUS-37', level: 'ASSUMED', effect: 'E3', assumes: 'A-307 A-601' },
  'external_id changed, and one cleared → 404 by the former, earlier events show the current; the former can be given to a new customer, and finds that one',
  async () => {
    for (const change of [unique('customer'), null]) {
      const former = await aFreshCustomer();
      const { external_id } = former;
      const path = { customerId: former.id };
      const event = await aUsageEvent(former, 'contract.unpriced');
      if (change) await call('listCustomers', { query: { external_id: change } }, [404]);
      await call('updateCustomer', { path, body: { external_id: change } }, [204]);
      if (change) expect(await owner(change), 'found by the new one').toBe(former.id);
      await call('listCustomers', { query: { external_id } }, [404]);
      const [item] = await listed({ event_id: event.id });
      expect(item?.external_id ?? null, 'external_id of an earlier event').toBe(change);
      const next = await aFreshCustomer({ name: 'Contract next', external_id });

      expect(await owner(external_id)).toBe(next.id);
      expect((await detailOf(former)).external_id ?? null).toBe(change);
    }
  },
);
