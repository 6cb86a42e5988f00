import {
  adjustment,
  api,
  blackHole,
  type CheckContext,
  expect,
  isOurs,
  type OperationId,
  type OwnObject,
  uniqueAssetCode,
  usageEvent,
  uuid,
} from '../../kit/index.ts';
import { listed, stored, taskOf } from './events.ts';
import { type Fields, type Kind, pick } from './fields.ts';
import { type AnyPage, keyOf, pageOf } from './lists.ts';
import { detailOf } from './subscriptions.ts';
import { assetOf, charge, grantOf, request as topUpOf } from './wallets.ts';

/** The item of a list with this key. New objects are on its first page of 1,000, except of very many assets. */
async function itemOf(list: OperationId, key: string): Promise<AnyPage['items'][number]> {
  const { items } = await pageOf({ list }, { limit: 1000 });
  const found = items.filter((item) => keyOf(item) === key);
  expect(found.length, `${list}: items with the key ${key}`).toBe(1);
  return found[0] as AnyPage['items'][number];
}

/** How many items a list has, on an account that nobody else uses. */
export const countOf = (list: OperationId) => async () =>
  isOurs() ? (await pageOf({ list }, { limit: 1 })).total_count : undefined;

/** The wallet of a customer. */
const walletOf =
  ({ id }: OwnObject) =>
  () =>
    api('getWallet', { path: { customerId: id } }, 200);

const named = async (fields: Fields) => ({ body: { name: 'Contract fields', ...fields } });

export const ACCOUNT: Kind = {
  operation: 'createConnectedAccount',
  state: countOf('listConnectedAccounts'),
  required: ['name'],
  request: named,
  async shown({ id }) {
    expect(id).toMatch(/^acc_/);
    const detail = await api('getConnectedAccount', { path: { accountId: id } }, 200);
    const item = await itemOf('listConnectedAccounts', id);
    return [detail, item].map((each) => pick(each, ['name', 'external_id', 'metadata']));
  },
};

const DETAILS = ['name', 'external_id', 'email', 'metadata', 'external_accounts'];

export const CUSTOMER: Kind = {
  operation: 'createCustomer',
  state: countOf('listCustomers'),
  required: ['name'],
  request: named,
  async shown({ id, subscriptions }) {
    const [detail, item] = [await detailOf({ id }), await itemOf('listCustomers', id)];
    expect(id).toMatch(/^cust_/);
    expect([subscriptions, detail.subscriptions], 'subscriptions').toEqual([[], []]);
    expect(Date.parse(detail.created_at), 'created_at').not.toBeNaN();
    return [pick(detail, DETAILS), pick(item, DETAILS.slice(0, 3))];
  },
  presets: { external_accounts: [] },
};

export const updatedCustomer = ({ id }: OwnObject): Kind => ({
  operation: 'updateCustomer',
  state: () => detailOf({ id }),
  isUpdate: true,
  request: async (body) => ({ path: { customerId: id }, body }),
  shown: async () => [pick(await detailOf({ id }), DETAILS)],
});

export const VENDOR: Kind = {
  operation: 'createVendor',
  state: countOf('listVendors'),
  required: ['name'],
  request: named,
  async shown({ id, created_at }) {
    const detail = await api('getVendor', { path: { vendorId: id } }, 200);
    expect(id).toMatch(/^vnd_/);
    expect(detail.created_at, 'created_at').toBe(created_at);
    expect(await itemOf('listVendors', id)).toEqual(detail);
    return [pick(detail, ['name', 'external_id'])];
  },
};

export const ASSET: Kind = {
  operation: 'createAsset',
  state: countOf('listAssets'),
  required: ['name'],
  request: async (fields) => ({
    body: { code: uniqueAssetCode(), name: 'Contract fields', ...fields },
  }),
  async shown({ code, created_at }, { body }) {
    const sent = (body as { rates?: object[] }).rates ?? [];
    const { rates, ...shown } = await assetOf(code);
    expect(Date.parse(created_at), 'created_at').not.toBeNaN();
    for (const { schedule } of rates)
      expect(Date.parse(schedule[0]?.valid_from ?? ''), 'valid_from').not.toBeNaN();
    // Without a label of its own, an asset shows its code.
    const detail = { ...shown, label: shown.label === code ? null : shown.label };
    const first = sent.map((rate, index) =>
      pick({ ...rates[index], ...rates[index]?.schedule[0] }, Object.keys(rate)),
    );
    const names = ['name', 'precision', 'label', 'symbol'];
    const item = pick(await itemOf('listAssets', code), ['name']);
    return [{ ...pick(detail, names), rates: first }, item];
  },
  presets: { precision: 0, rates: [] },
};

export const assetRate = (assetCode: string): Kind => ({
  operation: 'setAssetRate',
  state: () => assetOf(assetCode),
  required: ['rate'],
  request: async (fields) => ({ path: { assetCode }, body: { source: 'USD', rate: 1, ...fields } }),
  shown: async () => [pick((await assetOf(assetCode)).rates[0]?.schedule[0], ['rate'])],
});

export const quote = (assetCode: string): Kind => ({
  operation: 'quoteAsset',
  required: ['amount'],
  request: async (fields) => ({
    path: { assetCode },
    body: { source: 'USD', amount: 1, ...fields },
  }),
  shown: async ({ source_amount: amount }) => [{ amount }],
});

const MOVED = ['description', 'metadata', 'amount'];

