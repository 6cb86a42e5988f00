import { type Client, createClient } from 'billing-emulator/client';
import { currentCheckRun } from '../check-run.ts';
import { layers } from '../layers.ts';
import type { LooseParts, OperationId } from '../operations.ts';
import { ContractFailure } from '../outcome.ts';
import type { CheckContext } from '../run-check.ts';
import { call as callService } from './api.ts';
import { unique, uuid } from './names.ts';
import { ADDRESSES } from './payments.ts';
import { currentSession } from './session.ts';

// biome-ignore lint/suspicious/noExplicitAny: Checks compare the response field by field.
export type AnyBody = any;

/**
 * Calls an operation in the check's own world and returns the body.
 *
 * @throws ContractFailure when the response has none of the accepted statuses
 */
export type WorldCall = (
  /** An operation of the service or of the control API. */
  operation: Parameters<Client['send']>[0],
  parts: Pick<LooseParts, 'path' | 'query' | 'body' | 'raw' | 'actingFor'>,
  /** The accepted statuses; any success status by default. */
  statuses?: readonly number[],
) => Promise<AnyBody>;

/**
 * Creates a world for one check, on a target whose clock can be moved: `setClock` sets it to an instant, `advanceClock`
 * moves it forward. The world is deleted after the check. Its environment is that of the run's key by default.
 */
export function anOwnWorld(t: CheckContext, environment?: 'test' | 'live'): WorldCall {
  const { plan, own } = currentSession();
  const { target } = plan;
  const { baseUrl, serviceName } = target;
  // Parallel workers use different keys.
  const ofRun = `${target.key}-${unique('world')}`;
  const name = ofRun.replace(/^key_(test|live)_/, '');
  const key = environment === undefined ? ofRun : `key_${environment}_${name}`;
  own.add(key);
  const control = createClient({ url: baseUrl, key, serviceName });
  const call: WorldCall = async (operation, parts, statuses = [200, 201, 202, 204]) => {
    if (layers().assumed.operations.has(operation))
      return (await callService(operation as OperationId, { ...parts, key }, statuses)).body;
    const { actingFor: account, ...rest } = parts;
    currentCheckRun()?.agreement.changed();
    const { status, text } = await control.send(operation, { ...(rest as object), account });
    if (!statuses.includes(status)) throw new ContractFailure(`${operation}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  t.afterwards(() => control.call('deleteSandbox', { query: { name } }));
  return call;
}

/** A world as one of its connected accounts, a new one, sees it. */
export async function asConnectedAccount(call: WorldCall): Promise<WorldCall> {
  const { id: actingFor } = await call('createConnectedAccount', { body: { name: 'Connected' } });
  return (operation, parts, statuses) => call(operation, { ...parts, actingFor }, statuses);
}

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
  readonly settle = (id: string, outcome = 'succeeded', more: object = {}) =>
    this.call('settlePayment', { path: { id }, body: { outcome, ...more } });

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
