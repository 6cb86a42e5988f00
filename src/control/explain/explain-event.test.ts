import { describe, expect, it } from 'vitest';
import {
  anEvent,
  CREDIT_ASSET,
  entitlement,
  MODEL_TOKENS,
  usagePrice,
} from '../../testing/catalog.ts';
import { type AnyBody, asNewAccount, createTestClient } from '../../testing/client.ts';
import {
  aStory,
  aSubscriber,
  aUser,
  CONTENT,
  DECLINES_LATER,
  type Story,
} from '../../testing/story.ts';

const client = createTestClient();
const { api } = client;

describe('explain', () => {
  it('gives the reason why each price charged no fee', async () => {
    const user = await aUser(client, {
      prices: [
        { ...MODEL_TOKENS, values: MODEL_TOKENS.values.slice(0, 1) },
        { name: 'Images', event_type: 'image' },
        {
          name: 'Minutes',
          usage_type: 'volume',
          volume_field: 'minutes',
          values: [{ volume_rate: 1 }],
        },
      ],
    });
    const { fees, without_fee, warnings, ...event } = await user.explained({
      data: { model: 'small', tokens: 5, minutes: '5' },
    });

    expect(fees).toEqual([]);
    expect(event.total_fees).toBeUndefined();
    expect(without_fee.map(({ name, cause, reason }: AnyBody) => [name, cause, reason])).toEqual([
      ['Tokens', 'unmatched_usage', 'it has no value for model "small"'],
      ['Images', 'other_event_type', 'it counts image, the event is call'],
      [
        'Minutes',
        'unusable_volume',
        'it counts minutes, which is "5" and must be a number of 0 or more',
      ],
    ]);
    expect(without_fee[0].matching[0].reason).toBe('needs model large, the event has small');
    expect(warnings.map(({ kind }: AnyBody) => kind)).toEqual([
      'unmatched_usage',
      'unusable_volume',
    ]);
    const text = await user.explanation(event.event.event_id);
    expect(text.split('\n')[0]).toBe('Why does this usage event have no fee?');
  });

  it('lists subscriptions that were not priced, because inactive or started earlier', async () => {
    const user = await aUser(client);
    const { key, customerId, productId } = user;
    const path = { customerId };
    const body = { products: [{ id: productId }] };
    const { id: newer } = await api('createSubscription', { key, path, body }, 201);
    const both = await user.explained();
    const [older] = both.products
      .filter(({ asked }: AnyBody) => !asked)
      .map(({ subscription_id }: AnyBody) => subscription_id);
    const of = { customerId, subscriptionId: older };
    await api('updateSubscription', { key, path: of, body: { status: 'inactive' } }, 204);
    const one = await user.explained();

    expect(both.fees[0].product).toMatchObject({
      subscription_id: newer,
      reason: 'of 2 subscriptions that held it then, the one that started last',
    });
    expect(one.products.map(({ subscription_id }: AnyBody) => subscription_id)).toEqual([newer]);
    expect(one.subscriptions_not_asked).toMatchObject([{ subscription_id: older }]);
    expect((await user.explain(both.event.event_id)).subscriptions_not_asked).toEqual([]);
  });

  it('finds events of a connected account for the platform, but not the reverse', async () => {
    const user = await aUser(client);
    const { key } = user;
    const own = await user.explained();
    const headers = await asNewAccount(api, key);
    const customer = await api('createCustomer', { key, headers, body: { name: 'End' } }, 201);
    const event = anEvent();
    const body = { customer_id: customer.id, events: [event] };
    await api('submitEvents', { key, headers, body }, 204);

    const found = await api('explain', { key, path: { id: event.id } });
    expect(found.owner).toBe(headers['X-Service-Account']);
    const path = { id: own.event.event_id };
    await api('explain', { key, headers, path }, 404);
    await api('explain', { key, headers, path: { id: own.fees[0].fee_id } }, 404);
  });
});

