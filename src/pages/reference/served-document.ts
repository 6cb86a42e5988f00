import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.ts';
import { findCurrency } from '../../domain/currencies.ts';
import { baseUrlOf } from '../../http/connection.ts';
import type { Json } from '../../spec/document.ts';
import { rowsOf } from '../../store/query.ts';
import type { Row } from '../../store/row.ts';
import type { TableName, Tables } from '../../store/schema.ts';
import type { Table } from '../../store/table.ts';
import type { World } from '../../store/world.ts';
import { parseKey } from '../../store/worlds.ts';
import type { PagesOptions } from '../page-control.ts';

/** The parts of a document that depend on the emulator that serves it, or on the world that its examples fit. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, object>> };
  readonly webhooks?: object;
}

type Serving = Pick<PagesOptions, 'settings' | 'worlds'>;

/** Serves a document. Its examples fit the open world whose key is in `?key=`. */
export const serveDocument =
  (name: DocumentName, serving: Serving): RequestHandler =>
  ({ query }, response) =>
    void response.json(documentFor(name, serving, String(query['key'] ?? '')));

/**
 * Returns a document with the emulator's own address and header names, and with examples that fit the world of a
 * key, if that is open.
 */
export function documentFor(
  name: DocumentName,
  { settings, worlds }: Serving,
  worldKey: string,
): Json {
  const document = adapt(name, settings, '/');
  const key = parseKey(worldKey);
  const world = key && worlds.peek(key);
  return (world ? fitExamples(document, world) : document) as unknown as Json;
}

export type DocumentName = 'openapi' | 'control';

/**
 * Serves the service's document to generators of clients and tests, as `/openapi.json`, with the address of the
 * request. `/openapi-without-webhooks.json` is for generators that do not support webhooks.
 */
export function serveForGenerators(settings: Settings): RequestHandler {
  return (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    const { webhooks, ...document } = adapt(
      'openapi',
      settings,
      baseUrlOf(settings, request.headers.host, request.secure),
    );
    response.json(request.baseUrl.includes('without') ? document : { ...document, webhooks });
  };
}

function adapt(name: DocumentName, settings: Settings, url: string): Document {
  const file = new URL(`../../spec/${name}.json`, import.meta.url);
  const text = readFileSync(file, 'utf8').replaceAll('X-Service-', `X-${settings.service_name}-`);
  return { ...JSON.parse(text), servers: [{ url }] };
}

interface Operation {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: unknown } };
  };
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

/** Fields that must be unique, by the path that creates a record of the table. */
const NAMES: Readonly<Record<string, readonly [table: TableName, field: string]>> = {
  '/assets': ['assets', 'code'],
  '/customers': ['customers', 'external_id'],
  '/products': ['products', 'code'],
  '/vendors': ['vendors', 'external_id'],
};

/**
 * Changes the examples of a document so that they work in a world: they use ids that exist, the world's time,
 * and unique names that are not in use.
 */
function fitExamples(document: Document, world: World): Document {
  const values = parametersOf(world);
  const parameters = mapValues(document.components.parameters ?? {}, (parameter, name) =>
    values[name] ? { ...parameter, example: values[name] } : parameter,
  );
  const paths = mapValues(document.paths, (item, path) =>
    mapValues(item, (operation) => fitOperation(path, operation, world)),
  );
  return { ...document, components: { ...document.components, parameters }, paths };
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
  const [table, field] = NAMES[path] ?? [];
  if (table === undefined || field === undefined) return example;
  const wanted = String((example as Readonly<Record<string, unknown>>)[field]);
  let name = wanted;
  const records = tables[table] as unknown as Table<Row>;
  const isTaken = () =>
    rowsOf(records, { owner: accountId, [field]: name } as Partial<Row>).length > 0;
  for (let number = 2; isTaken(); number += 1) name = `${wanted}${number}`;
  return { ...example, [field]: name };
}

const mapValues = <V, R>(
  from: Readonly<Record<string, V>> | object,
  to: (value: V, name: string) => R,
) => Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value as V, name)]));
