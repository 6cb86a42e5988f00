import {
  type AnyBody,
  aConnectedAccount,
  aFreshAccount,
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  aWebhook,
  blackHole,
  call,
  check,
  expect,
  foreignKeys,
  type OperationId,
  type OwnWebhook,
  refused,
  spellingsOf,
  unique,
  uniqueAssetCode,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { keyOf, pageOf } from './shared/lists.ts';
import type { Caller } from './shared/one-of-each.ts';
import { subscribe } from './shared/subscriptions.ts';
import { aKey, keysLike, noKeysLike } from './shared/values.ts';
import { DATA, isMatched, log, logged, TOPIC } from './shared/webhooks.ts';

/** Creates objects with the same ids and codes for each caller, and expects that each caller has its own. */
async function expectOwn(callers: readonly Caller[]): Promise<void> {
  const [name, code] = [unique('shared'), uniqueAssetCode()];
  const [eventId, costId, transactionId] = [uuid(), uuid(), uuid()];
  const made: string[][] = [];
  for (const [index, caller] of callers.entries()) {
    const make = async (operation: OperationId, body: object, path = {}, status = 201) =>
      (await call(operation, { path, body, ...caller }, [status])).body;
    const get = async (operation: OperationId, path: Record<string, string>) =>
      (await call(operation, { path, ...caller }, [200])).body;
    const called = `Contract ${index}`;
    const vendor = await make('createVendor', { name: called, external_id: name });
    const customer = await make('createCustomer', { name: called, external_id: name });
    const rates = [{ source: 'USD', rate: 3 }];
    await make('createAsset', { code, name: called, precision: index + 1, rates });
    const prices = [aUnitPrice('contract.shared', index + 1)];
    const product = await make('createProduct', {
      name: called,
      code: name,
      prices,
      publish: true,
    });
    const path = { customerId: customer.id };
    await make('createSubscription', { products: [{ code: name }] }, path);
    const costs = [{ id: costId, amount: index + 0.5, vendor_external_id: name }];
    const event = usageEvent('contract.shared', { id: eventId, costs });
    await make('submitEvents', { customer_external_id: name, events: [event] }, {}, 204);
    const moved = {
      transaction_id: transactionId,
      asset: code,
      amount: index + 7,
      reason: 'gift',
    };
    await make('adjustWallet', moved, path);
    const shown = await get('getEvent', { eventId });
    const quote = await make('quoteAsset', { source: 'USD', amount: 1 }, { assetCode: code }, 200);
    const transaction = await get('getWalletTransaction', { ...path, transactionId });

    expect(shown.customer_id).toBe(customer.id);
    expect(shown.fees.map((fee: { readonly amount: number }) => fee.amount)).toEqual([index + 1]);
    expect(shown.costs).toMatchObject([{ vendor_id: vendor.id, amount: index + 0.5 }]);
    expect(transaction.amount).toBe(index + 7);
    // A third, to as many decimals as the caller gave the asset.
    expect(quote.destination_amount).toBe([0.3, 0.33, 0.333][index]);
    expect((await get('getAsset', { assetCode: code })).name).toBe(called);
    made.push([vendor.id, customer.id, product.id]);
  }
  expect(new Set(made.flat()).size).toBe(3 * callers.length);
}

check(
  'X-48',
  { requirement: 'R-ACC-17', effect: 'E3', assumes: 'A-104' },
  'the same external_id, code, event id, cost id and transaction id on the platform and in two connected accounts → each has its own object, billed and shown separately',
  async () => {
    const accounts = [await aFreshAccount(), await aFreshAccount()];
    await expectOwn([{}, ...accounts.map(({ id }) => ({ actingFor: id }))]);
  },
);

check(
  'X-49',
  { requirement: 'R-AUTH-03 R-AUTH-04', effect: 'E3' },
  'the same external_id, code and ids with a key of the other environment and with one of another account → each has its own object',
  async () => {
    const callers = [{}, ...foreignKeys().map((key) => ({ key }))];
    await expectOwn(callers);
  },
);

check(
  'WHK-80',
  { requirement: 'R-CONV-20', effect: 'E3', assumes: 'A-301' },
  "each operation that takes a destination's id, with it as dst_ and as whd_ → the same destination: read, updated, tested for the platform and for an account, found in the log, deleted",
  async (t) => {
    const [one, connected] = [await aWebhook(t), await aWebhook(t, { connect: true })];
    const { id: connectedAccountId } = await aConnectedAccount();
    const sendTo = async (webhook: OwnWebhook, place: object, webhookId: string) => {
      const path = { webhookId, topic: TOPIC, ...place };
      const operation = 'connectedAccountId' in place ? 'testConnectedWebhook' : 'testWebhook';
      const { id } = (await call(operation, { path, body: DATA }, [202])).body;
      expect(isMatched(await logged(id), webhook)).toBe(true);
      const found = await log({ destination_id: [webhookId] });
      expect(found.map((item) => item.id)).toContain(id);
    };
    for (const [webhook, place] of [
      [one, {}],
      [connected, { connectedAccountId }],
    ] as const) {
      for (const webhookId of spellingsOf(webhook.id)) {
        const url = blackHole();
        const body = { url };
        expect((await api('updateWebhook', { path: { webhookId }, body }, 200)).url).toBe(url);
        for (const each of spellingsOf(webhook.id))
          expect((await api('getWebhook', { path: { webhookId: each } }, 200)).url).toBe(url);
        await sendTo(webhook, place, webhookId);
      }
    }
    for (const [place, webhook] of [one, connected].entries()) {
      const webhookId = spellingsOf(webhook.id)[place] as string;
      await api('deleteWebhook', { path: { webhookId } }, 204);
      for (const each of spellingsOf(webhook.id))
        await api('getWebhook', { path: { webhookId: each } }, 404);
    }
  },
);

check(
  'WAL-68',
  { requirement: 'R-WAL-51', effect: 'E3', assumes: 'A-702' },
  'the id of an account with its asset code in lower and in mixed case, and percent-encoded → the same account and the same grants; the same code in another account, and a longer one → not it',
  async () => {
    const { code } = await aFreshAsset({ precision: 2 });
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { asset: code, amount: 3 });
    await anAdjustment(customer, { asset: 'USD', amount: 5, account_name: 'default' });
    const mixed = code.toLowerCase().replace(/^./, (first) => first.toUpperCase());
    for (const name of [code, code.toLowerCase(), mixed]) {
      const path = { customerId: customer.id, accountId: `default:${name}` };
      for (const isPlainPath of [false, true]) {
        const { body } = await call('getWalletAccount', { path, isPlainPath }, [200]);
        expect(body).toMatchObject({ id: `default:${code}`, asset: code, available: 3 });
        const grants = (await call('listGrants', { path, isPlainPath }, [200])).body.items;
        expect(grants).toMatchObject([{ available: 3 }]);
      }
      for (const accountId of [`other:${name}`, `default:${name}0`, `default ${name}`]) {
        await call('getWalletAccount', { path: { ...path, accountId } }, [404]);
        await call('listGrants', { path: { ...path, accountId } }, [404]);
      }
    }
  },
);

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
  return (await call(create, { body }, [201])).body.id;
}

