import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remade, withItems, withMembers } from './distorting-proxy/answer.ts';
import type { Obstacle } from './distorting-proxy/obstacles.ts';
import { type DistortingProxy, startDistortingProxy } from './distorting-proxy/proxy.ts';
import { runInProcess } from './distorting-proxy/run-in-process.ts';
import type { WrongResponse } from './distorting-proxy/wrong-responses.ts';
import type { GatheredCheck } from './gather.ts';
import { gatherCases } from './selftest/cases.ts';
import { type StartedEmulator, startTarget } from './target/own-emulator.ts';
import { type Answering, aFakeTarget, answerJson } from './testing/server.ts';

/** Services that follow the specification and differ from the emulator only where it is silent. */
let emulator: StartedEmulator;
let proxy: DistortingProxy;
let checks: readonly GatheredCheck[];

beforeAll(async () => {
  emulator = await startTarget();
  proxy = await startDistortingProxy(emulator.baseUrl);
  checks = await gatherCases([
    ...['wallets.test.ts', 'products.test.ts', 'product-simulation.test.ts'],
    ...['customer-stats.test.ts', 'webhook-routing.test.ts', 'usage-fees.test.ts'],
    ...['event-fees.test.ts', 'event-lists.test.ts', 'both-sides.test.ts'],
  ]);
});

afterAll(async () => {
  await proxy.close();
  await emulator.close();
});

const only = (id: string) => checks.filter(({ ids }) => ids.includes(id));

const remaining: WrongResponse = {
  about: 'names what is left of a grant otherwise, and has no end of it',
  on: 'listGrants',
  change: withItems((items) =>
    items.map(({ available, expires_at, ...grant }) => ({ ...grant, left: available })),
  ),
};

const bare: WrongResponse = {
  about: 'lists subscribers as customers',
  on: 'listSubscribers',
  change: withItems((items) => items.map(({ customer_id }) => ({ id: customer_id }))),
};

const perEvent: WrongResponse = {
  about: 'simulates each event by itself',
  on: 'simulateUsage',
  change: withMembers(({ fees }) => ({ fees: undefined, events: [{ fees }] })),
};

const nameless: WrongResponse = {
  about: 'leaves the external id out of stats',
  on: 'listCustomerStats',
  change: withItems((items) => items.map(({ external_id, ...item }) => item)),
};

const withFees = (change: (fees: readonly Record<string, unknown>[]) => unknown) =>
  withMembers(({ fees }) => ({ fees: change(fees as readonly Record<string, unknown>[]) }));

const doubled: WrongResponse = {
  about: 'leaves optional fields out of fees, whose amounts are wrong',
  on: 'getEvent',
  change: withFees((fees) =>
    fees.map(({ dimensions, amount, ...fee }) => ({ ...fee, amount: 2 * Number(amount) })),
  ),
};

const halved: WrongResponse = {
  about: 'shows only the fees in the source currency',
  on: 'getEvent',
  change: withFees((fees) => fees.filter(({ currency }) => currency === 'USD')),
};

const bareAndShort: Obstacle = {
  about: 'leaves subscriptions out of customers, and the last event out of lists',
  change: (answer) => {
    if (answer.status !== 200) return answer;
    return remade(({ subscriptions, ...body }) => {
      const items = body['items'] as readonly object[] | undefined;
      return items && 'has_fees' in { ...items[0] } ? { ...body, items: items.slice(0, -1) } : body;
    })(answer);
  },
};

describe('a contract run against a service with other unshown fields', () => {
  it.each<readonly [string, string, WrongResponse | Obstacle, string]>([
    ['WAL-19', 'not_observable', remaining, 'listGrants 200: /items/* lacks expires_at (A-704)'],
    ['PRD-09', 'not_observable', bare, 'listSubscribers 200: /items/* lacks customer_id (A-504)'],
    ['PRD-12', 'not_observable', perEvent, 'simulateUsage 200: / lacks fees (A-512)'],
    ['PRD-43', 'refuted', perEvent, ''],
    ['CUS-14', 'pass', nameless, ''],
    ['EVT-06', 'fail', doubled, 'to match object'],
    ['EVT-13', 'fail', bareAndShort, 'to deeply equal'],
    ['EVT-56', 'fail', halved, 'to deeply equal'],
  ])('ends %s as %s', async (id, outcome, shape, reason) => {
    proxy.become(shape);
    const { checks: records } = await runInProcess(proxy.baseUrl, only(id), { consumables: 99 });

    if ('on' in shape) expect(proxy.touched).toBeGreaterThan(0);
    expect(records.find(({ ids }) => ids.includes(id))).toMatchObject({
      outcome,
      ...(reason && { reason: expect.stringContaining(reason) }),
    });
  });
});

/** Accepts the first destination, and none with other topics; 404 for what it does not have. */
const known: Answering = ({ url, method }, response, count) => {
  if (url === '/accounts/self')
    return answerJson(response, { account_id: 'acc_1', environment: 'test' });
  if (method === 'POST' && count < 3)
    return answerJson(
      response,
      { id: 'dst_1', secret: 's', created_at: '2026-01-01T00:00:00Z' },
      201,
    );
  if (method === 'POST')
    return answerJson(response, { type: 'about:blank', title: 'No', status: 422 }, 422);
  response.writeHead(404).end();
};

describe('a contract run against a service that knows only the topic in the specification', () => {
  it('reports the assumption instead of a failure, and a 404 where none is listed as another', async () => {
    const target = await aFakeTarget(known);
    const run = await runInProcess(target.baseUrl, only('WHK-09'), {});
    await target.close();

    expect(run.checks.find(({ ids }) => ids.includes('WHK-09'))).toMatchObject({
      outcome: 'not_observable',
      reason: expect.stringContaining('rests on A-1202, Unknown topics are stored'),
    });
    expect(run.checks.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const refuted = run.assumptions.filter(({ verdict }) => verdict === 'refuted');
    expect(refuted.map(({ id }) => id)).toEqual(expect.arrayContaining(['A-201', 'A-1202']));
  });
});
