import type { CheckContext } from '../run-check.ts';
import { uuid } from '../target/names.ts';
import { type AnyBody, anOwnWorld, type WorldCall } from '../target/own-world.ts';
import { ADDRESSES } from '../target/payments.ts';

type Statuses = Parameters<WorldCall>[2];

/** The fields of an adjustment or a charge; with a new id, and in USD, unless told. */
interface Movement {
  readonly transaction_id?: string;
  readonly [field: string]: unknown;
}

/** A world with a customer. Its clock is frozen, at noon of 1 March unless given. */
export async function aCustomerWorld(
  t: CheckContext,
  now = '2026-03-01T12:00:00.000Z',
): Promise<CustomerWorld> {
  const call = anOwnWorld(t);
  await call('setClock', { body: { mode: 'frozen', now } });
  const { id } = await call('createCustomer', { body: { name: 'Ada' } });
  return new CustomerWorld(call, id);
}

/** A customer of a world, and requests about it. Each method sends one request, and returns the body unless told. */
export class CustomerWorld {
  readonly path: { readonly customerId: string };
  #plans = 0;

  constructor(
    readonly call: WorldCall,
    customerId: string,
  ) {
    this.path = { customerId };
  }

  readonly until = (to: string) => this.call('advanceClock', { body: { to } });

  /** Makes a product with a published version. Returns its id. */
  readonly product = async (content: object): Promise<string> => {
    this.#plans += 1;
    const body = { name: 'Plan', code: `plan-${this.#plans}`, publish: true, ...content };
    return (await this.call('createProduct', { body })).id;
  };

  /** Publishes another version of a product. */
  readonly version = (productId: string, content: object) =>
    this.call('createProductVersion', { path: { productId }, body: { publish: true, ...content } });

  /** Subscribes to products, each by its id or with more fields. */
  readonly subscribe = (
    wanted: readonly (string | object)[],
    terms: object = {},
    statuses: Statuses = [201],
  ) => {
    const products = wanted.map((each) => (typeof each === 'string' ? { id: each } : each));
    const body = { products, ...ADDRESSES, ...terms };
    return this.call('createSubscription', { path: this.path, body }, statuses);
  };

  /** Makes a payment of a subscription or a top-up succeed, or have another outcome. */
  readonly settle = (
    id: string,
    outcome = 'succeeded',
    more: object = {},
    statuses: Statuses = [200],
  ) => this.call('settlePayment', { path: { id }, body: { outcome, ...more } }, statuses);

  readonly update = (subscriptionId: string, body: object, statuses: Statuses = [204]) =>
    this.call('updateSubscription', { path: { ...this.path, subscriptionId }, body }, statuses);

  /** Changes a subscription to another version of a product. */
  readonly change = (
    subscriptionId: string,
    productId: string,
    version: unknown,
    statuses: Statuses = [204],
  ) => {
    const path = { ...this.path, subscriptionId, productId };
    return this.call('updateSubscriptionProduct', { path, body: { version } }, statuses);
  };

  /** Orders a top-up of 20 USD unless told. */
  readonly topUp = (fields: object = {}, statuses: Statuses = [201]) => {
    const { customerId: customer_id } = this.path;
    const body = { customer_id, amount: 20, currency: 'USD', ...ADDRESSES, ...fields };
    return this.call('createTopUp', { body }, statuses);
  };

  /** Submits usage of now. */
  readonly use = async (): Promise<void> => {
    const { now: occurred_at } = await this.call('getClock', {});
    const events = [{ id: uuid(), event_type: 'call', occurred_at, data: {} }];
    await this.call('submitEvents', { body: { customer_id: this.path.customerId, events } });
  };

  readonly adjust = (fields: Movement) => this.#move('adjustWallet', fields);

  readonly charge = (fields: Movement) => this.#move('chargeWallet', fields);

  #move(operation: 'adjustWallet' | 'chargeWallet', fields: Movement): Promise<AnyBody> {
    const { transaction_id = uuid(), ...others } = fields;
    const body = { transaction_id, asset: 'USD', ...others };
    return this.call(operation, { path: this.path, body });
  }

  readonly subscription = async (id: string) => {
    const { subscriptions } = await this.call('getCustomer', { path: this.path });
    return subscriptions.find((each: { id: string }) => each.id === id);
  };

  /** The gross revenue of the customer. */
  readonly revenue = async (): Promise<number> =>
    (await this.call('getCustomerStats', { path: this.path })).gross_revenue;
}
