import {
  aDraftProduct,
  adjustment,
  aFreshCustomer,
  aFreshProduct,
  amount,
  anAdjustment,
  api,
  assuming,
  aUnitPrice,
  aWebhook,
  blackHole,
  call,
  check,
  expect,
  type OperationId,
  table,
  unique,
  uniqueAssetCode,
  usageEvent,
} from '../kit/index.ts';
import { aPayerOf, listed, stored, submit } from './shared/events.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import { detailOf, shown, to } from './shared/subscriptions.ts';
import { assetOf, balance, charge } from './shared/wallets.ts';

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

table(
  'X-67',
  { requirement: 'R-ACC-04 R-AST-02 R-CONV-28 R-CUS-02 R-PRD-43 R-VND-14', effect: 'E3' },
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
  { requirement: 'R-CUS-02 R-CUS-37', effect: 'E3', assumes: 'A-601' },
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

/** An object, updates of one field each that are sent together, and what reads its fields. */
interface Updated {
  readonly update: (body: object) => Promise<unknown>;
  readonly changes: readonly object[];
  readonly read: () => Promise<object>;
  /** Fields that stay as they were. */
  readonly kept: object;
}

const expectAll = (make: () => Promise<Updated>) =>
  race({
    subject: make,
    rounds: 3,
    together: ({ update, changes }) => changes.map(update),
    async holds({ changes, read, kept }) {
      expect(await read()).toMatchObject(Object.assign({}, kept, ...changes));
    },
  });

check(
  'CUS-63',
  { requirement: 'R-CUS-37 R-PRD-45 R-WHK-22', effect: 'E3', assumes: 'A-601 A-501' },
  'fields of a destination, a customer and an unpublished version changed together, one per request → all are changed, the others stay',
  async (t) => {
    await expectAll(async () => {
      const { id, secret } = await aWebhook(t);
      const path = { webhookId: id };
      return {
        changes: [{ url: blackHole() }, { topics: ['contract.race'] }, { enabled: false }],
        update: (body) => api('updateWebhook', { path, body }, 200),
        read: () => api('getWebhook', { path }, 200),
        kept: { secret },
      };
    });
    await expectAll(async () => {
      const { id, external_id } = await aFreshCustomer();
      const name = 'Contract changed';
      return {
        changes: [{ name }, { email: 'changed@example.com' }, { metadata: { changed: 'yes' } }],
        update: (body) => api('updateCustomer', { path: { customerId: id }, body }, 204),
        read: () => detailOf({ id }),
        kept: { external_id },
      };
    });
    await expectAll(async () => {
      const product = await aDraftProduct(t);
      const path = { productId: product.id, version: '1' };
      const { prices } = await versionOf(product, 1);
      return {
        changes: [{ name: 'Contract changed' }, { entitlements: [ENTITLEMENT] }],
        update: (body) => api('updateProductVersion', { path, body }, 204),
        read: () => versionOf(product, 1),
        kept: { prices },
      };
    });
  },
);

/** Deletes an unused product and subscribes a customer to it together. */
const deleteAndSubscribe = (isDeletedFirst: boolean) =>
  race({
    subject: async () => ({ product: await aFreshProduct(), customer: await aFreshCustomer() }),
    rounds: 3,
    together({ product, customer }) {
      const path = { customerId: customer.id, productId: product.id };
      const remove = () => call('deleteProduct', { path: { productId: product.id } }, [204]);
      const subscribe = () =>
        call('createSubscription', { path, body: to(product) }, [201, 400, 422]);
      if (isDeletedFirst) return [remove(), subscribe()];
      const [subscribed, removed] = [subscribe(), remove()];
      return [removed, subscribed];
    },
    async holds({ product, customer }, [, subscribed]) {
      const path = { productId: product.id };
      if (subscribed?.status !== 201) {
        await api('getProduct', { path }, 404);
        return;
      }
      const { versions } = await api('getProduct', { path }, 200);
      expect(
        versions.map(({ status }) => status),
        'versions',
      ).toEqual(['archived']);
      const { status, products } = await shown(customer, subscribed.body.id);
      expect([status, products[0]?.id], 'subscription').toEqual(['active', product.id]);
    },
  });

check(
  'PRD-60',
  { requirement: 'R-PRD-22 R-PRD-23 R-VER-02', effect: 'E3', partly: 'A-501' },
  'an unused product deleted and subscribed to together → subscribed and archived, or rejected and gone; three new versions made together → numbers that differ, each with its own name',
  async () => {
    await deleteAndSubscribe(true);
    await deleteAndSubscribe(false);
    const names = ['Contract one', 'Contract two', 'Contract three'];
    await race({
      subject: () => aFreshProduct(),
      rounds: 1,
      together: (product) => names.map((name) => addVersion(product, { name })),
      async holds(product, made) {
        const numbers = made.map(({ version }) => version);
        expect(new Set([1, ...numbers]).size, 'different numbers').toBe(4);
        for (const [index, version] of numbers.entries()) {
          const { name } = await versionOf(product, version);
          await assuming('A-501', async () => expect(name).toBe(names[index]));
        }
      },
    });
  },
);

const three = <T>(make: () => T): T[] => Array.from({ length: 3 }, make);

check(
  'WAL-64',
  { requirement: 'R-EVT-07 R-WAL-06', effect: 'E4' },
  'three charges, of which one repeats another, adjustments and batches of one customer sent together, with one event in every batch → the balance is their exact sum, each has its transaction or fee, and the shared event is billed once',
  () =>
    race({
      rounds: 2,
      async subject() {
        const payer = await aPayerOf('unit', [{ unit_price: 1 }]);
        await anAdjustment(payer.customer, { amount: 100 });
        const [one, repeated] = [charge({ amount: 1.5 }), charge({ amount: 1.5 })];
        const moved = {
          chargeWallet: [one, repeated, repeated],
          adjustWallet: three(() => adjustment({ amount: 10.25 })),
        };
        return { ...payer, moved, shared: usageEvent(payer.eventType) };
      },
      together({ customer, eventType, moved, shared }): Promise<unknown>[] {
        const path = { customerId: customer.id };
        return [0, 1, 2].flatMap((place) => [
          submit(customer, ...(place === 1 ? [usageEvent(eventType), shared] : [shared])),
          api('chargeWallet', { path, body: moved.chargeWallet[place] as never }, 201),
          api('adjustWallet', { path, body: moved.adjustWallet[place] as never }, 201),
        ]);
      },
      async holds({ customer, moved, shared }) {
        // 100 - 2 events - 2 × 1.5 + 3 × 10.25.
        expect(String(await balance(customer))).toBe('125.75');
        for (const [bodies, sum] of [
          [moved.chargeWallet, '-1.5'],
          [moved.adjustWallet, '10.25'],
        ] as const)
          for (const { transaction_id: transactionId } of bodies) {
            const path = { customerId: customer.id, transactionId };
            const transaction = await api('getWalletTransaction', { path }, 200);
            expect(String(amount(transaction, 'amount')), 'amount of a transaction').toBe(sum);
          }
        expect((await listed({ customer_id: customer.id })).length, 'events').toBe(2);
        expect((await stored(shared.id)).fees.length, 'fees of the shared event').toBe(1);
      },
    }),
);

/** How often a race is run, because one round can miss a window of a few milliseconds. */
const ROUNDS = 4;

/** Requests that are in flight at the same time, and what must hold once all have been answered. */
interface Race<Subject, Answer> {
  /** Makes what one round is about: new objects, or a new key. */
  readonly subject: () => Promise<Subject> | Subject;
  /** How often it is run; four times by default. */
  readonly rounds?: number;
  readonly together: (subject: Subject) => readonly Promise<Answer>[];
  readonly holds: (subject: Subject, answers: readonly Answer[]) => Promise<void>;
}

/** Runs a race several times. All requests are answered before it decides or gives up. */
async function race<Subject, Answer>(given: Race<Subject, Answer>): Promise<void> {
  const { subject: make, rounds = ROUNDS, together, holds } = given;
  for (let round = 1; round <= rounds; round += 1) {
    const subject = await make();
    await holds(subject, await allOf(together(subject)));
  }
}

/** The results of all promises, once none is pending any more, unlike `Promise.all`. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
