import {
  aConnectedAccount,
  aCustomer,
  api,
  aVendor,
  blackHole,
  expect,
  unique,
  unknownId,
} from '../../../kit/index.ts';
import { each, type Fields, itemOf, itemsOf, pick, type Resource } from '../fields.ts';
import { detailOf } from '../subscriptions.ts';
import {
  long,
  METADATA,
  NO_MAPS,
  NO_METADATA,
  NO_TEXTS,
  payers,
  text,
  withMetadata,
} from '../values.ts';
import { TOPIC } from '../webhooks.ts';

/** Names and external ids with a text, in two rows with as many characters as they may have. */
const identified = (end: string, index: number) => ({
  name: index < 5 ? `Contract ${end}` : index === 5 ? 'x' : long(256),
  external_id: index < 5 ? `${unique('text')} ${end}` : unique().padEnd(256, 'x'),
});
const MISNAMED = [...each('name', NO_TEXTS), ...each('external_id', [7])];
const NAMES_BEYOND = [
  ...each('name', ['', null, long(257)]),
  ...each('external_id', ['', 'x'.repeat(257)]),
];

const named = async (fields: Fields) => ({ body: { name: 'Contract fields', ...fields } });

export const accounts: Resource = async () => ({
  operation: 'createConnectedAccount',
  state: itemsOf('listConnectedAccounts'),
  required: ['name'],
  request: named,
  async shown({ id }) {
    expect(id).toMatch(/^acc_/);
    const detail = await api('getConnectedAccount', { path: { accountId: id } }, 200);
    const item = await itemOf('listConnectedAccounts', id);
    return [detail, item].map((each) => pick(each, ['name', 'external_id', 'metadata']));
  },
  kept: withMetadata(identified),
  wrong: [...each('name', [undefined]), ...MISNAMED, ...each('metadata', NO_MAPS)],
  taken: [async () => ({ external_id: (await aConnectedAccount()).external_id })],
  beyond: { 'A-306': [...NAMES_BEYOND, ...each('metadata', NO_METADATA)] },
});

const mailOf = (length: number) => `m@${'a.'.repeat(100)}${'b'.repeat(length - 206)}.com`;

const payer = (provider: string, provider_id: string) => [{ provider, provider_id }];

/** All fields of a customer. */
const person = (end: string, index: number) => ({
  ...identified(end, index),
  email: index === 5 ? mailOf(254) : `${unique('Mail')}@Example.com`,
  external_accounts: index === 5 ? payer('p'.repeat(64), 'x') : payers(end),
});
const NO_PERSON = [
  ...MISNAMED,
  ...each('email', ['nobody']),
  ...each('external_accounts', [[{ provider_id: 'cus_1' }], [{ provider: 'stripe' }]]),
  ...each('metadata', NO_MAPS),
];
const PERSON_BEYOND = {
  'A-306': [
    ...NAMES_BEYOND,
    ...each('email', [mailOf(255)]),
    ...each('external_accounts', [payer('p'.repeat(65), 'x'), payer('p', '')]),
    ...each('metadata', NO_METADATA),
  ],
};
const DETAILS = ['name', 'external_id', 'email', 'metadata', 'external_accounts'];

export const customers: Resource = async () => ({
  operation: 'createCustomer',
  state: itemsOf('listCustomers'),
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
  kept: withMetadata(person),
  wrong: [...each('name', [undefined]), ...NO_PERSON],
  taken: [async () => ({ external_id: (await aCustomer()).external_id })],
  besides: { subscriptions: [{ products: [{ id: unknownId('prp') }] }] },
  beyond: PERSON_BEYOND,
});

export const customerUpdates: Resource = async (owners) => {
  const { id } = await owners.customer();
  return {
    operation: 'updateCustomer',
    state: () => detailOf({ id }),
    isUpdate: true,
    request: async (body) => ({ path: { customerId: id }, body }),
    shown: async () => [pick(await detailOf({ id }), DETAILS)],
    kept: withMetadata(person),
    wrong: NO_PERSON,
    taken: [async () => ({ external_id: (await aCustomer('other')).external_id })],
    beyond: PERSON_BEYOND,
  };
};

export const vendors: Resource = async () => ({
  operation: 'createVendor',
  state: itemsOf('listVendors'),
  required: ['name'],
  request: named,
  async shown({ id, created_at }) {
    const detail = await api('getVendor', { path: { vendorId: id } }, 200);
    expect(id).toMatch(/^vnd_/);
    expect(detail.created_at, 'created_at').toBe(created_at);
    expect(await itemOf('listVendors', id)).toEqual(detail);
    return [pick(detail, ['name', 'external_id'])];
  },
  kept: METADATA.map((_, index) => identified(text(index), index)),
  wrong: MISNAMED,
  taken: [async () => ({ external_id: (await aVendor()).external_id }), 'A-904'],
  beyond: { 'A-306': NAMES_BEYOND },
});

export const destinations: Resource = async (_, t) => ({
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
  kept: [
    { url: blackHole(), topics: [TOPIC, 'contract.unheard_of'], connect: true },
    { topics: ['contract.b', 'contract.a', '*'], connect: false },
  ],
  wrong: each('url', [undefined, 'nowhere']),
  beyond: { 'A-1201': each('url', [blackHole().replace('//', '//user:secret@')]) },
});
