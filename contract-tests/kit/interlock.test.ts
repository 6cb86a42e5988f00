import type { ServerResponse } from 'node:http';
import type { Effect } from 'billing-emulator/spec';
import { describe, expect, it } from 'vitest';
import { aRecord } from '../testing/runs.ts';
import { type Answering, aFakeTarget, answerJson, type FakeTarget } from '../testing/server.ts';
import { CheckRun, withCheckRun } from './check-run.ts';
import { aCustomer, aDraftProduct, adjustment, aWebhook } from './index.ts';
import { HarnessError, NotSelected, SafetyStop, Untestable, UnusableResponse } from './outcome.ts';
import { defaultPlan, type RunPlan, targetOf } from './plan.ts';
import { decideCeiling } from './run/plan-run.ts';
import { preflight } from './run/preflight.ts';
import type { CheckContext } from './run-check.ts';
import { api, call, refused, send } from './target/api.ts';
import { unknownId } from './target/names.ts';
import { beginSession } from './target/session.ts';

/** Starts a session with the plan of a run without flags. */
async function presetSession(
  { baseUrl }: FakeTarget,
  changes: Partial<RunPlan> = {},
): Promise<RunPlan> {
  const target = targetOf({ kind: 'external', baseUrl, key: 'key_secret' });
  const found = await preflight({ target, timeoutMs: 1_000 });
  const ceiling = decideCeiling({
    isOurs: false,
    baseUrl,
    found,
    effects: undefined,
    confirmAccount: undefined,
    acceptsLiveWritesOf: undefined,
    isUnattended: true,
  });
  const { environment, accountId } = found;
  const plan = defaultPlan(
    { ...target, environment, accountId },
    { ceiling, timeoutMs: 1_000, ...changes },
  );
  beginSession(plan);
  return plan;
}

const t: CheckContext = { observe() {}, afterwards() {} };

/** Runs a step as a check of the effect class does. Returns the error it throws, else its result. */
function attempt(effect: Effect, step: () => Promise<unknown>): Promise<unknown> {
  const checkRun = new CheckRun(aRecord({ effect }));
  return withCheckRun(checkRun, () => step().catch((error: unknown) => error));
}

/** One write of each kind that cases send, with its effect class. */
const WRITES: readonly (readonly [Effect, () => Promise<unknown>])[] = [
  ['E1', () => refused('createCustomer', { body: {} })],
  ['E1', () => call('deleteWebhook', { path: { webhookId: unknownId('dst') } }, [404])],
  ['E1', () => call('createCustomer', { body: {}, key: null }, [401])],
  ['E2', () => api('createWebhook', { body: { url: 'https://a.invalid' } }, 201)],
  ['E2', () => aWebhook(t)],
  ['E2', () => aDraftProduct(t)],
  ['E3', () => aCustomer()],
  ['E3', () => send('createCustomer', { body: { name: 'Contract' } })],
  ['E4', () => api('createTopUp', { body: {} as never }, 201)],
];

const self = { account_id: 'acc_1', environment: 'test' };
const isSelf = (url: string | undefined) => url === '/accounts/self';

/** Answers GET /accounts/self in its own way, by the number of earlier requests, and everything else with 404. */
const saying =
  (respond: (response: ServerResponse, count: number) => void): Answering =>
  (request, response, count) =>
    isSelf(request.url) ? respond(response, count) : answerJson(response, {}, 404);
const saysOf = (body: (count: number) => unknown, status = 200): Answering =>
  saying((response, count) => answerJson(response, body(count), status));

const DISGUISES: readonly (readonly [string, Answering])[] = [
  ['says live', saysOf(() => ({ ...self, environment: 'live' }))],
  ['leaves environment out', saysOf(() => ({ account_id: 'acc_1' }))],
  ['leaves the account out', saysOf(() => ({ environment: 'test' }))],
  ['has a word of its own', saysOf(() => ({ ...self, environment: 'sandbox' }))],
  ['writes TEST', saysOf(() => ({ ...self, environment: 'TEST' }))],
  ['wraps test in a list', saysOf(() => ({ ...self, environment: ['test'] }))],
  ['wraps the answer', saysOf(() => ({ data: self }))],
  ['is not there', saysOf(() => ({}), 404)],
  ['fails', saysOf(() => self, 500)],
  ['redirects', saying((response) => response.writeHead(302, { location: '/elsewhere' }).end())],
  ['answers a page', saying((response) => response.writeHead(200).end('<p>test</p>'))],
  ['answers nothing', saying((response) => response.writeHead(204).end())],
  ['never answers', saying(() => {})],
  ['closes the connection', saying((response) => response.destroy())],
  [
    'says test at first and live later',
    saysOf((count) => ({ ...self, environment: count === 0 ? 'test' : 'live' })),
  ],
  ['names another account later', saysOf((count) => ({ ...self, account_id: `acc_${count}` }))],
  [
    'stops saying what it is',
    saying((response, count) =>
      count === 0 ? answerJson(response, self) : answerJson(response, {}, 404),
    ),
  ],
];

