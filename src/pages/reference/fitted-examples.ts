import { findCurrency } from '../../domain/currencies.ts';
import { rowsOf } from '../../store/query/query.ts';
import { key, type Tables } from '../../store/schema.ts';
import type { World } from '../../store/world.ts';

/** The parts of an OpenAPI document that have examples of requests. */
export interface ExampledDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, object>> };
}

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': Body } };
}

interface Body {
  readonly example?: unknown;
}

/** Returns example values of path parameters: ids of the first customer's records, else of the first record. */
function parametersOf({ tables }: World): Readonly<Record<string, string | undefined>> {
  const customer = firstOf(tables.customers)?.id ?? '';
  const subscription = rowsOf(tables.subscriptions, { customer_id: customer })[0];
  return {
    AccountId: firstOf(tables.accounts)?.id,
    AssetCodeInPath: customAsset(tables),
    ConnectedAccountId: firstOf(tables.accounts)?.id,
    CustomerId: customer || undefined,
    EventId: firstOf(tables.events)?.event_id,
    ProductId: firstOf(tables.products)?.id,
    SubscribedProductId: subscription?.products[0]?.id,
    SubscriptionId: subscription?.id,
    Topic: 'subscription.activated',
    TaskId: firstOf(tables.tasks)?.id,
    TopUpId: firstOf(tables.top_ups)?.id,
    TransactionId: rowsOf(tables.transactions, { customer_id: customer })[0]?.transaction_id,
    VendorId: firstOf(tables.vendors)?.id,
    Version: '1',
    WalletAccountIdInPath: rowsOf(tables.wallet_accounts, { customer_id: customer })[0]?.account_id,
    WebhookId: firstOf(tables.webhooks)?.id,
  };
}

function firstOf<R>(table: { values(): Iterable<R> }): R | undefined {
  for (const row of table.values()) return row;
  return undefined;
}

const customAsset = ({ assets }: Tables): string | undefined =>
  [...assets.values()].find(({ code }) => !findCurrency(code))?.code;

/** Replaces fields of request bodies by values from the world. A value stays if the world has none. */
const FIELDS: Readonly<Record<string, (world: World, value: unknown) => unknown>> = {
  asset: ({ tables }, value) =>
    findCurrency(String(value)) ? value : (customAsset(tables) ?? value),
  customer_id: ({ tables }, value) => firstOf(tables.customers)?.id ?? value,
  occurred_at: ({ now }) => now,
};

/** Fields that must be unique, by the path that creates the record, and whether a value is already in use. */
const NAMES: Readonly<Record<string, readonly [field: string, isTaken: IsTaken]>> = {
  '/assets': ['code', ({ assets }, owner, name) => assets.get(key(owner, name)) !== undefined],
  '/customers': [
    'external_id',
    ({ customers }, owner, external_id) => rowsOf(customers, { owner, external_id }).length > 0,
  ],
  '/products': [
    'code',
    ({ products }, owner, code) => rowsOf(products, { owner, code }).length > 0,
  ],
  '/vendors': [
    'external_id',
    ({ vendors }, owner, external_id) => rowsOf(vendors, { owner, external_id }).length > 0,
  ],
};

type IsTaken = (tables: Tables, owner: string, name: string) => boolean;

/**
 * Changes the examples of a document so that they work in a world: they use ids that exist, the world's time,
 * and unique names that are not in use.
 */
export function fitExamples<D extends ExampledDocument>(document: D, world: World): D {
  const values = parametersOf(world);
  const parameters = Object.entries(document.components.parameters ?? {}).map(
    ([name, parameter]) => [
      name,
      values[name] ? { ...parameter, example: values[name] } : parameter,
    ],
  );
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    mapValues(item, (operation) => fitOperation(path, operation, world)),
  ]);
  return {
    ...document,
    components: { ...document.components, parameters: Object.fromEntries(parameters) },
    paths: Object.fromEntries(paths),
  };
}

function fitOperation(path: string, operation: Operation, world: World): Operation {
  const body = operation.requestBody?.content['application/json'];
  if (body?.example === undefined) return operation;
  const example = withFreeName(path, fitValue(body.example, world) as object, world);
  const content = { 'application/json': { ...body, example } };
  return { ...operation, requestBody: { ...operation.requestBody, content } };
}

function fitValue(value: unknown, world: World): unknown {
  if (Array.isArray(value)) return value.map((each) => fitValue(each, world));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value, (inner, name) => FIELDS[name]?.(world, inner) ?? fitValue(inner, world));
}

function withFreeName(path: string, example: object, { tables, accountId }: World): object {
  const [field, isTaken] = NAMES[path] ?? [];
  if (field === undefined || !isTaken) return example;
  const wanted = String((example as Readonly<Record<string, unknown>>)[field]);
  let name = wanted;
  for (let number = 2; isTaken(tables, accountId, name); number += 1) name = `${wanted}${number}`;
  return { ...example, [field]: name };
}

const mapValues = <V, R>(
  from: Readonly<Record<string, V>> | object,
  to: (value: V, name: string) => R,
) => Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value as V, name)]));
