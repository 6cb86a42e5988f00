import type { OperationId } from '../../kit/operations.ts';
import type { AnyBody } from '../../kit/target/own-world.ts';
import { instant } from '../calls.ts';
import { DAY } from '../history.ts';
import type { Stage } from './aspect.ts';

/** A parameter: the values to test for these items, and whether an item matches a value. */
export interface Rule {
  readonly asks: (items: readonly AnyBody[], stage: Stage) => readonly unknown[];
  readonly fits: (item: AnyBody, value: never, stage: Stage) => boolean;
}

/** A list operation with the rules of its parameters. */
export interface List {
  readonly operation: OperationId;
  /** The path parameters of each such list; none by default. */
  readonly paths?: (stage: Stage) => readonly Readonly<Record<string, string>>[];
  /** Parameters that do not only filter, such as the order. */
  readonly bases?: readonly object[];
  readonly rules: Readonly<Record<string, Rule>>;
}

type Field = (item: AnyBody) => string | null | undefined;

const given = (items: readonly AnyBody[], field: Field): string[] =>
  items.map(field).filter((value) => value !== null && value !== undefined);

const inCapitals = (text: string) => text.toUpperCase();

/** Matches the exact value of a field. Also tests similar values, which must not match. */
const equal = (field: Field): Rule => ({
  asks: (items) => given(items, field).flatMap((each) => [each, inCapitals(each), `${each}0`]),
  fits: (item, value) => field(item) === value,
});

/** Matches the value of a field regardless of case. */
const alike = (field: Field): Rule => ({
  asks: (items) => given(items, field).flatMap((each) => [each, inCapitals(each)]),
  fits: (item, value) => inCapitals(field(item) ?? '') === inCapitals(value),
});

const oneOf = (values: readonly unknown[], fits: Rule['fits']): Rule => ({
  asks: () => values,
  fits,
});

/** A bound on an instant, by day or millisecond. Tests each instant of the items, and one step before and after it. */
const bound = (field: Field, fits: (at: string, limit: string) => boolean, step: number): Rule => {
  const length = step === DAY ? 10 : 24;
  return {
    asks: (items) =>
      given(items, field).flatMap((at) =>
        [-step, 0, step].map((by) => instant(Date.parse(at) + by).slice(0, length)),
      ),
    fits: (item, limit) => {
      const at = field(item);
      return typeof at === 'string' && fits(at.slice(0, length), limit);
    },
  };
};
const from = (field: Field, step = DAY) => bound(field, (at, limit) => at >= limit, step);
const to = (field: Field, step = DAY) => bound(field, (at, limit) => at <= limit, step);

/** Matches the customer's external id, which the item itself need not contain. */
const customerBy = (idOf: Field): Rule => ({
  asks: (_, { world }) => world.customers.flatMap(({ external_id }) => external_id ?? []),
  fits: (item, value, { world, ids }) =>
    world.customers.some(
      ({ external_id, index }) => external_id === value && ids.customers[index] === idOf(item),
    ),
});

const ACCOUNTS = ({ ids, world }: Stage) =>
  world.customers.flatMap(({ index, accounts }) =>
    [...accounts.keys()].map((accountId) => ({
      customerId: ids.customers[index] as string,
      accountId,
    })),
  );

export const LISTS: readonly List[] = [
  {
    operation: 'listEvents',
    rules: {
      event_id: alike(({ id }) => id),
      customer_id: equal(({ customer_id }) => customer_id),
      customer_external_id: customerBy(({ customer_id }) => customer_id),
      subject: equal(({ subject }) => subject),
      period_from: from(({ occurred_at }) => occurred_at),
      period_to: to(({ occurred_at }) => occurred_at),
      event_types: oneOf([['e'], ['f'], ['e', 'f'], ['F', 'f']], ({ event_type }, value) =>
        (value as string[]).includes(event_type),
      ),
      has_fees: oneOf([true, false], ({ has_fees }, value) => has_fees === value),
    },
  },
  {
    operation: 'listTasks',
    bases: [{}, { sort: 'created_at' }],
    rules: {
      customer_id: equal(({ customer }) => customer.id),
      customer_external_id: customerBy(({ customer }) => customer.id),
      subject: equal(({ subject }) => subject),
      created_from: from(({ created_at }) => created_at),
      created_to: to(({ created_at }) => created_at),
      last_updated_from: from(({ last_updated_at }) => last_updated_at),
      last_updated_to: to(({ last_updated_at }) => last_updated_at),
    },
  },
  {
    operation: 'listGrants',
    paths: ACCOUNTS,
    rules: {
      purpose: oneOf(['paid', 'promotion', 'bundled'], ({ purpose }, value) => purpose === value),
      exclude_expired: oneOf([true, false], ({ expires_at }, value, { world }) =>
        value ? expires_at === null || expires_at > instant(world.now) : true,
      ),
      effective_from: from(({ effective_at }) => effective_at, 1),
      effective_to: to(({ effective_at }) => effective_at, 1),
      expired_from: from(({ expires_at }) => expires_at, 1),
      expired_to: to(({ expires_at }) => expires_at, 1),
    },
  },
  {
    operation: 'listCustomers',
    rules: {
      customer_id: equal(({ id }) => id),
      email: alike(({ email }) => email),
      name: {
        asks: (items) => [...given(items, ({ name }) => name), 'AN', 'nn', 'x', '%'],
        fits: ({ name }, part) => inCapitals(name).includes(inCapitals(part)),
      },
      status: oneOf(
        ['active', 'inactive'],
        ({ active_subscription_count }, value) =>
          active_subscription_count > 0 === ((value as string) === 'active'),
      ),
    },
  },
  { operation: 'listProducts', rules: { code: equal(({ code }) => code) } },
  {
    operation: 'listProductVersions',
    rules: {
      status: oneOf(['draft', 'published', 'archived'], ({ status }, value) => status === value),
    },
  },
  {
    operation: 'listSubscribers',
    paths: ({ ids }) => ids.products.map((productId) => ({ productId })),
    rules: {},
  },
  { operation: 'listVendors', rules: { external_id: equal(({ external_id }) => external_id) } },
  { operation: 'listAssets', rules: {} },
  { operation: 'listCustomerStats', rules: {} },
];
