import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { populate } from '../../../src/populate.ts';
import { parseFixture } from '../../../src/scenarios/read.ts';
import { runFixture } from '../../../src/scenarios/run-fixture.ts';
import type { ScenarioRequest, ScenarioTarget } from '../../../src/scenarios/scenario-target.ts';
import { loadDocument } from '../../../src/spec/document.ts';
import { historyArbitrary } from '../../../src/testing/oracle/arbitrary-history.ts';
import { playHistory } from '../../../src/testing/oracle/play.ts';
import { bodyOf, queryOf } from '../../../src/testing/random/arbitrary-request.ts';
import { ROOT } from '../../build/places.ts';

/** What is done to a world of its own, through the pipeline and without a socket. */
export interface Story {
  readonly name: string;
  play(target: ScenarioTarget): Promise<unknown>;
}

const SEED = 1;
const REQUESTS_EACH = 12;
const FIXTURES = `${ROOT}fixtures/`;

/** The fixed corpus: every fixture, a population, random histories, and odd requests to every operation. */
export function stories(count: number): readonly Story[] {
  const fixtures = readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.yaml'))
    .map((name) => {
      const fixture = parseFixture(readFileSync(FIXTURES + name, 'utf8'), name);
      return { name, play: (target: ScenarioTarget) => runFixture(fixture, target) };
    });
  const histories = fc
    .sample(historyArbitrary, { seed: SEED, numRuns: count })
    .map((history, index) => ({
      name: `history ${index}`,
      play: (target: ScenarioTarget) => playHistory(callOn(target), history),
    }));
  return [
    ...fixtures,
    ...histories,
    { name: 'odd requests', play: askOddly },
    { name: 'population', play: populate },
  ];
}

type Call = Parameters<typeof playHistory>[0];

function callOn(target: ScenarioTarget): Call {
  return async (call, parts) => {
    const { status, body } = await target.send({ call, ...(parts as object) });
    if (status >= 300) throw new Error(`${call}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

const STRANGE = ['0', '-1', 'x', '', 'true', '2026-01-15', '2026-01-15T12:00:00Z', 'active'];

/** Every operation in random ways, acceptable and broken, on a world with something in it. */
async function askOddly(target: ScenarioTarget): Promise<void> {
  const quickstart = parseFixture(readFileSync(`${FIXTURES}quickstart.yaml`, 'utf8'), 'quickstart');
  await runFixture(quickstart, target);
  const document = loadDocument('openapi');
  const path = await somePath(target);
  for (const operation of document.operations.values()) {
    const asked = fc.record({
      query: queryOf(document, operation, STRANGE),
      body: bodyOf(document, operation),
    });
    for (const parts of fc.sample(asked, { seed: SEED, numRuns: REQUESTS_EACH }))
      await target.send({ call: operation.id, path, ...parts } as ScenarioRequest);
  }
}

/** One object of each kind, as paths name them. */
async function somePath(target: ScenarioTarget): Promise<Record<string, string>> {
  const first = async (call: string): Promise<Partial<Found>> => {
    const { body } = await target.send({ call });
    return (body as { items?: Found[] }).items?.[0] ?? {};
  };
  const customer = (await first('listCustomers')).id ?? 'none';
  return {
    accountId: 'default:USD',
    assetCode: 'USD',
    customerId: customer,
    productId: (await first('listProducts')).id ?? 'none',
    subscriptionId: 'none',
    version: 'default',
    eventId: (await first('listEvents')).id ?? 'none',
    taskId: (await first('listTasks')).id ?? 'none',
    topUpId: 'none',
    transactionId: 'none',
    vendorId: (await first('listVendors')).id ?? 'none',
    webhookId: (await first('listWebhooks')).id ?? 'none',
    topic: 'subscription.activated',
    connectedAccountId: (await first('listConnectedAccounts')).id ?? 'none',
  };
}

/** Reads whatever lists show of a world, and every object in them by its id. */
export async function lookAround(target: ScenarioTarget): Promise<void> {
  const items = async (call: string, query = {}): Promise<Found[]> => {
    const { body } = await target.send({ call, query: { ...query } });
    return (body as { items?: Found[] } | undefined)?.items ?? [];
  };
  const read = (call: string, path: Record<string, string>, query = {}) =>
    target.send({ call, path, query });
  const day = target.now.slice(0, 10);
  for (const call of PAGED) await items(call, { limit: 2, offset: 1 });
  for (const { code } of await items('listAssets')) {
    await read('getAsset', { assetCode: code });
    await target.send({
      call: 'quoteAsset',
      path: { assetCode: code },
      body: { source: 'USD', amount: 7.77 },
    });
  }
  for (const { id } of await items('listProducts')) {
    await read('getProduct', { productId: id });
    await read('getProductVersion', { productId: id, version: '1' });
    await read('getProductVersion', { productId: id, version: 'default' });
    await read('listSubscribers', { productId: id });
  }
  for (const { id } of await items('listVendors')) {
    await read('getVendor', { vendorId: id });
    await read('getVendorStats', { vendorId: id });
    await read('getVendorStats', { vendorId: id }, { period_to: day });
  }
  for (const { id } of await items('listWebhooks')) await read('getWebhook', { webhookId: id });
  for (const status of ['Success', 'Failed'])
    await items('listWebhookEvents', { status, limit: 2 });
  for (const status of ['active', 'inactive']) await items('listCustomers', { status });
  for (const { id } of (await items('listTasks', { last_updated_to: day })).slice(0, FEW))
    await read('getTask', { taskId: id });
  for (const id of new Set(
    (await items('listEvents', { has_fees: true })).map((each) => each.id).slice(0, FEW),
  ))
    await read('getEvent', { eventId: id });
  await items('listCustomerStats', { period_from: day, period_to: day });
  for (const { id } of (await items('listCustomers')).slice(0, FEW))
    await lookAtCustomer(id, target);
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
