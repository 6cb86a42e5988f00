import { beforeEach, describe, expect, it } from 'vitest';
import { EVERY_MONTH, entitlement, fixedPrice, URLS } from '../testing/catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW } from '../testing/client.ts';
import { aStory, type Story } from '../testing/story.ts';

let acme: Story;
beforeEach(async () => {
  acme = await aStory({ now: TEST_NOW });
});

const clock = () => acme.api('getClock');
const set = (body: object, status = 200) => acme.api('setClock', { body }, status);
const advance = (body: object, status = 200) => acme.api('advanceClock', { body }, status);
const errorsOf = async (body: object) => (await advance(body, 422)).errors;

const give = (expires_at: string, amount = 10) =>
  acme.credit('CREDIT', amount, { reason: 'gift', expires_at });
const available = () => acme.balance();

async function subscribe(): Promise<string> {
  const content = { prices: [fixedPrice(20)], entitlements: [entitlement(1000, EVERY_MONTH)] };
  await acme.product('plan', content);
  const { id } = await acme.subscribeTo('plan');
  await acme.settle(id);
  return id;
}

describe('getClock', () => {
  it('returns a frozen clock without a next due instant in an empty world', async () => {
    expect(await clock()).toEqual({
      now: TEST_NOW,
      mode: 'frozen',
      next_due: null,
      advancing: false,
    });
  });

  it('returns the earliest due instant as next_due', async () => {
    await give('2026-02-01T00:00:00Z');
    await give('2026-01-20T00:00:00Z');

    expect((await clock()).next_due).toBe('2026-01-20T00:00:00.000Z');
  });
});

describe('setClock', () => {
  it('moves the clock forward and backward without running due jobs', async () => {
    await give('2026-01-20T00:00:00Z');

    expect(await set({ mode: 'frozen', now: '2027-01-01T00:00:00Z' })).toMatchObject({
      now: '2027-01-01T00:00:00.000Z',
      mode: 'frozen',
      moved: 'forward',
    });
    expect(await available()).toBe(10);
    expect(await set({ mode: 'frozen', now: '1970-01-01T00:00:00Z' })).toMatchObject({
      moved: 'backward',
    });
    expect(await set({ mode: 'frozen' })).toMatchObject({
      now: '1970-01-01T00:00:00.000Z',
      moved: 'none',
    });
  });

  it('leaves skipped jobs to the next advance, which runs them at their own instants', async () => {
    await give('2026-01-20T00:00:00Z');
    await set({ mode: 'frozen', now: '2027-01-01T00:00:00Z' });
    const { items } = await advance({ by: 'PT0S' });

    expect(items).toMatchObject([{ at: '2026-01-20T00:00:00.000Z', kind: 'grant_expiry' }]);
    expect(await available()).toBe(0);
    expect((await clock()).now).toBe('2027-01-01T00:00:00.000Z');
  });

  it.each([
    [{ mode: 'frozen', now: '1969-12-31T23:59:59Z' }, 'now'],
    [{ mode: 'frozen', now: '10000-01-01T00:00:00Z' }, 'now'],
    [{ mode: 'frozen', now: '9999-12-31T23:59:59-01:00' }, 'now'],
    [{ mode: 'real', now: TEST_NOW }, 'now'],
  ])('rejects %j with 422 and leaves the clock unchanged', async (body, field) => {
    expect(Object.keys((await set(body, 422)).errors)).toEqual([field]);
    expect((await clock()).now).toBe(TEST_NOW);
  });
});

