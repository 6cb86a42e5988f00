import { describe, expect, it } from 'vitest';
import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE } from '../testing/catalog.ts';
import { type AnyBody, asNewAccount, createTestClient, TEST_NOW } from '../testing/client.ts';
import { aStory, CONTENT, DECLINES_LATER, linesOf } from '../testing/story.ts';
import { aBusyWorld, BUSY } from '../testing/worlds.ts';

describe('an advance over the limit of due items', () => {
  it('ends after that many, in a dry run too, and can be continued and undone', async () => {
    const client = createTestClient({ limits: { MAX_DUE_ITEMS: 100 } });
    await aBusyWorld(client, BUSY);
    const to = (instant: string, status: number, dry_run = false) =>
      client.api('advanceClock', { key: BUSY, body: { to: instant, dry_run } }, status);
    const clock = () => client.api('getClock', { key: BUSY });

    // Each of three subscriptions refreshes its credit every day, from 16 January at 12:00: two items each.
    const { errors } = await to('2026-03-15T12:00:00Z', 422, true);
    const before = await clock();
    expect((await to('2026-03-15T12:00:00Z', 422)).errors).toEqual(errors);
    expect(errors.to).toEqual([
      'More than 100 due items are on the way; the advance ends after these, at 2026-02-01T12:00:00.000Z. Continue from there.',
    ]);
    expect([before.now, (await clock()).now]).toEqual([TEST_NOW, '2026-02-01T12:00:00.000Z']);
    expect((await to('2026-02-01T12:00:00Z', 200)).total_count).toBe(2);
    await client.api('resetWorld', { key: BUSY, body: { to: 'previous' } });
    await client.api('resetWorld', { key: BUSY, body: { to: 'previous' } });
    expect(await clock()).toEqual(before);
    await client.emulator.close();
  });
});

describe('a bank debit', () => {
  it('pays a subscription a day later, and later renewals at once', async () => {
    const acme = await aStory();
    await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'processing');

    const { items } = await acme.advance('P1M');
    expect(items).toMatchObject([
      {
        at: '2026-02-01T10:00:00.000Z',
        kind: 'payment_settlement',
        outcome: 'active',
        fee: { currency: 'USD', amount: 20 },
        webhook_event_ids: [expect.any(String)],
      },
    ]);
    expect(linesOf(await acme.advance('2026-03-01T10:00:00Z'))).toEqual([
      '2026-03-01T10:00Z renewal collected',
    ]);
  });
});

describe('grants', () => {
  it('that are used up cause no expiry', async () => {
    const acme = await aStory();
    await acme.credit('CREDIT', 10, { expires_at: '2026-02-01T00:00:00Z' });
    await acme.credit('CREDIT', -10, { reason: 'external_refund' });

    expect((await acme.advance('P1M')).total_count).toBe(0);
  });
});

describe('jobs due at the same instant', () => {
  it('run by kind, and within a kind in the order of creation', async () => {
    const acme = await aStory();
    await acme.product('plan', {
      prices: [fixedPrice(20)],
      entitlements: [entitlement(10, EVERY_MONTH), entitlement(20, { name: 'B', ...EVERY_MONTH })],
    });
    const moment = '2026-02-28T10:00:00Z';
    await acme.subscribeTo('plan', { starts_at: moment });
    const first = await acme.subscribeTo('plan');
    const second = await acme.subscribeTo('plan');
    await acme.settle(second.id);
    await acme.settle(first.id);
    await acme.credit('CREDIT', 5, { expires_at: moment });
    const { items } = await acme.advance(moment);
    const at = items.filter((item: AnyBody) => item.at === '2026-02-28T10:00:00.000Z');

    expect(at.map(({ kind }: AnyBody) => kind)).toEqual([
      ...Array.from({ length: 5 }, () => 'grant_expiry'),
      'payment_link_expiry',
      'renewal',
      'renewal',
      'refresh',
      'refresh',
    ]);
    const renewed = at.filter(({ kind }: AnyBody) => kind === 'renewal');
    expect(renewed.map((item: AnyBody) => item.subscription_id)).toEqual([first.id, second.id]);
    expect(await acme.balance()).toBe(60);
  });
});

