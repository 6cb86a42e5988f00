import {
  aFreshCustomer,
  api,
  aUnitPrice,
  call,
  check,
  describe,
  expect,
  type OperationId,
  table,
  unique,
  uniqueAssetCode,
  uniqueSubject,
  usageEvent,
} from '../kit/index.ts';
import { assetOf } from './shared/assets.ts';
import { submit } from './shared/events.ts';
import { race } from './shared/races.ts';

interface Keyed {
  readonly operation: OperationId;
  readonly key: () => string;
  readonly body: (key: string) => object;
  /** The names of the objects that are found by the key. */
  readonly found: (key: string) => Promise<readonly (string | undefined)[]>;
}

const mailOf = (key: string) => `${key}@example.com`;
const aKey = () => unique('race');
const namesOf = ({ items }: { readonly items: readonly { readonly name?: string }[] }) =>
  items.map(({ name }) => name);

const KEYED: Readonly<Record<string, Keyed>> = {
  customers: {
    operation: 'createCustomer',
    key: aKey,
    body: (external_id) => ({ external_id, email: mailOf(external_id) }),
    found: async (key) =>
      namesOf(await api('listCustomers', { query: { email: mailOf(key) } }, 200)),
  },
  'connected accounts': {
    operation: 'createConnectedAccount',
    key: aKey,
    body: (external_id) => ({ external_id }),
    found: async (external_id) =>
      namesOf(await api('listConnectedAccounts', { query: { external_id } }, 200)),
  },
  vendors: {
    operation: 'createVendor',
    key: aKey,
    body: (external_id) => ({ external_id }),
    found: async (external_id) =>
      namesOf(await api('listVendors', { query: { external_id } }, 200)),
  },
  products: {
    operation: 'createProduct',
    key: aKey,
    body: (code) => ({ code, prices: [aUnitPrice(code)], publish: true }),
    found: async (code) => namesOf(await api('listProducts', { query: { code } }, 200)),
  },
  assets: {
    operation: 'createAsset',
    key: uniqueAssetCode,
    body: (code) => ({ code }),
    found: async (code) => [(await assetOf(code)).name],
  },
};

describe('creations at the same time', () => {
  table(
    'X-67',
    {
      requirement: ['R-ACC-04', 'R-AST-02', 'R-CONV-28', 'R-CUS-02', 'R-PRD-43', 'R-VND-14'],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'three objects of one key and two of other keys created together → one of the three, with its own name, and the two others, each with an id of its own',
    KEYED,
    ({ operation, key, body, found }) => {
      const names = ['A', 'B', 'C', 'D', 'E'].map((each) => `Contract ${each}`);
      return race({
        subject: () => {
          const same = key();
          return [same, same, same, key(), key()];
        },
        rounds: 1,
        together: (keys) =>
          keys.map((each, index) =>
            call(operation, { body: { ...body(each), name: names[index] } }, [201, 400, 422]),
          ),
        async holds(keys, answers) {
          const isMade = answers.map(({ status }) => status === 201);
          expect(isMade.filter((each) => each).length, `${operation}: number made`).toBe(3);
          const ids = answers.flatMap(({ body: made }) => made.id ?? made.code ?? []);
          expect(new Set(ids).size, `${operation}: number of ids`).toBe(3);
          for (const key of new Set(keys)) {
            const wanted = names.filter((_, index) => keys[index] === key && isMade[index]);
            expect(await found(key), `${operation}: ${key}`).toEqual(wanted);
          }
        },
      });
    },
  );

  check(
    'CUS-62',
    { requirement: ['R-CUS-02', 'R-CUS-37'], level: 'ASSUMED', effect: 'E3', assumes: 'A-601' },
    'customers updated together to one external_id → one 204, and only that customer has it',
    () =>
      race({
        subject: async () => ({
          customers: [await aFreshCustomer(), await aFreshCustomer(), await aFreshCustomer()],
          external_id: unique('race'),
        }),
        together: ({ customers, external_id }) =>
          customers.map(({ id }) => {
            const parts = { path: { customerId: id }, body: { external_id } };
            return call('updateCustomer', parts, [204, 400, 422]);
          }),
        async holds({ customers, external_id }, answers) {
          const statuses = answers.map(({ status }) => status);
          expect(
            statuses.filter((status) => status === 204),
            'updates made',
          ).toHaveLength(1);
          for (const [place, { id, external_id: former }] of customers.entries()) {
            const shown = (await api('getCustomer', { path: { customerId: id } }, 200)).external_id;
            expect(shown, 'external_id').toBe(statuses[place] === 204 ? external_id : former);
          }
        },
      }),
  );

  check(
    'TSK-22',
    { requirement: ['R-CONV-28', 'R-TSK-01'], level: 'IMPLIED', effect: 'E3' },
    'first events of several subjects sent together → a task each',
    () =>
      race({
        subject: () => aFreshCustomer(),
        together: (customer) =>
          [1, 2, 3, 4].map(async () => {
            const event = usageEvent('contract.race', { subject: uniqueSubject() });
            await submit(customer, event);
            return event;
          }),
        async holds({ id: customer_id }, events) {
          const { items } = await api('listTasks', { query: { customer_id } }, 200);
          const wanted = events.map(({ subject }) => `${customer_id}:${subject}`).sort();
          expect(items.map(({ id }) => id).sort(), 'tasks').toEqual(wanted);
        },
      }),
  );
});
