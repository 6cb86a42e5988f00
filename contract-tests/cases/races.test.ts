import {
  aFreshCustomer,
  api,
  aUnitPrice,
  call,
  check,
  describe,
  expect,
  type OperationId,
  unique,
  uniqueSubject,
  usageEvent,
} from '../kit/index.ts';
import { listed as eventsOf, submit } from './shared/events.ts';
import { race } from './shared/races.ts';

const NAMES = ['Contract first', 'Contract second', 'Contract third', 'Contract fourth'];

interface Keyed {
  readonly kind: string;
  readonly operation: OperationId;
  readonly key: () => string;
  readonly body: (key: string) => object;
  /** The names of the objects that a list shows for the key. */
  readonly listed: (key: string) => Promise<readonly (string | undefined)[]>;
}

const namesOf = ({ items }: { readonly items: readonly { readonly name?: string }[] }) =>
  items.map(({ name }) => name);
const mailOf = (key: string) => `${key}@example.com`;

const CUSTOMER: Keyed = {
  kind: 'customer',
  operation: 'createCustomer',
  key: () => unique('race'),
  body: (key) => ({ external_id: key, email: mailOf(key) }),
  listed: async (key) =>
    namesOf(await api('listCustomers', { query: { email: mailOf(key) } }, 200)),
};
const ACCOUNT: Keyed = {
  kind: 'connected account',
  operation: 'createConnectedAccount',
  key: () => unique('race'),
  body: (key) => ({ external_id: key }),
  listed: async (key) =>
    namesOf(await api('listConnectedAccounts', { query: { external_id: key } }, 200)),
};
const VENDOR: Keyed = {
  kind: 'vendor',
  operation: 'createVendor',
  key: () => unique('race'),
  body: (key) => ({ external_id: key }),
  listed: async (key) => namesOf(await api('listVendors', { query: { external_id: key } }, 200)),
};
const PRODUCT: Keyed = {
  kind: 'product',
  operation: 'createProduct',
  key: () => unique('race'),
  body: (code) => ({ code, prices: [aUnitPrice(code)], publish: true }),
  listed: async (code) => namesOf(await api('listProducts', { query: { code } }, 200)),
};

/** Sends four creates together, and expects of the outcome what `holds` says. */
const creates = (
  { kind, operation, key, body }: Keyed,
  keyOf: (key: string, place: number) => string,
  holds: (key: string, answers: readonly Awaited<ReturnType<typeof call>>[]) => Promise<void>,
) =>
  race({
    subject: key,
    usesUp: kind,
    together: (given) =>
      NAMES.map((name, place) =>
        call(operation, { body: { ...body(keyOf(given, place)), name } }, [201, 400, 422]),
      ),
    holds,
  });

/** Creates objects of different keys together: all are listed, each with an id of its own. */
const allOfThem = (keyed: Keyed) =>
  creates(
    keyed,
    (key, place) => `${key}-${place}`,
    async (key, answers) => {
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(4);
      for (const [place, name] of NAMES.entries())
        expect(await keyed.listed(`${key}-${place}`)).toEqual([name]);
    },
  );

describe('creates of different keys at the same time', () => {
  check(
    'X-67',
    { requirement: 'R-CONV-28', level: 'IMPLIED', effect: 'E3' },
    'customers, connected accounts, vendors and products created together → ids that differ, all are found; first events of several subjects sent together → a task each',
    async () => {
      for (const keyed of [CUSTOMER, ACCOUNT, VENDOR, PRODUCT]) await allOfThem(keyed);
      await race({
        subject: aFreshCustomer,
        together: (customer) =>
          NAMES.map(async () => {
            const event = usageEvent('contract.race', { subject: uniqueSubject() });
            await submit(customer, event);
            return event;
          }),
        async holds({ id: customer_id }, events) {
          const subjects = events.map(({ subject }) => subject).sort();
          const { items } = await api('listTasks', { query: { customer_id } }, 200);
          const tasks = items.map(({ id }) => id).sort();
          expect(tasks).toEqual(subjects.map((subject) => `${customer_id}:${subject}`));
          expect(await eventsOf({ customer_id })).toHaveLength(4);
        },
      });
    },
  );
});
