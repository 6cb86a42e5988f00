import { describe, expect, it } from 'vitest';
import { entitlement } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';
import { anExplainedUser } from '../../testing/explained.ts';
import { anEvent, usagePrice } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('explain after later changes', () => {
  it('shows the balances at the time of the event that chose the asset', async () => {
    const pricing = [
      { asset: 'EUR', values: [{ unit_price: 1 }] },
      { asset: 'GBP', values: [{ unit_price: 2 }] },
    ];
    const user = await anExplainedUser(client, { prices: [{ pricing }] });
    const without = await user.explained();
    await user.credit('GBP', 5);
    const { fees } = await user.explained();
    await user.credit('EUR', 50);
    const later = await user.again(fees.length > 0 ? without.event.event_id : '');

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
    const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };
    const monthly = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
    const bundle = entitlement(1);
    const user = await anExplainedUser(client, {
      assets: [credits],
      entitlements: [{ ...bundle, lifecycle: monthly }],
      prices: [{ name: 'Calls', asset: 'CREDIT', values: [{ unit_price: 3 }] }],
    });
    const { key, customerId, productId } = user;
    const before = await user.explained();
    const { event_id } = before.event;

    const rate = { source: 'USD', rate: 0.5, valid_from: '2026-01-01T00:00:00Z' };
    await api('setAssetRate', { key, path: { assetCode: 'CREDIT' }, body: rate }, 204);
    const prices = [usagePrice({ asset: 'CREDIT', values: [{ unit_price: 7 }] })];
    const version = { prices, publish: true, make_default: true };
    await api('createProductVersion', { key, path: { productId }, body: version }, 201);
    const [{ subscription_id: subscriptionId }] = before.products;
    const path = { customerId, subscriptionId };
    for (const body of [{ status: 'inactive' }, { status: 'active' }])
      await api('updateSubscription', { key, path, body }, 204);
    await user.credit('CREDIT', 100);
    await user.submit(anEvent());

    expect(before.fees[0].wallet.draws).toHaveLength(1);
    expect(await user.again(event_id)).toEqual(before);
  });

  it('orders rolled-over grants by the expiry they had at the time of the event', async () => {
    const bundle = { asset: 'USD', purpose: 'bundled' };
    const monthly = { duration: 'month', refresh: { strategy: 'rollover' } };
    const user = await anExplainedUser(client, {
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
    await client.control('advanceClock', { key, body: { to: '2026-02-16T12:00:00Z' } }, 200);
    const { event } = await user.explained({ occurred_at: '2026-02-16T12:00:00Z' });
    await client.control('advanceClock', { key, body: { to: '2026-03-16T12:00:00Z' } }, 200);
    const later = await user.again(event.event_id);

    expect(later.fees[0].wallet.draws).toMatchObject([
      { available: 50, amount: 50, expires_at: '2026-02-19T12:00:00.000Z' },
      { available: 100, amount: 10, expires_at: '2026-03-15T12:00:00.000Z' },
    ]);
    expect(later.fees[0].wallet.waiting).toMatchObject([
      { available: 100, expires_at: '2026-03-15T12:00:00.000Z' },
    ]);
  });
});
