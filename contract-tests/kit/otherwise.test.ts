import { describe, expect, it } from 'vitest';
import { startMutant } from '../mutants/emulator.ts';
import type { Loose, Mutant } from '../mutants/mutant.ts';
import { runInProcess } from '../testing/runs.ts';
import { type Answering, aFakeTarget, answerJson, closedAfterTest } from '../testing/server.ts';
import { gatherCases } from './check.ts';

/** Services that follow the specification and differ from the emulator only where it is silent. */
const checks = await gatherCases();

const only = (id: string) => checks.filter((one) => one.id === id);

/** Changes the bodies of what operations return if they succeed. */
const shows = (of: readonly string[], change: (body: Loose) => void): Partial<Mutant> => ({
  of,
  response({ status, body }) {
    if (status < 300) change(body);
  },
});

/** Simulates each event by itself. */
const perEvent = shows(['simulateUsage'], (body) => {
  body.events = [{ fees: body.fees }];
  delete body.fees;
});

/** Leaves the external id out of statistics. */
const nameless = shows(['listCustomerStats'], ({ items }) => {
  for (const item of items) delete item.external_id;
});

/** Lacks optional fields of fees, whose amounts are wrong. */
const doubled = shows(['getEvent'], ({ fees }) => {
  for (const fee of fees) {
    fee.amount *= 2;
    delete fee.dimensions;
  }
});

/** Leaves subscriptions out of customers, and shows events of another type. */
const bareAndRenamed = shows(['getCustomer', 'getEvent'], (body) => {
  delete body.subscriptions;
  if (body.event_type) body.event_type = 'contract.other';
});

describe('a contract run against a service with other unshown fields', () => {
  it.each<readonly [string, string, Partial<Mutant>, string]>([
    ['EVT-93', 'not_observable', perEvent, 'simulateUsage 200: fees is missing (A-512)'],
    ['PRD-43', 'refuted', perEvent, ''],
    ['CUS-14', 'pass', nameless, ''],
    ['EVT-06', 'fail', doubled, ''],
    ['EVT-01', 'fail', bareAndRenamed, ''],
  ])('ends %s as %s', async (id, outcome, difference, reason) => {
    const { baseUrl } = closedAfterTest(await startMutant(difference));
    // It shows at once what was written, so no check runs again with reads that wait.
    const flags = { effects: 'E4', consistency: 0 };
    const { checks: records } = await runInProcess(baseUrl, only(id), flags);

    expect(records.find((one) => one.id === id)).toMatchObject({
      outcome,
      ...(reason && { reason: expect.stringContaining(reason) }),
    });
  });
});

/** Accepts the first two destinations, and none with other topics; 404 for what it does not have. */
const known: Answering = ({ url, method }, response, count) => {
  if (url === '/accounts/self')
    return answerJson(response, { account_id: 'acc_1', environment: 'test' });
  if (method === 'POST' && count < 4)
    return answerJson(
      response,
      { id: 'dst_1', secret: 's', created_at: '2026-01-01T00:00:00Z' },
      201,
    );
  if (method === 'POST' || method === 'PATCH')
    return answerJson(response, { type: 'about:blank', title: 'No', status: 422 }, 422);
  response.writeHead(404).end();
};

describe('a contract run against a service that knows only the topic in the specification', () => {
  it('reports the assumption instead of a failure, and a 404 where none is listed as another', async () => {
    const target = await aFakeTarget(known);
    const run = await runInProcess(target.baseUrl, only('WHK-09'), {});

    expect(run.checks.find(({ id }) => id === 'WHK-09')).toMatchObject({
      outcome: 'not_observable',
      reason: expect.stringContaining('rests on A-1202, Unknown topics are stored'),
    });
    expect(run.checks.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const refuted = run.assumptions.filter(({ verdict }) => verdict === 'refuted');
    expect(refuted.map(({ id }) => id)).toEqual(expect.arrayContaining(['A-201', 'A-1202']));
  });
});