async function transactionOf(customerId: string, body: unknown) {
  const { transaction_id: transactionId } = body as { transaction_id: string };
  return api('getWalletTransaction', { path: { customerId, transactionId } }, 200);
}

export const adjustmentOf = (customer: OwnObject): Kind => ({
  operation: 'adjustWallet',
  state: walletOf(customer),
  required: ['amount'],
  request: async (fields) => ({
    path: { customerId: customer.id },
    body: { ...adjustment({ metadata: undefined as never }), reason: 'gift', ...fields },
  }),
  async shown(_, { body }) {
    const transaction = await transactionOf(customer.id, body);
    const [account_name] = transaction.account_id.split(':');
    if (transaction.amount < 0) return [{ ...pick(transaction, MOVED), account_name }];
    const grant = await grantOf(customer, undefined, transaction.account_id);
    const { expires_at } = pick(grant, ['expires_at']);
    return [{ ...pick(transaction, MOVED), account_name, expires_at }];
  },
  presets: { account_name: 'default' },
});

export const chargeOf = (customer: OwnObject): Kind => ({
  operation: 'chargeWallet',
  state: walletOf(customer),
  required: ['amount'],
  request: async (fields) => ({ path: { customerId: customer.id }, body: charge(fields) }),
  async shown(_, { body }) {
    const transaction = await transactionOf(customer.id, body);
    const [account_name] = transaction.account_id.split(':');
    const amount = Math.abs(transaction.amount);
    return [{ ...pick(transaction, MOVED), amount, account_name }];
  },
  presets: { account_name: 'default' },
});

export const topUpBy = (customer: OwnObject): Kind => ({
  operation: 'createTopUp',
  state: walletOf(customer),
  required: ['amount'],
  request: async (fields) => ({ body: topUpOf(customer, fields) }),
  async shown({ id }) {
    const { destination, ...shown } = await api('getTopUp', { path: { topUpId: id } }, 200);
    const { exchange_rate, asset } = pick(destination, ['exchange_rate', 'asset']);
    return [{ ...pick(shown, ['amount', 'currency']), destination: { asset, exchange_rate } }];
  },
  presets: { destination: { asset: 'USD', exchange_rate: 1 } },
});

/** A submission of one event. */
export const batchOf = ({ id: customer_id }: OwnObject): Kind => ({
  operation: 'submitEvents',
  state: () => listed({ customer_id }),
  request: async (fields) => ({
    body: { customer_id, events: [usageEvent('contract.fields')], ...fields },
  }),
  shown: async () => [],
});

/** A usage event, in its detail, in the list and in its task. */
export const eventOf = ({ id: customer_id }: OwnObject): Kind => ({
  operation: 'submitEvents',
  at: 'events[0]',
  state: () => listed({ customer_id }),
  request: async (fields) => ({
    body: {
      customer_id,
      events: [usageEvent('contract.fields', { subject: undefined, ...fields })],
    },
  }),
  async shown(_, { body }) {
    const [{ id, subject }] = (body as { events: [{ id: string; subject?: string }] }).events;
    const names = ['event_type', 'subject', 'description'];
    const places = [await stored(id), (await listed({ event_id: id }))[0]];
    const task = subject && (await taskOf({ id: customer_id }, subject));
    if (task) places.push(task.events.find((each) => each.id === id) as never);
    return places.map((each, place) => ({
      ...pick(each, names),
      // The list does not show data.
      ...(place !== 1 && pick(each, ['data'])),
    }));
  },
  presets: { data: {} },
});

const COSTS = ['amount', 'units', 'unit_price', 'input_volume', 'volume_rate', 'package_size'];

/** A cost of a usage event, in its detail and in its task. */
export const costBy = (customer: OwnObject, vendor: OwnObject): Kind => ({
  operation: 'submitEvents',
  at: 'events[0].costs[0]',
  state: () => listed({ customer_id: customer.id }),
  required: ['amount'],
  request: async (fields) => {
    const costs = [{ id: uuid(), vendor_external_id: vendor.external_id, amount: 1, ...fields }];
    const { external_id: customer_external_id } = customer;
    return { body: { customer_external_id, events: [usageEvent('contract.fields', { costs })] } };
  },
  async shown(_, { body }) {
    const [{ id, subject }] = (body as { events: [{ id: string; subject: string }] }).events;
    const { events } = await taskOf(customer, subject);
    return [await stored(id), events[0]].map((event) =>
      pick(event?.costs[0], [...COSTS, 'description', 'metadata', 'category']),
    );
  },
});

export const destination = (t: CheckContext): Kind => ({
  operation: 'createWebhook',
  state: async () => (await api('listWebhooks', {}, 200)).items,
  required: ['url'],
  request: async (fields) => ({ body: { url: blackHole(), ...fields } }),
  async shown({ id, secret, created_at }) {
    t.afterwards(() => api('deleteWebhook', { path: { webhookId: id } }, 204));
    const { items, ...page } = await api('listWebhooks', {}, 200);
    const detail = await api('getWebhook', { path: { webhookId: id } }, 200);
    const { secret: shown, ...listed } = detail;
    expect(id).toMatch(/^(dst|whd)_/);
    expect([shown === secret, secret === ''], 'secret as at creation').toEqual([true, false]);
    expect(detail, 'of a new destination').toMatchObject({ enabled: true, created_at });
    expect(items.find((item) => item.id === id)).toEqual(listed);
    expect(page, 'no limit and no offset').toEqual({ total_count: items.length });
    return [pick(detail, ['url', 'topics', 'connect'])];
  },
  presets: { topics: ['*'], connect: false },
});
