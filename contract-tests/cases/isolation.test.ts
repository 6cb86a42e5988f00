import {
  ADDRESSES,
  aCustomer,
  aFreshAccount,
  aFreshCustomer,
  aProduct,
  api,
  aSubscriber,
  call,
  check,
  expect,
  foreignKeys,
  isOurs,
  type LooseParts,
  type OperationId,
  operationOf,
  refused,
  specifiedStatuses,
  usageEvent,
} from '../kit/index.ts';
import { listed, stored, submit } from './shared/events.ts';
import {
  aStranger,
  type Caller,
  idOf,
  type OneOfEach,
  oneOfEach,
  operations,
  references,
  type Stranger,
  seen,
  WRITES,
} from './shared/one-of-each.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { balance } from './shared/wallets.ts';

const isById = (id: OperationId) => operationOf(id).path.includes('{');
const reads = operations.filter(({ method }) => method === 'GET').map(idOf);

/** Reads of objects that `oneOfEach` does not make, and `listSubscribers`, which returns an empty list. */
const ELSEWHERE: readonly OperationId[] = ['getConnectedAccount', 'getTopUp', 'listSubscribers'];
const details = reads.filter((id) => isById(id) && !ELSEWHERE.includes(id));
const lists = reads.filter((id) => !isById(id) && !['getAccountContext'].includes(id));

/** Expects that other callers, in turn, see no object of an owner, neither by id nor in a list. */
async function expectUnseen(
  { ids, external_id, email, code }: OneOfEach,
  callers: readonly Caller[],
): Promise<void> {
  let count = 0;
  const ask = (operation: OperationId, parts: LooseParts, status: number) => {
    const caller = callers[count++ % callers.length];
    return call(operation, { ...parts, ...caller }, [status]);
  };
  for (const operation of details) await ask(operation, { path: ids }, 404);
  const subscribers = (await ask('listSubscribers', { path: ids }, 200)).body;
  expect(subscribers, 'listSubscribers').toMatchObject({ items: [], total_count: 0 });
  for (const list of lists) {
    const { text } = await ask(list, {}, 200);
    for (const own of [ids['customerId'], ids['eventId'], ids['webhookId'], external_id, code])
      expect(text.includes(`"${own}"`), `${list} shows ${own}`).toBe(false);
  }
  await ask('listCustomers', { query: { external_id } }, 404);
  for (const [list, query] of [
    ['listCustomers', { customer_id: ids['customerId'] }],
    ['listCustomers', { name: external_id, status: 'active' }],
    ['listCustomers', { email }],
    ['listVendors', { external_id }],
    ['listProducts', { code }],
    ['listEvents', { event_id: ids['eventId'] }],
    ['listEvents', { customer_id: ids['customerId'] }],
    ['listEvents', { customer_external_id: external_id }],
    ['listTasks', { customer_id: ids['customerId'] }],
    ['listTasks', { customer_external_id: external_id }],
    ['listWebhookEvents', { destination_id: [ids['webhookId']] }],
  ] as const) {
    const { items } = (await ask(list, { query }, 200)).body;
    expect(items, `${list} ${JSON.stringify(query)}`).toEqual([]);
  }
}

/** Expects that another caller can neither change objects of an owner nor refer to them in its own. */
async function expectUntouched(owner: OneOfEach, stranger: Stranger): Promise<void> {
  const before = await seen(owner);
  for (const [operation, bodyOf] of Object.entries(WRITES)) {
    const id = operation as OperationId;
    const body = operationOf(id).body ? { body: bodyOf(stranger) } : {};
    const is404 = specifiedStatuses(operationOf(id)).includes(404);
    const statuses = is404 ? [404] : [404, 422, 400];
    await refused(id, { path: owner.ids, ...body, ...stranger.caller }, statuses);
  }
  for (const [operation, parts] of references(owner, stranger))
    await refused(operation, parts, [422, 404, 400]);

  expect(await seen(owner)).toEqual(before);
}

const anAccount = async (): Promise<Caller> => ({ actingFor: (await aFreshAccount()).id });

const OF_ACCOUNTS = { requirement: 'R-ACC-17 R-AUTH-04', effect: 'E3', assumes: 'A-104' } as const;
const OF_KEYS = { requirement: 'R-AUTH-03 R-AUTH-04', effect: 'E3' } as const;

const platform = async (): Promise<Caller> => ({});
const otherKey = async (): Promise<Caller> => ({ key: foreignKeys()[1] as string });