describe('a target that may be live', () => {
  it.each(DISGUISES)(
    'receives no write by default when its GET /accounts/self %s',
    async (_, answer) => {
      const target = await aFakeTarget(answer);
      await presetSession(target);
      for (const [effect, write] of WRITES)
        expect(await attempt(effect, write)).toBeInstanceOf(Error);

      expect(target.writes).toEqual([]);
    },
  );
});

describe('a test target', () => {
  const honest = saysOf(() => self);

  it('receives writes, up to class E4 on loopback', async () => {
    const target = await aFakeTarget(honest);
    const { ceiling } = await presetSession(target);
    await attempt('E2', () => send('createWebhook', { body: { url: 'https://a.invalid' } }));

    expect(ceiling).toBe('E4');
    expect(target.writes).toEqual(['POST /webhooks']);
  });

  it('receives GET /accounts/self again before the first write of a check', async () => {
    const target = await aFakeTarget(honest);
    await presetSession(target);
    await attempt('E2', () => send('createWebhook', { body: { url: 'https://a.invalid' } }));

    expect(target.requests).toEqual(['GET /accounts/self', 'GET /accounts/self', 'POST /webhooks']);
  });

  it('receives no E3 write from a check that declares E2', async () => {
    const target = await aFakeTarget(honest);
    await presetSession(target);
    const error = await attempt('E2', () => send('createCustomer', { body: { name: 'Contract' } }));

    expect(error).toBeInstanceOf(HarnessError);
    expect(target.writes).toEqual([]);
  });

  it('receives no setup write above the ceiling: the check is not selected', async () => {
    const target = await aFakeTarget(honest);
    await presetSession(target, { ceiling: 'E0' });
    const error = await attempt('E0', () => aCustomer());

    expect(error).toBeInstanceOf(NotSelected);
    expect(target.writes).toEqual([]);
  });

  it('receives no write to a customer that the suite did not create', async () => {
    const target = await aFakeTarget(honest);
    await presetSession(target);
    const path = { customerId: 'cust_of_others' };
    const error = await attempt('E3', () => api('adjustWallet', { path, body: adjustment() }, 201));

    expect(error).toBeInstanceOf(UnusableResponse);
    expect(target.writes).toEqual([]);
  });

  it('receives no test event while it has destinations that the suite did not create', async () => {
    const target = await aFakeTarget((request, response) =>
      answerJson(
        response,
        isSelf(request.url) ? self : { items: [{ url: 'https://others.example' }] },
      ),
    );
    await presetSession(target);
    const path = { topic: 'subscription.activated' };
    const error = await attempt('E4', () => api('testWebhooks', { path, body: {} }, 202));

    expect(error).toBeInstanceOf(Untestable);
    expect(target.writes).toEqual([]);
  });

  it.each([
    ['requests', { maxRequests: 2 }],
    ['created objects', { maxCreates: 2 }],
  ])('receives no write after the budget of %s is used up', async (_, budget) => {
    const target = await aFakeTarget(honest);
    await presetSession(target, budget);
    const write = () => send('createWebhook', { body: { url: 'https://a.invalid' } });
    const errors = [
      await attempt('E2', write),
      await attempt('E2', write),
      await attempt('E2', write),
    ];

    expect(errors.map((error) => error instanceof SafetyStop)).toEqual([false, false, true]);
    expect(target.writes).toHaveLength(2);
  });

  it('receives no more requests per second than the plan allows', async () => {
    const target = await aFakeTarget(honest);
    await presetSession(target, { requestsPerSecond: 20 });
    const started = performance.now();
    for (let count = 0; count < 5; count += 1) await attempt('E0', () => send('getAccountContext'));

    expect(performance.now() - started).toBeGreaterThan(190);
  });

  it('receives the retry of a request with 429 only after Retry-After', async () => {
    const target = await aFakeTarget((_, response, count) => {
      if (count === 1) return void response.writeHead(429, { 'retry-after': '1' }).end();
      answerJson(response, self);
    });
    await presetSession(target);
    const started = performance.now();
    await attempt('E0', () => send('getAccountContext'));
    await attempt('E0', () => send('getAccountContext'));

    expect(performance.now() - started).toBeGreaterThan(950);
  });
});
