import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient, TEST_NOW } from '../../testing/client.ts';
import { anEvent, aUser, nextUuid, type UsageSetup, usagePrice } from '../../testing/usage.ts';

const client = createTestClient();
const { api, control } = client;

const tokens = {
  name: 'Tokens',
  event_type: 'call',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1_000_000 },
    { name: 'Other', dimensions: { model: '*' }, volume_rate: 2, package_size: 1_000_000 },
  ],
};

async function aUserOf(setup: UsageSetup) {
  const user = await aUser(client, setup);
  const { key } = user;
  return {
    ...user,
    /** Submits one event and answers its explanation. */
    async explained(given: object = {}): Promise<AnyBody> {
      const event = anEvent(given);
      await user.submit(event);
      return control('explainEvent', { key, path: { eventId: event.id } }, 200);
    },
    again: (eventId: string): Promise<AnyBody> =>
      control('explainEvent', { key, path: { eventId } }, 200),
  };
}

async function read(key: string, path: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/plain' };
  const response = await client.http.get(`/_emulator/explain/${path}`).set(headers);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  return response.text;
}

describe('explainFee', () => {
  it('shows product, price, value, arithmetic, grant, postings and revenue', async () => {
    const user = await aUserOf({ prices: [tokens] });
    await user.fund('USD', 100);
    const { fees } = await user.explained({ data: { model: 'large', tokens: 417_000 } });
    const path = { feeId: fees[0].fee_id };
    const fee = await control('explainFee', { key: user.key, path }, 200);

    expect(fee).toEqual(fees[0]);
    expect(fee).toMatchObject({
      amount: 4.17,
      asset: 'USD',
      customer_id: user.customerId,
      event: { event_type: 'call', submitted_at: TEST_NOW },
      product: { code: 'product', version: 1, reason: 'the only subscription that held it then' },
      price: { name: 'Tokens', volume_field: 'tokens', billable_dimensions: ['model'] },
      matching: [
        { name: 'Large', fits: true, equal_dimensions: 1, chosen: true },
        { name: 'Other', fits: true, equal_dimensions: 0, chosen: false },
      ],
      asset_choice: { asset: 'USD', choices: [] },
      arithmetic: {
        formula: '417000 × 10 ÷ 1000000',
        volume: 417_000,
        volume_rate: 10,
        package_size: 1_000_000,
        exact: '4.17',
        places: 10,
        rounding: 'half_even',
        rounded: false,
        amount: 4.17,
      },
      wallet: {
        account_id: 'default:USD',
        balance_before: 100,
        balance_after: 95.83,
        draws: [{ purpose: 'paid', available: 100, amount: 4.17, left: 95.83 }],
        waiting: [],
        debt: 0,
        postings: [{ from: 'wallet', to: 'revenue', amount: 4.17 }],
      },
      revenue: {
        currency: 'USD',
        amount: 4.17,
        parts: [{ amount: 4.17, per_unit: 1, value: 4.17 }],
      },
    });
  });

  it('gives the order of the grants with its reasons, those that wait, and the debt', async () => {
    const user = await aUserOf({ prices: [{ values: [{ unit_price: 10 }] }] });
    const give = (amount: number, reason: string, expires_at?: string) => {
      const body = { transaction_id: nextUuid(), asset: 'USD', amount, reason, expires_at };
      const path = { customerId: user.customerId };
      return api('adjustWallet', { key: user.key, path, body }, 201);
    };
    await give(4, 'external_topup');
    await give(6, 'external_topup', '2026-03-01T00:00:00Z');
    await give(3, 'gift');
    await give(2, 'gift', '2026-02-01T00:00:00Z');
    const first = await user.explained();
    const second = await user.explained();

    const { draws, waiting, debt } = first.fees[0].wallet;
    expect(draws.map(({ amount, left, reason }: AnyBody) => [amount, left, reason])).toEqual([
      [2, 0, 'it expires and the next never does'],
      [3, 0, 'promotion credit is drawn before paid credit'],
      [5, 1, 'it expires and the next never does'],
    ]);
    expect(waiting).toMatchObject([{ purpose: 'paid', available: 4, expires_at: null }]);
    expect(debt).toBe(0);

    const rest = second.fees[0].wallet;
    expect(rest.draws.map(({ available }: AnyBody) => available)).toEqual([1, 4]);
    expect(rest.draws[1].reason).toBe('it was the last credit left');
    expect([rest.debt, rest.balance_before, rest.balance_after]).toEqual([5, 5, -5]);
    expect(first.fees[0].revenue.parts.map(({ value }: AnyBody) => value)).toEqual([0, 0, 5]);
  });

  it('shows the balances that chose the asset, as they were', async () => {
    const pricing = [
      { asset: 'EUR', values: [{ unit_price: 1 }] },
      { asset: 'GBP', values: [{ unit_price: 2 }] },
    ];
    const user = await aUserOf({ prices: [{ pricing }] });
    const without = await user.explained();
    await user.fund('GBP', 5);
    const { fees } = await user.explained();
    await user.fund('EUR', 50);
    const later = await user.again(fees.length > 0 ? without.event.event_id : '');

    expect(later.fees[0].asset_choice).toEqual({
      asset: 'EUR',
      choices: [
        { asset: 'EUR', available: 0, amount: 1 },
        { asset: 'GBP', available: 0, amount: 2 },
      ],
      reason: 'the first by listing, as none had a positive balance',
    });
    expect(fees[0].asset_choice).toEqual({
      asset: 'GBP',
      choices: [
        { asset: 'EUR', available: -1, amount: 1 },
        { asset: 'GBP', available: 5, amount: 2 },
      ],
      reason: 'the first, by listing, whose account covers the whole fee',
    });
  });

  it('reckons revenue by what each draw is worth, and rounds once', async () => {
    const credits = {
      code: 'CREDIT',
      name: 'Credits',
      precision: 2,
      rates: [{ source: 'USD', rate: 0.05 }],
    };
    const bundle = { name: 'Bundle', asset: 'CREDIT', amount: 2, purpose: 'bundled' };
    const user = await aUserOf({
      assets: [credits],
      entitlements: [{ ...bundle, accounting: { revenue_basis: 0.01 } }],
      prices: [
        {
          asset: 'CREDIT',
          usage_type: 'volume',
          volume_field: 'n',
          values: [{ volume_rate: 10, package_size: 3 }],
        },
      ],
    });
    const { fees } = await user.explained({ data: { n: 1 } });

    // 10 ÷ 3 is 3.33 CREDIT: 2 of the bundle at 0.01, 1.33 of debt at 0.05.
    expect(fees[0].arithmetic).toMatchObject({
      exact: '3.33333333333333333333…',
      places: 2,
      rounded: true,
      amount: 3.33,
    });
    expect(fees[0].revenue).toMatchObject({
      amount: 0.0865,
      parts: [
        { amount: 2, per_unit: 0.01, value: 0.02 },
        { amount: 1.33, per_unit: 0.05, value: 0.0665 },
      ],
    });
  });

  it('stays the same whatever changes afterwards', async () => {
    const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };
    const monthly = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
    const bundle = { name: 'Bundle', asset: 'CREDIT', amount: 1, purpose: 'bundled' };
    const user = await aUserOf({
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
    await user.fund('CREDIT', 100);
    await user.submit(anEvent());

    expect(before.fees[0].wallet.draws).toHaveLength(1);
    expect(await user.again(event_id)).toEqual(before);
  });

  it('asks why in words', async () => {
    const user = await aUserOf({ prices: [tokens] });
    await user.fund('USD', 100);
    const { fees } = await user.explained({ data: { model: 'large', tokens: 417_000 } });
    const text = await read(user.key, `fees/${fees[0].fee_id}`);

    expect(text.split('\n')[0]).toBe('Why is this fee 4.17 USD?');
    expect(text).toContain('417000 × 10 ÷ 1000000 = 4.17\n');
    expect(text).toContain('default:USD had 100 and was left with 95.83.');
  });

  it('explains a fee of 0, which posts nothing', async () => {
    const user = await aUserOf({ prices: [{ values: [{ unit_price: 0 }] }] });
    const { fees } = await user.explained();

    expect(fees[0].wallet).toBeUndefined();
    expect(fees[0].revenue).toEqual({ currency: 'USD', amount: 0, parts: [] });
    expect(await read(user.key, `fees/${fees[0].fee_id}`)).toContain('a fee of 0 is not posted');
  });

  it('writes numbers that no double holds to the last digit', async () => {
    const user = await aUserOf({
      prices: [
        { usage_type: 'volume', volume_field: 'n', values: [{ volume_rate: 1.0000000001 }] },
      ],
    });
    const { fees } = await user.explained({ data: { n: 12345678901.23 } });

    const text = await read(user.key, `fees/${fees[0].fee_id}`);
    // 12345678901.23 + 1.234567890123, cut to ten places.
    expect(text.split('\n')[0]).toBe('Why is this fee 12345678902.4645678901 USD?');
  });

  it.each(['fee_0000', 'nothing', 'cust_1'])('has nothing to say of %s', async (feeId) => {
    await control('explainFee', { path: { feeId } }, 404);
    await control('explainEvent', { path: { eventId: feeId } }, 404);
  });
});

describe('explainEvent', () => {
  it('says why each price gave no fee', async () => {
    const user = await aUserOf({
      prices: [
        { ...tokens, values: tokens.values.slice(0, 1) },
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
      ['Tokens', 'no_value_fits', 'none of its values fits'],
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
    const text = await read(user.key, `events/${event.event.event_id}`);
    expect(text.split('\n')[0]).toBe('Why does this usage event have no fee?');
  });

  it('names subscriptions that were not asked, and those that another decided', async () => {
    const user = await aUserOf({});
    const { key, customerId, productId } = user;
    const path = { customerId };
    const body = { products: [{ id: productId }] };
    const { id: newer } = await api('createSubscription', { key, path, body }, 201);
    const both = await user.explained();
    const [older] = both.products
      .filter(({ asked }: AnyBody) => !asked)
      .map(({ subscription_id }: AnyBody) => subscription_id);
    const patch = {
      key,
      path: { customerId, subscriptionId: older },
      body: { status: 'inactive' },
    };
    await api('updateSubscription', patch, 204);
    const one = await user.explained();

    expect(both.fees[0].product).toMatchObject({
      subscription_id: newer,
      reason: 'of 2 subscriptions that held it then, the one that started last',
    });
    expect(one.products.map(({ subscription_id }: AnyBody) => subscription_id)).toEqual([newer]);
    expect(one.subscriptions_not_asked).toMatchObject([{ subscription_id: older }]);
    expect((await user.again(both.event.event_id)).subscriptions_not_asked).toEqual([]);
  });

  it('explains an event of a customer without any subscription', async () => {
    const user = await aUserOf({ customer: { subscriptions: [] } });
    const event = await user.explained();

    expect(event).toMatchObject({ products: [], fees: [], without_fee: [], warnings: [] });
    expect(await read(user.key, `events/${event.event.event_id}`)).toContain(
      'no subscription held any',
    );
  });

  it('finds the event of a connected account for the platform, and hides the platform from it', async () => {
    const user = await aUserOf({});
    const { key } = user;
    const own = await user.explained();
    const { id } = await api('createConnectedAccount', { key, body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': id };
    const customer = await api('createCustomer', { key, headers, body: { name: 'End' } }, 201);
    const event = anEvent();
    const body = { customer_id: customer.id, events: [event] };
    await api('submitEvents', { key, headers, body }, 204);

    const found = await control('explainEvent', { key, path: { eventId: event.id } }, 200);
    expect(found.owner).toBe(id);
    const path = { eventId: own.event.event_id };
    await control('explainEvent', { key, headers, path }, 404);
    await control('explainFee', { key, headers, path: { feeId: own.fees[0].fee_id } }, 404);
  });
});
