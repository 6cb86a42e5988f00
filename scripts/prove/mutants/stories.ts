import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { historyArbitrary } from '../../../contract-tests/model/arbitrary-history.ts';
import { state } from '../../../contract-tests/model/aspects/state.ts';
import { playHistory } from '../../../contract-tests/model/play.ts';
import { type Fixture, parseFixture } from '../../../src/fixtures/read.ts';
import { runFixture } from '../../../src/fixtures/run-fixture.ts';
import type { RequestParts } from '../../../src/fixtures/scenario.ts';
import type { ScenarioRequest, ScenarioTarget } from '../../../src/fixtures/scenario-target.ts';
import { populate } from '../../../src/populate.ts';
import { loadDocument } from '../../../src/spec/document.ts';
import { bodyOf, queryOf } from '../../../src/testing/random/arbitrary-request.ts';
import { watched } from '../../../src/testing/watched.ts';
import { serialise } from '../../../src/text/exact-json.ts';
import { ROOT } from '../../build/places.ts';

/** Requests to a new world, through the pipeline without a socket. */
export interface Story {
  readonly name: string;
  play(target: ScenarioTarget): Promise<unknown>;
}

const SEED = 1;
const REQUESTS_EACH = 12;
const ASKED_ODDLY = ['quickstart.yaml', 'connected-accounts.yaml', 'draw-down-order.yaml'];
const FIXTURES = `${ROOT}fixtures/`;

/** The fixed corpus: every fixture, a population, random histories, and odd requests to every operation. */
export function stories(count: number): readonly Story[] {
  const fixtures = readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((name) => {
      const fixture = parseFixture(readFileSync(FIXTURES + name, 'utf8'), name);
      return [
        { name, play: (target: ScenarioTarget) => runFixture(fixture, target) },
        ...(ASKED_ODDLY.includes(name)
          ? [
              {
                name: `odd requests after ${name}`,
                play: (target: ScenarioTarget) => askOddly(fixture, target),
              },
            ]
          : []),
      ];
    });
  const histories = fc
    .sample(historyArbitrary, { seed: SEED, numRuns: count })
    .map((history, index) => ({
      name: `history ${index}`,
      play: (target: ScenarioTarget) => playHistory(callOn(target), history, [state], { every: 1 }),
    }));
  return [...fixtures, ...histories, { name: 'population', play: populate }];
}

type Call = Parameters<typeof playHistory>[0];

function callOn(target: ScenarioTarget): Call {
  return async (call, parts, statuses) => {
    const { status, body } = await target.send({ call, ...(parts as object) });
    if (statuses ? !statuses.includes(status) : status >= 300)
      throw new Error(`${call}: ${status} ${JSON.stringify(body)}`);
    return body === undefined ? undefined : JSON.parse(serialise(body).text);
  };
}

const STRANGE = ['0', '-1', 'x', '', 'true', '2026-01-15', '2026-01-15T12:00:00Z', 'active'];

/** Sends random valid and invalid requests of every operation about the records of a fixture. */
async function askOddly(fixture: Fixture, target: ScenarioTarget): Promise<void> {
  const seen: Seen = new Map();
  const told = watched(target, (request, reply) => {
    notice({ ...request.path }, seen);
    notice(request.body, seen);
    notice(reply.body, seen);
  });
  await runFixture(fixture, told);
  await lookAround(told);
  const document = loadDocument('openapi');
  for (const operation of document.operations.values()) {
    const asked = fc.record({
      query: queryOf(document, operation, STRANGE),
      body: bodyOf(document, operation),
      path: fc.record(
        Object.fromEntries(
          [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
            name,
            fc.constantFrom(...(seen.get(name) ?? []), ...(PRESET[name] ?? []), 'none'),
          ]),
        ),
      ),
    });
    for (const parts of fc.sample(asked, { seed: SEED, numRuns: REQUESTS_EACH }))
      await target.send({ call: operation.id, ...parts } as ScenarioRequest);
  }
  await lookAround(told);
  for (const [customerId = '', transactionId = ''] of pairs(seen))
    await target.send({ call: 'getWalletTransaction', path: { customerId, transactionId } });
  for (const topUpId of seen.get('topUpId') ?? [])
    await target.send({ call: 'getTopUp', path: { topUpId } });
}

/** Ids from responses and requests, by path parameter. */
type Seen = Map<string, Set<string>>;

const PARAMETERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^cust_/, 'customerId'],
  [/^sub_/, 'subscriptionId'],
  [/^prp_/, 'productId'],
  [/^vnd_/, 'vendorId'],
  [/^top_/, 'topUpId'],
  [/^(dst|whd)_/, 'webhookId'],
  [/^acc_/, 'connectedAccountId'],
  [/^\w+:[A-Z0-9]+$/, 'accountId'],
  [/^cust_\w+:/, 'taskId'],
];
const PRESET: Readonly<Record<string, readonly string[]>> = {
  topic: ['subscription.activated', 'subscription.unknown'],
  version: ['1', '2', 'default'],
  assetCode: ['USD', 'EUR'],
};
/** Fields whose path parameter has another name. */
const FIELDS: Readonly<Record<string, string>> = {
  transaction_id: 'transactionId',
  event_id: 'eventId',
  code: 'assetCode',
};

function notice(value: unknown, seen: Seen, field = ''): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value))
      notice(each, seen, Array.isArray(value) ? field : name);
  if (typeof value !== 'string') return;
  const name = FIELDS[field] ?? PARAMETERS.find(([pattern]) => pattern.test(value))?.[1];
  if (name !== undefined) seen.set(name, (seen.get(name) ?? new Set()).add(value));
}

const pairs = (seen: Seen): string[][] =>
  [...(seen.get('customerId') ?? [])]
    .slice(0, FEW)
    .flatMap((customer) =>
      [...(seen.get('transactionId') ?? [])].slice(0, 2 * FEW).map((id) => [customer, id]),
    );

/** Reads all lists of a world, and the objects in them by id. */
export async function lookAround(target: ScenarioTarget): Promise<void> {
  const day = target.now.slice(0, 10);
  for (const call of PAGED) await itemsOf(target, call, { limit: 2, offset: 1 });
  await lookAtCatalog(target);
  for (const { id: vendorId } of await itemsOf(target, 'listVendors')) {
    const path = { vendorId };
    await target.send({ call: 'getVendor', path });
    await target.send({ call: 'getVendorStats', path });
    await target.send({ call: 'getVendorStats', path, query: { period_to: day } });
  }
  for (const { id: webhookId } of await itemsOf(target, 'listWebhooks'))
    await target.send({ call: 'getWebhook', path: { webhookId } });
  for (const status of ['Success', 'Failed'])
    await itemsOf(target, 'listWebhookEvents', { status, limit: 2 });
  for (const { id: taskId } of await itemsOf(target, 'listTasks', { last_updated_to: day }, FEW))
    await target.send({ call: 'getTask', path: { taskId } });
  const events = await itemsOf(target, 'listEvents', { has_fees: true }, FEW);
  for (const eventId of new Set(events.map(({ id }) => id)))
    await target.send({ call: 'getEvent', path: { eventId } });
  for (const status of ['active', 'inactive']) await itemsOf(target, 'listCustomers', { status });
  await itemsOf(target, 'listCustomerStats', { period_from: day, period_to: day });
  for (const { id } of await itemsOf(target, 'listCustomers', {}, FEW))
    await lookAtCustomer(id, target);
}

/** The first items of a list. */
async function itemsOf(
  target: ScenarioTarget,
  call: string,
  query: RequestParts = {},
  most = Infinity,
): Promise<readonly Found[]> {
  const { body } = await target.send({ call, query });
  return ((body as { items?: Found[] } | undefined)?.items ?? []).slice(0, most);
}

async function lookAtCatalog(target: ScenarioTarget): Promise<void> {
  for (const { code: assetCode } of await itemsOf(target, 'listAssets')) {
    const path = { assetCode };
    await target.send({ call: 'getAsset', path });
    await target.send({ call: 'quoteAsset', path, body: { source: 'USD', amount: 7.77 } });
  }
  for (const { id: productId } of await itemsOf(target, 'listProducts')) {
    await target.send({ call: 'getProduct', path: { productId } });
    for (const version of ['1', 'default'])
      await target.send({ call: 'getProductVersion', path: { productId, version } });
    await target.send({ call: 'listSubscribers', path: { productId } });
  }
}

type Found = Readonly<Record<'id' | 'code', string>>;
const FEW = 6;
const PAGED = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listCustomerStats',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listTasks',
  'listVendors',
];

async function lookAtCustomer(customerId: string, target: ScenarioTarget): Promise<void> {
  const path = { customerId };
  await target.send({ call: 'getCustomer', path });
  await target.send({ call: 'getCustomerStats', path });
  await target.send({ call: 'listEvents', query: { customer_id: customerId, limit: 3 } });
  const { body } = await target.send({ call: 'getWallet', path });
  for (const { id } of (body as { accounts?: Found[] }).accounts ?? []) {
    const account = { ...path, accountId: id };
    await target.send({ call: 'getWalletAccount', path: account });
    for (const exclude_expired of ['true', 'false'])
      await target.send({ call: 'listGrants', path: account, query: { exclude_expired } });
  }
}