for (const [id, options, owner, whose, stranger, by] of [
  ['X-37', OF_ACCOUNTS, platform, 'the platform', anAccount, 'a connected account'],
  ['X-21', OF_ACCOUNTS, anAccount, 'a connected account', platform, 'the platform'],
] as const)
  check(
    id,
    options,
    `everything of ${whose}, requested by id and in every list by ${by} → 404, or absent`,
    async () => expectUnseen(await oneOfEach(await owner()), [await stranger()]),
  );

check(
  'X-39',
  OF_KEYS,
  'everything of this key, requested by id and in every list with a key of the other environment and with one of another account, in turn → 404, or absent',
  async () =>
    expectUnseen(
      await oneOfEach({}),
      foreignKeys().map((key) => ({ key })),
    ),
);

for (const [id, options, owner, whose, stranger, by] of [
  ['X-38', OF_ACCOUNTS, platform, "the platform's", anAccount, 'a connected account'],
  ['X-100', OF_ACCOUNTS, anAccount, "a connected account's", platform, 'the platform'],
  ['X-101', OF_ACCOUNTS, anAccount, "another one's", anAccount, 'a connected account'],
  ['X-40', OF_KEYS, platform, "this key's", otherKey, 'a key of another account'],
] as const)
  check(
    id,
    options,
    `every write to, and every reference in a body to, an object that is ${whose}, sent by ${by} → rejected, nothing changes`,
    async () => expectUntouched(await oneOfEach(await owner()), await aStranger(await stranger())),
  );

check(
  'TOP-18',
  { requirement: 'R-ACC-17 R-AUTH-04 R-TOP-13', effect: 'E4', assumes: 'A-104' },
  'top-ups of the platform and of a connected account, each read by the other and with another key → 404',
  async () => {
    const actingFor = (await aFreshAccount()).id;
    const made = async (caller: Caller) => {
      const { ids } = await oneOfEach(caller);
      const body = { customer_id: ids['customerId'], amount: 1, currency: 'USD', ...ADDRESSES };
      const { id } = (await call('createTopUp', { body, ...caller }, [201])).body;
      await call('getTopUp', { path: { topUpId: id }, ...caller }, [200]);
      return { topUpId: id as string };
    };
    const [own, connected] = [await made({}), await made({ actingFor })];
    await call('getTopUp', { path: own, actingFor }, [404]);
    await call('getTopUp', { path: connected }, [404]);
    for (const key of isOurs() ? foreignKeys() : [])
      await call('getTopUp', { path: own, key }, [404]);
  },
);

check(
  'EVT-95',
  { requirement: 'R-EVT-07', effect: 'E3' },
  'a billed event repeated for another customer, and an event without a fee for a customer who would be billed for it, whatever the status → still one event, as it was, of its first customer; both balances unchanged',
  async (t) => {
    const { customer, product } = await aSubscriber();
    const other = await aCustomer('other');
    const balances = async () => [String(await balance(customer)), String(await balance(other))];
    for (const [first, second] of [[customer, other] as const, [other, customer] as const]) {
      const event = usageEvent(product.eventType);
      await submit(first, event);
      const state = async () => [
        await stored(event.id),
        await listed({ event_id: event.id }),
        await balances(),
      ];
      const before = await state();
      const body = { customer_id: second.id, events: [event] };
      const { status } = await call('submitEvents', { body }, [204, 400, 422]);
      t.observe('same id, other customer', status);

      expect(await state()).toEqual(before);
      expect(before[0]).toMatchObject({ customer_id: first.id });
      expect(await listed({ customer_id: second.id, subject: event.subject })).toEqual([]);
    }
  },
);

check(
  'SUB-33',
  { requirement: 'R-SUB-28 R-SUB-31', effect: 'E3' },
  'update of a subscription, and of a product of it, in the path of another customer → 404, unchanged',
  async () => {
    const [owner, other] = [await aFreshCustomer(), await aFreshCustomer()];
    const product = await aProduct('usage');
    const { id } = await subscribe(owner, to(product));
    await subscribe(other, to(product));
    const detail = () => api('getCustomer', { path: { customerId: owner.id } }, 200);
    const before = await detail();
    const path = { customerId: other.id, subscriptionId: id, productId: product.id };
    await call('updateSubscription', { path, body: { status: 'inactive' } }, [404]);
    await call('updateSubscriptionProduct', { path, body: { version: 1 } }, [404]);

    expect(await detail()).toEqual(before);
  },
);
