import {
  aFreshCustomer,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  expect,
  type OperationId,
  refused,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { aKey, keysLike, noKeysLike } from './shared/field-values.ts';
import { keyOf, pageOf } from './shared/lists.ts';
import { subscribe } from './shared/subscriptions.ts';

/** A kind of object with a key that the caller chooses. */
interface Keyed {
  readonly create: OperationId;
  readonly get: OperationId;
  readonly parameter: string;
  readonly list: OperationId;
  readonly field: 'external_id' | 'code';
}

async function makeKeyed({ create, field }: Keyed, key: string): Promise<string> {
  const prices = [aUnitPrice('contract.keyed')];
  const sold = create === 'createProduct' && { prices, publish: true };
  const body = { name: `Contract ${key}`, [field]: key, ...sold };
  return (await useUp('keyed object', () => call(create, { body }, [201]))).body.id;
}

/** The ids of the objects that a list finds by a key. Customers are found by a redirect. */
async function found({ list, field }: Keyed, key: string): Promise<readonly string[]> {
  const query = { [field]: key };
  if (list !== 'listCustomers') return (await pageOf({ list, query })).items.map(keyOf);
  const { status, headers } = await call(list, { query }, [303, 404]);
  return status === 404 ? [] : [String(headers['location']).split('/').at(-1) as string];
}

async function expectOwnKeys(keyed: Keyed, like = keysLike): Promise<void> {
  const { create, get, parameter, field } = keyed;
  const key = aKey();
  const ids = new Map<string, string>();
  for (const each of like(key)) ids.set(each, await makeKeyed(keyed, each));
  const read = async (id: string) => (await call(get, { path: { [parameter]: id } }, [200])).body;
  const first = await read(ids.get(key) as string);
  for (const [each, id] of ids) {
    const { [field]: shown } = await read(id);
    expect(shown, `${get}.${field}`).toBe(each);
    expect(await found(keyed, each), `${keyed.list} by ${JSON.stringify(each)}`).toEqual([id]);
  }
  for (const none of noKeysLike(key))
    expect(await found(keyed, none), `${keyed.list} by ${JSON.stringify(none)}`).toEqual([]);
  const prices = create === 'createProduct' && { prices: [aUnitPrice('contract.double')] };
  await refused(create, { body: { name: 'Contract double', [field]: key, ...prices } });
  expect(await read(ids.get(key) as string)).toEqual(first);
  expect(new Set(ids.values()).size).toBe(ids.size);
}

const ACCOUNTS: Keyed = {
  ...{ create: 'createConnectedAccount', get: 'getConnectedAccount', parameter: 'accountId' },
  ...{ list: 'listConnectedAccounts', field: 'external_id' },
};
const CUSTOMERS: Keyed = {
  ...{ create: 'createCustomer', get: 'getCustomer', parameter: 'customerId' },
  ...{ list: 'listCustomers', field: 'external_id' },
};
const VENDORS: Keyed = {
  ...{ create: 'createVendor', get: 'getVendor', parameter: 'vendorId' },
  ...{ list: 'listVendors', field: 'external_id' },
};
const PRODUCTS: Keyed = {
  ...{ create: 'createProduct', get: 'getProduct', parameter: 'productId' },
  ...{ list: 'listProducts', field: 'code' },
};

/** Codes have neither spaces nor letters with accents. */
const codesLike = (key: string) => [key, key.toLowerCase(), `${key}0`, `${key}-`, `${key}.`];

check(
  'X-41',
  { requirement: 'R-ACC-04 R-ACC-09 R-VER-04', level: 'MUST', effect: 'E3' },
  'external ids of accounts that differ by letter case, a character, or spaces and unseen characters at their ends → different accounts, each found by its own alone; part of one, or with a wildcard → nothing; one used again → rejected',
  () => expectOwnKeys(ACCOUNTS),
);

check(
  'X-70',
  { requirement: 'R-CUS-02 R-CUS-23 R-CUS-25', level: 'MUST', effect: 'E3' },
  'external ids of customers that differ by letter case, a character, or spaces and unseen characters at their ends → different customers, each found by its own alone; part of one, or with a wildcard → nothing; one used again → rejected',
  () => expectOwnKeys(CUSTOMERS),
);

check(
  'X-36',
  { requirement: 'R-VND-04 R-VND-14', level: 'MUST', effect: 'E3' },
  'external ids of vendors that differ by letter case, a character, or spaces and unseen characters at their ends → different vendors, each found by its own alone; part of one, or with a wildcard → nothing; one used again → rejected',
  () => expectOwnKeys(VENDORS),
);

check(
  'X-46',
  { requirement: 'R-PRD-25 R-PRD-43', level: 'MUST', effect: 'E3' },
  'codes of products that differ by letter case or a character → different products, each found by its own alone; part of one, or with a wildcard → nothing; one used again → rejected',
  () => expectOwnKeys(PRODUCTS, codesLike),
);

check(
  'X-43',
  { requirement: 'R-EVT-03 R-EVT-41 R-TSK-13', level: 'MUST', effect: 'E3' },
  'events sent and filtered, and tasks filtered, by the external ids of customers that almost equal another one → those of exactly that customer; by what is almost one → rejected, nothing found',
  async () => {
    const key = aKey();
    const events = new Map<string, string>();
    const lists = ['listEvents', 'listTasks'] as const;
    for (const external_id of keysLike(key).slice(0, 10)) {
      const id = await makeKeyed(CUSTOMERS, external_id);
      const event = usageEvent('contract.keyed');
      const body = { customer_external_id: external_id, events: [event] as never };
      await api('submitEvents', { body }, 204);
      events.set(external_id, [event.id, `${id}:${event.subject}`].join());
    }
    for (const [customer_external_id, wanted] of events) {
      const pages = [];
      for (const list of lists) pages.push(await pageOf({ list, query: { customer_external_id } }));
      const shown = pages.map(({ items }) => items.map(keyOf)).join();
      expect(shown, JSON.stringify(customer_external_id)).toBe(wanted);
    }
    for (const customer_external_id of noKeysLike(key)) {
      const event = usageEvent('contract.keyed');
      await refused('submitEvents', { body: { customer_external_id, events: [event] } });
      for (const list of lists)
        expect((await pageOf({ list, query: { customer_external_id } })).items, list).toEqual([]);
    }
  },
);

check(
  'X-97',
  { requirement: 'R-EVT-34 R-VND-04', level: 'MUST', effect: 'E3' },
  'costs by the external ids of vendors and subscriptions by the codes of products that almost equal another one → of exactly that vendor and product; by what is almost one → rejected',
  async () => {
    const [customer, key] = [await aFreshCustomer(), aKey()];
    const path = { customerId: customer.id };
    const keys = keysLike(key);
    const cost = (vendor_external_id: string) => ({ id: uuid(), vendor_external_id, amount: 1 });
    const vendors = [];
    for (const each of keys) vendors.push(await makeKeyed(VENDORS, each));
    const { id } = await aUsageEvent(customer, 'contract.keyed', { costs: keys.map(cost) });
    const costs = (await stored(id)).costs.map(({ vendor_id }) => vendor_id);
    expect(costs, 'vendors of the costs').toEqual(vendors);

    const products = [];
    for (const each of codesLike(key)) products.push(await makeKeyed(PRODUCTS, each));
    const body = { products: codesLike(key).map((code) => ({ code })) };
    const subscribed = (await subscribe(customer, body)).products.map((each) => each.id);
    expect(subscribed, 'products of the subscription').toEqual(products);

    for (const none of noKeysLike(key)) {
      const events = [usageEvent('contract.keyed', { costs: [cost(none)] })];
      await refused('submitEvents', { body: { customer_id: customer.id, events } });
      await refused('createSubscription', { path, body: { products: [{ code: none }] } });
    }
  },
);