/** The ids of the objects that a list finds by a key. Customers are found by a redirect. */
async function found({ list, field }: Keyed, key: string): Promise<readonly string[]> {
  const query = { [field]: key };
  if (list !== 'listCustomers') return (await pageOf({ list, query })).items.map(keyOf);
  const { status, headers } = await call(list, { query }, [303, 404]);
  return status === 404 ? [] : [String(headers['location']).split('/').at(-1) as string];
}

async function expectOwnKeys(keyed: Keyed, like: typeof keysLike): Promise<void> {
  const { create, get, parameter, field } = keyed;
  const key = aKey();
  const ids = new Map<string, string>();
  for (const each of like(key)) ids.set(each, await makeKeyed(keyed, each));
  const read = async (id: string) => (await call(get, { path: { [parameter]: id } }, [200])).body;
  const shown = new Map<string, AnyBody>();
  for (const [each, id] of ids) {
    shown.set(each, await read(id));
    expect(shown.get(each)[field], `${get}.${field}`).toBe(each);
    expect(await found(keyed, each), `${keyed.list} by ${JSON.stringify(each)}`).toEqual([id]);
  }
  for (const none of noKeysLike(key))
    expect(await found(keyed, none), `${keyed.list} by ${JSON.stringify(none)}`).toEqual([]);
  const prices = create === 'createProduct' && { prices: [aUnitPrice('contract.double')] };
  await refused(create, { body: { name: 'Contract double', [field]: key, ...prices } });
  const first = ids.get(key) as string;
  expect(await read(first)).toEqual(shown.get(key));
  expect(await found(keyed, key), `${keyed.list} after a second one`).toEqual([first]);
  expect(new Set(ids.values()).size).toBe(ids.size);
}

const ACCOUNTS: Keyed = {
  create: 'createConnectedAccount',
  get: 'getConnectedAccount',
  parameter: 'accountId',
  list: 'listConnectedAccounts',
  field: 'external_id',
};
const CUSTOMERS: Keyed = {
  create: 'createCustomer',
  get: 'getCustomer',
  parameter: 'customerId',
  list: 'listCustomers',
  field: 'external_id',
};
const VENDORS: Keyed = {
  create: 'createVendor',
  get: 'getVendor',
  parameter: 'vendorId',
  list: 'listVendors',
  field: 'external_id',
};
const PRODUCTS: Keyed = {
  create: 'createProduct',
  get: 'getProduct',
  parameter: 'productId',
  list: 'listProducts',
  field: 'code',
};

/** Codes have neither spaces nor letters with accents. */
const codesLike = (key: string) => [key, key.toLowerCase(), `${key}0`, `${key}-`, `${key}.`];

for (const [id, requirement, name, keyed, like] of [
  ['X-41', 'R-ACC-04 R-ACC-09 R-VER-04', 'external ids of accounts', ACCOUNTS, keysLike],
  ['X-70', 'R-CUS-02 R-CUS-23 R-CUS-25', 'external ids of customers', CUSTOMERS, keysLike],
  ['X-36', 'R-VND-04 R-VND-14', 'external ids of vendors', VENDORS, keysLike],
  ['X-46', 'R-PRD-25 R-PRD-43', 'codes of products', PRODUCTS, codesLike],
] as const)
  check(
    id,
    { requirement, effect: 'E3' },
    `${name} that differ by letter case, a character, or spaces and unseen characters at their ends → different objects, each found by its own alone; part of one, or with a wildcard → nothing; one used again → rejected, the first unchanged and still the only one`,
    () => expectOwnKeys(keyed, like),
  );

check(
  'X-43',
  { requirement: 'R-EVT-03 R-EVT-41 R-TSK-13', effect: 'E3' },
  'events sent and filtered, and tasks filtered, by the external ids of customers that almost equal another one → those of exactly that customer; by what is almost one → rejected, nothing found',
  async () => {
    const key = aKey();
    const events = new Map<string, string>();
    const lists = ['listEvents', 'listTasks'] as const;
    for (const external_id of keysLike(key).slice(0, 8)) {
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
  { requirement: 'R-EVT-34 R-VND-04', effect: 'E3' },
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