describe('advanceClock', () => {
  it('returns the jobs that ran, in order, with the amounts they moved', async () => {
    await give('2026-02-14T12:00:00Z', 7);
    const subscription_id = await subscribe();
    const result = await advance({ by: '1mo' });

    const common = { owner: expect.stringMatching(/^acc_/), customer_id: acme.customerId };
    const movement = { transaction_id: expect.any(String), account_id: 'default:CREDIT' };
    expect(result).toMatchObject({
      from: TEST_NOW,
      now: '2026-02-15T12:00:00.000Z',
      mode_before: 'frozen',
      mode: 'frozen',
      dry_run: false,
      total_count: 4,
    });
    expect(result.items).toEqual([
      {
        ...common,
        at: '2026-02-14T12:00:00.000Z',
        kind: 'grant_expiry',
        grant_id: expect.stringMatching(/^grt_/),
        asset: 'CREDIT',
        movements: [{ ...movement, source: 'expiry', asset: 'CREDIT', amount: -7 }],
      },
      {
        ...common,
        at: '2026-02-15T12:00:00.000Z',
        kind: 'grant_expiry',
        grant_id: expect.any(String),
        asset: 'CREDIT',
        movements: [{ ...movement, source: 'expiry', asset: 'CREDIT', amount: -1000 }],
      },
      {
        ...common,
        at: '2026-02-15T12:00:00.000Z',
        kind: 'renewal',
        subscription_id,
        outcome: 'collected',
        fee: { currency: 'USD', amount: 20 },
        movements: [],
      },
      {
        ...common,
        at: '2026-02-15T12:00:00.000Z',
        kind: 'refresh',
        subscription_id,
        movements: [{ ...movement, source: 'entitlement', asset: 'CREDIT', amount: 1000 }],
      },
    ]);
  });

  it('advances to a given instant or to the next due job', async () => {
    await give('2026-01-20T00:00:00Z');
    await give('2026-01-20T00:00:00Z');
    await give('2026-01-21T00:00:00Z');

    expect(await advance({ until: 'next' })).toMatchObject({
      now: '2026-01-20T00:00:00.000Z',
      total_count: 2,
    });
    expect(await available()).toBe(10);
    expect(await advance({ to: '2026-01-20T23:59:59.999Z' })).toMatchObject({ total_count: 0 });
    expect(await advance({ to: '2026-01-21T00:00:00+00:00' })).toMatchObject({ total_count: 1 });
    expect(await advance({ until: 'next' })).toMatchObject({ total_count: 0 });
    expect((await clock()).now).toBe('2026-01-21T00:00:00.000Z');
  });

  it.each([
    [{}, 'by'],
    [{ by: 'P1D', to: '2026-02-01T00:00:00Z' }, 'by'],
    [{ by: null, to: null, until: null }, 'by'],
    [{ by: 'a while' }, 'by'],
    [{ by: 'P-1D' }, 'by'],
    [{ by: 'P8000Y' }, 'by'],
    [{ to: '2026-01-15T11:59:59.999Z' }, 'to'],
    [{ to: '0001-01-01T00:00:00Z' }, 'to'],
    [{ until: 'delivered', dry_run: true }, 'until'],
  ])('rejects %j with 422 and leaves the clock unchanged', async (body, field) => {
    expect(Object.keys(await errorsOf(body))).toEqual([field]);
    expect((await clock()).now).toBe(TEST_NOW);
  });

  it('refuses a target before which too many renewals are scheduled, and changes nothing', async () => {
    const client = createTestClient({ limits: { MAX_DUE_ITEMS: 3 } });
    acme = await aStory({ now: TEST_NOW, client });
    await subscribe();
    const [message] = (await errorsOf({ by: 'P1Y' })).by;

    expect(message).toContain('renewals are scheduled until then');
    expect((await clock()).now).toBe(TEST_NOW);
    await acme.api('resetWorld', { body: { to: 'previous' } }, 404);
    await advance({ by: 'P1M' });
  });

  it('advances to the last instant of the year 9999 and not beyond', async () => {
    await set({ mode: 'frozen', now: '9999-11-30T00:00:00Z' });
    await subscribe();
    const portal = { customer_id: acme.customerId, ...URLS };
    await acme.api('createTopUp', { body: { ...portal, amount: 5, currency: 'USD' } }, 201);
    const reached = await advance({ to: '9999-12-31T23:59:59.999Z' });
    await acme.api('createPortalSession', { body: portal });

    expect(reached.items.map(({ kind }: AnyBody) => kind)).toEqual([
      'top_up_link_expiry',
      'grant_expiry',
      'renewal',
      'refresh',
    ]);
    expect(await advance({ by: 'P0D' })).toMatchObject({ total_count: 0 });
    expect(Object.keys(await errorsOf({ by: 'PT0.001S' }))).toEqual(['by']);
  });

  it('lets a subscription start at the last instant', async () => {
    await set({ mode: 'frozen', now: '9999-12-31T23:59:59.999Z' });
    await subscribe();

    expect(await acme.api('verifyLedger')).toMatchObject({ sound: true });
  });
});

describe('getClock with a limit', () => {
  it('lists scheduled jobs in order, and a repeating job once', async () => {
    await give('2026-03-01T00:00:00Z');
    await subscribe();
    const { agenda } = await acme.api('getClock', { query: { limit: 100 } });
    const { items, total_count } = agenda;

    expect(items.map(({ at, kind }: AnyBody) => [at, kind])).toEqual([
      ['2026-02-15T12:00:00.000Z', 'grant_expiry'],
      ['2026-02-15T12:00:00.000Z', 'renewal'],
      ['2026-02-15T12:00:00.000Z', 'refresh'],
      ['2026-03-01T00:00:00.000Z', 'grant_expiry'],
    ]);
    expect(total_count).toBe(4);
    const query = { offset: 1, limit: 2 };
    const page = await acme.api('getClock', { query });
    expect(page.agenda).toEqual({ items: items.slice(1, 3), total_count: 4 });
  });
});