describe('explain after later changes', () => {
  it('shows the balances at the time of the event that chose the asset', async () => {
    const pricing = [
      { asset: 'EUR', values: [{ unit_price: 1 }] },
      { asset: 'GBP', values: [{ unit_price: 2 }] },
    ];
    const user = await aUser(client, { prices: [{ pricing }] });
    const without = await user.explained();
    await user.credit('GBP', 5);
    const { fees } = await user.explained();
    await user.credit('EUR', 50);
    const later = await user.explain(fees.length > 0 ? without.event.event_id : '');

    expect(later.fees[0].asset_choice).toEqual({
      asset: 'EUR',
      choices: [
        { asset: 'EUR', available: 0, amount: 1 },
        { asset: 'GBP', available: 0, amount: 2 },
      ],
      reason: 'the first listed, because none had a positive balance',
    });
    expect(fees[0].asset_choice).toEqual({
      asset: 'GBP',
      choices: [
        { asset: 'EUR', available: -1, amount: 1 },
        { asset: 'GBP', available: 5, amount: 2 },
      ],
      reason: 'the first listed whose account covers the whole fee',
    });
  });

  it('stays the same after changes of rate, product, subscription and balance', async () => {
    const monthly = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
    const user = await aUser(client, {
      assets: [{ ...CREDIT_ASSET, rates: [{ source: 'USD', rate: 0.05 }] }],
      entitlements: [{ ...entitlement(1), lifecycle: monthly }],
      prices: [{ name: 'Calls', asset: 'CREDIT', values: [{ unit_price: 3 }] }],
    });
    const { key, customerId, productId } = user;
    const before = await user.explained();
    const rate = { source: 'USD', rate: 0.5, valid_from: '2026-01-01T00:00:00Z' };
    await api('setAssetRate', { key, path: { assetCode: 'CREDIT' }, body: rate }, 204);
    const prices = [usagePrice({ asset: 'CREDIT', values: [{ unit_price: 7 }] })];
    const version = { prices, publish: true, make_default: true };
    await api('createProductVersion', { key, path: { productId }, body: version }, 201);
    const path = { customerId, subscriptionId: before.products[0].subscription_id };
    for (const body of [{ status: 'inactive' }, { status: 'active' }])
      await api('updateSubscription', { key, path, body }, 204);
    await user.credit('CREDIT', 100);
    await user.submit(anEvent());

    expect(before.fees[0].wallet.draws).toHaveLength(1);
    expect(await user.explain(before.event.event_id)).toEqual(before);
  });

  it('orders rolled-over grants by the expiry they had at the time of the event', async () => {
    const bundle = { asset: 'USD', purpose: 'bundled' };
    const monthly = { duration: 'month', refresh: { strategy: 'rollover' } };
    const user = await aUser(client, {
      entitlements: [
        { ...bundle, name: 'Roll', amount: 100, lifecycle: monthly },
        {
          ...bundle,
          name: 'Weeks',
          amount: 50,
          lifecycle: { duration: 'week', duration_count: 5 },
        },
      ],
      prices: [{ values: [{ unit_price: 60 }] }],
    });
    const { key } = user;
    // On 15 February the rest of Roll is extended to 15 March; Weeks expires before, on 19 February.
    await client.api('advanceClock', { key, body: { to: '2026-02-16T12:00:00Z' } });
    const { event } = await user.explained({ occurred_at: '2026-02-16T12:00:00Z' });
    await client.api('advanceClock', { key, body: { to: '2026-03-16T12:00:00Z' } });
    const later = await user.explain(event.event_id);

    expect(later.fees[0].wallet.draws).toMatchObject([
      { available: 50, amount: 50, expires_at: '2026-02-19T12:00:00.000Z' },
      { available: 100, amount: 10, expires_at: '2026-03-15T12:00:00.000Z' },
    ]);
  });
});

const RENEWAL = '2026-02-28T10:00:00Z';

/** Uses an image and explains that event. */
async function explained({ use, api }: Story): Promise<AnyBody> {
  await use('image.generated');
  const { items } = await api('listEvents', { query: { limit: 1 } });
  return api('explain', { path: { id: items[0].id } });
}

describe('explain, subscriptions', () => {
  it('says that the usage of a past-due subscription was free', async () => {
    const acme = await aStory({ client: createTestClient({ past_due_usage: 'free' }) });
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'succeeded', DECLINES_LATER);
    await acme.advance(RENEWAL);

    expect(await explained(acme)).toMatchObject({
      products: [],
      subscriptions_not_asked: [
        {
          subscription_id: id,
          reason: 'it was past due, and past_due_usage was free (now: action_required)',
        },
      ],
      warnings: [
        { message: expect.stringContaining('had no subscription that bills usage of 2026-02-28') },
      ],
    });
  });

  it('prefers the latest of subscriptions that are all past due', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    const { id: later } = await acme.subscribeTo('plan');
    await acme.settle(later, 'succeeded', DECLINES_LATER);
    await acme.advance(RENEWAL);
    const { products } = await explained(acme);

    expect(products).toHaveLength(2);
    expect(products).toMatchObject([
      { subscription_id: later, asked: true, past_due: true },
      {
        subscription_id: id,
        asked: false,
        past_due: true,
        reason: 'a subscription that started later held the product too',
      },
    ]);
  });

  it('does not list a subscription that was created after the event, at the same instant', async () => {
    const { acme } = await aSubscriber();
    const { event } = await explained(acme);
    await acme.subscribeTo('plan');
    const again = await acme.api('explain', { path: { id: event.event_id } });

    expect(again.subscriptions_not_asked).toEqual([]);
  });
});