describe('a connected account', () => {
  it('has its own due items, which the agenda and the advance list with their owner', async () => {
    const { client, key, advance } = await aStory();
    const headers = await asNewAccount(client.api, key);
    const owner = headers['X-Service-Account'];
    const { id } = await client.api(
      'createCustomer',
      { key, headers, body: { name: 'Theirs' } },
      201,
    );
    const body = {
      transaction_id: '00000000-0000-4000-8000-00000000feed',
      asset: 'USD',
      amount: 9,
      reason: 'gift',
      expires_at: '2026-02-01T00:00:00Z',
    };
    await client.api('adjustWallet', { key, headers, path: { customerId: id }, body }, 201);

    const query = { limit: 9 };
    const { agenda } = await client.api('getClock', { key, headers, query });
    expect(agenda).toMatchObject({ items: [{ owner }], total_count: 1 });

    expect((await advance('P1M')).items).toMatchObject([
      { kind: 'grant_expiry', owner, customer_id: id, movements: [{ amount: -9 }] },
    ]);
  });
});

describe('a subscription renewal', () => {
  it('that is declined bills no usage until paid, with past_due_usage free', async () => {
    const acme = await aStory({ client: createTestClient({ past_due_usage: 'free' }) });
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'succeeded', DECLINES_LATER);
    await acme.advance('2026-02-28T10:00:00Z');
    expect(await acme.use('image.generated')).toEqual([]);
    await acme.settle(id);

    expect(await acme.use('image.generated')).toMatchObject([{ currency: 'EUR', amount: 0.5 }]);
  });

  it('without a fixed fee repeats the span until renews_at and charges nothing', async () => {
    const acme = await aStory();
    await acme.product('usage', { prices: [PER_IMAGE] });
    const { id } = await acme.subscribeTo('usage', { renews_at: '2026-02-10T10:00:00Z' });

    expect(linesOf(await acme.advance('P25D'))).toEqual([
      '2026-02-10T10:00Z renewal renewed',
      '2026-02-20T10:00Z renewal renewed',
    ]);
    expect((await acme.subscription(id)).renews_at).toBe('2026-03-02T10:00:00.000Z');
  });
});

describe('an inactive subscription', () => {
  it.each([
    ['without a fee', 0, {}],
    ['and the saved card pays', 20, {}],
    ['and paid by its link', 20, DECLINES_LATER],
  ])('starts when it is reactivated before its starts_at %s', async (_, fee, method) => {
    const acme = await aStory();
    const credit = entitlement(500, { lifecycle: { duration: 'month' } });
    await acme.product('plan', { prices: [fixedPrice(fee), PER_IMAGE], entitlements: [credit] });
    const { id } = await acme.subscribeTo('plan', { starts_at: '2026-03-10T00:00:00Z' });
    if (fee > 0) await acme.settle(id, 'succeeded', method);
    await acme.update(id, { status: 'inactive' });
    await acme.advance('2026-02-05T00:00:00Z');

    await acme.update(id, { status: 'active', renews_at: '2026-02-20T00:00:00Z' });
    if ('payment_method' in method) await acme.settle(id);
    expect(await acme.subscription(id)).toMatchObject({
      status: 'active',
      started_at: '2026-02-05T00:00:00.000Z',
      renews_at: '2026-02-20T00:00:00.000Z',
    });
    expect([await acme.balance(), (await acme.use('image.generated')).length]).toEqual([500, 1]);
  });
});

describe('a changed interval', () => {
  const weekly = fixedPrice(5, 'week');

  it('of months to weeks and back keeps it too', async () => {
    const acme = await aStory();
    const productId = await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id);
    await acme.version(productId, { prices: [weekly] });
    await acme.change(id, productId, 2);
    // 28 February by the month, then weeks: 7 March.
    await acme.advance('2026-03-08T00:00:00Z');
    await acme.change(id, productId, 1);

    const { items } = await acme.advance('P2M');

    expect(items.map(({ at }: AnyBody) => at.slice(0, 10))).toEqual(['2026-03-14', '2026-04-30']);
  });
});
