import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient, type TestClient } from '../testing/client.ts';
import { anEvent, aUser, freshKey, nextUuid, type User, usagePrice } from '../testing/usage.ts';

const client = createTestClient();
const { api } = client;

const credits = { code: 'CREDIT', name: 'Credits', rates: [{ source: 'USD', rate: 0.05 }] };

/** What a submission that is refused says is wrong, by field. */
async function refusal(user: User, body: object): Promise<Record<string, string[]>> {
  const { errors } = await api('submitEvents', { key: user.key, body }, 422);
  return errors;
}

const worldOf = ({ key }: { key: string }) => {
  const world = client.emulator.worlds.find(key);
  if (!world) throw new Error(`${key} opens no world`);
  return world;
};

async function aVendor(key: string, external_id?: string): Promise<string> {
  const body = { name: 'Host', ...(external_id !== undefined && { external_id }) };
  return (await api('createVendor', { key, body }, 201)).id;
}

describe('submitEvents', () => {
  it('stores an event with its fees and costs', async () => {
    const user = await aUser(client, {
      prices: [
        {
          name: 'Tokens',
          usage_type: 'volume',
          volume_field: 'tokens',
          billable_dimensions: ['model'],
          values: [
            { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1000 },
          ],
        },
      ],
    });
    const vendorId = await aVendor(user.key, 'host');
    const cost = {
      id: nextUuid(),
      amount: 0.003,
      vendor_external_id: 'host',
      category: 'inference',
      description: null,
      metadata: { retries: 0, share: 0.0000001 },
      units: 2,
      package_size: 0.5,
    };
    const sent = anEvent({
      occurred_at: '2026-01-15T13:00:00.1239+02:00',
      subject: 'chat-42',
      description: 'An answer',
      data: { model: 'large', tokens: 1200, tiny: 1e-7, cached: false },
      costs: [cost],
    });
    await user.submit(sent);

    const stored = await user.event(sent.id);
    expect(stored).toEqual({
      id: sent.id,
      customer_id: user.customerId,
      event_type: 'call',
      occurred_at: '2026-01-15T11:00:00.123Z',
      created_at: '2026-01-15T12:00:00.000Z',
      subject: 'chat-42',
      description: 'An answer',
      data: { model: 'large', tokens: 1200, tiny: 1e-7, cached: false },
      costs: [
        {
          id: cost.id,
          amount: 0.003,
          currency: 'USD',
          vendor_id: vendorId,
          vendor_external_id: 'host',
          category: 'inference',
          metadata: { retries: 0, share: 1e-7 },
          units: 2,
          package_size: 0.5,
        },
      ],
      fees: [
        {
          id: expect.stringMatching(/^fee_[0-9a-z]{26}$/),
          product_id: user.productId,
          product_code: 'product',
          product_version: 1,
          price_id: expect.stringMatching(/^prc_/),
          price_name: 'Large',
          currency: 'USD',
          usage_type: 'volume',
          amount: 12,
          dimensions: { model: 'large' },
          volume_field: 'tokens',
          input_volume: 1200,
          unit_price: null,
          volume_rate: 10,
          package_size: 1000,
        },
      ],
      stats: {
        gross_revenue: 12,
        total_costs: 0.003,
        net_revenue: 11.997,
        margin: 0.99975,
        currency: 'USD',
      },
    });
    expect(await user.balances()).toEqual({ 'default:USD': -12 });
  });

  it('prints small numbers of the data without exponent', async () => {
    const user = await aUser(client);
    const sent = anEvent({ data: { tiny: 1e-7 } });
    await user.submit(sent);
    const { text } = await client.send('getEvent', { key: user.key, path: { eventId: sent.id } });
    expect(text).toContain('"tiny":0.0000001');
  });

  it('shows of a fee per unit what a unit costs', async () => {
    const user = await aUser(client, { prices: [{ values: [{ unit_price: 0.25 }] }] });
    const sent = anEvent();
    await user.submit(sent);
    expect((await user.event(sent.id)).fees).toMatchObject([
      {
        price_name: 'Price',
        usage_type: 'unit',
        dimensions: null,
        input_volume: null,
        unit_price: 0.25,
        volume_rate: null,
        package_size: null,
      },
    ]);
  });

  it('posts one ledger transaction for each fee, and none for a fee of 0', async () => {
    const prices = [{ values: [{ unit_price: 2 }] }, { values: [{ unit_price: 0 }] }];
    const user = await aUser(client, { prices });
    const sent = anEvent({ subject: 'chat', description: 'A call' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(fees.map(({ amount }: AnyBody) => amount)).toEqual([2, 0]);
    const transactions = [...worldOf(user).tables.transactions.values()];
    expect(transactions).toMatchObject([
      {
        type: 'fee',
        amount: '-2',
        balance_after: '-2',
        event_id: sent.id,
        fee_id: fees[0].id,
        subject: 'chat',
        description: 'A call',
      },
    ]);
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).toMatchObject({ has_fees: true, total_fees: 2, fee_currency: 'USD' });
  });

  it('bills usage in full where overdraft is denied', async () => {
    const strict = createTestClient({ overdraft: 'deny' });
    const user = await aUser(strict);
    await user.submit(anEvent(), anEvent());
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });

  it('bills in the first asset with a balance, each fee seeing what the earlier left', async () => {
    const pricing = [
      { asset: 'CREDIT', values: [{ unit_price: 3 }] },
      { asset: 'USD', values: [{ unit_price: 1 }] },
    ];
    const user = await aUser(client, { assets: [credits], prices: [{ pricing }, { pricing }] });
    await user.fund('CREDIT', 5);
    await user.fund('USD', 1);
    const [first, second] = [anEvent(), anEvent()];
    await user.submit(first, second);

    const currencies = async (id: string) =>
      (await user.event(id)).fees.map(({ currency }: AnyBody) => currency);
    // 5 CREDIT take two fees of 3 and are overdrawn; then 1 USD takes one; then nothing is left.
    expect(await currencies(first.id)).toEqual(['CREDIT', 'CREDIT']);
    expect(await currencies(second.id)).toEqual(['USD', 'CREDIT']);
    expect(await user.balances()).toEqual({ 'default:CREDIT': -4, 'default:USD': 0 });
  });
});

describe('submitEvents, which prices count', () => {
  it('leaves events of other types and without a fitting value free', async () => {
    const user = await aUser(client);
    const sent = anEvent({ event_type: 'other' });
    await user.submit(sent);
    expect(await user.event(sent.id)).toMatchObject({ fees: [], stats: { gross_revenue: 0 } });
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).not.toHaveProperty('total_fees');
  });

  it('bills every product once, by the version that the latest subscription holds', async () => {
    const user = await aUser(client);
    const { key, productId, customerId } = user;
    const second = { prices: [usagePrice({ values: [{ unit_price: 5 }] })], publish: true };
    await api('createProductVersion', { key, path: { productId }, body: second }, 201);
    const other = { name: 'Other', code: 'other', publish: true, prices: [usagePrice({})] };
    const { id: otherId } = await api('createProduct', { key, body: other }, 201);
    const products = [{ id: productId, version: 2 }, { id: otherId }];
    const path = { customerId };
    await api('createSubscription', { key, path, body: { products } }, 201);

    const sent = anEvent();
    await user.submit(sent);
    const { fees } = await user.event(sent.id);
    expect(
      fees.map(({ product_code, product_version, amount }: AnyBody) => [
        product_code,
        product_version,
        amount,
      ]),
    ).toEqual([
      ['product', 2, 5],
      ['other', 1, 1],
    ]);
  });

  it('bills by the subscriptions that are active when the event is submitted', async () => {
    const user = await aUser(client);
    const { key, customerId } = user;
    const [before, later] = [anEvent(), anEvent()];
    await user.submit(before);
    const { subscriptions } = await api('getCustomer', { key, path: { customerId } }, 200);
    const path = { customerId, subscriptionId: subscriptions[0].id };
    await api('updateSubscription', { key, path, body: { status: 'inactive' } }, 204);
    await user.submit(later);

    expect((await user.event(before.id)).fees).toHaveLength(1);
    expect((await user.event(later.id)).fees).toEqual([]);
  });

  it('warns of a volume that cannot be used', async () => {
    const prices = [
      { usage_type: 'volume', volume_field: 'minutes', values: [{ volume_rate: 1 }] },
    ];
    const user = await aUser(client, { prices });
    const sent = [
      anEvent({ data: { minutes: '10' } }),
      anEvent(),
      anEvent({ data: { minutes: 1 } }),
    ];
    await user.submit(...sent);
    expect([...worldOf(user).tables.warnings.values()]).toMatchObject([
      { kind: 'unusable_volume', event_id: sent[0].id, field: 'data.minutes' },
      { kind: 'unusable_volume', event_id: sent[1].id, field: 'data.minutes' },
    ]);
  });
});

describe('submitEvents, what is refused', () => {
  it('wants exactly one of the two ids of a customer', async () => {
    const user = await aUser(client, { customer: { external_id: 'acme' } });
    const events = [anEvent()];
    const both = { customer_id: user.customerId, customer_external_id: 'acme', events };
    expect(Object.keys(await refusal(user, both))).toEqual(['customer_id']);
    expect(Object.keys(await refusal(user, { events }))).toEqual(['customer_id']);
    const unknown = { customer_external_id: 'nobody', events };
    expect(Object.keys(await refusal(user, unknown))).toEqual(['customer_external_id']);
    expect(Object.keys(await refusal(user, { customer_id: 'cust_x', events }))).toEqual([
      'customer_id',
    ]);

    const named = { customer_external_id: 'acme', customer_id: null, events };
    await api('submitEvents', { key: user.key, body: named }, 204);
  });

  it.each([
    { occurred_at: '2025-12-12T12:00:00.000Z', why: '34 days old', ok: true },
    { occurred_at: '2025-12-12T11:59:59.999Z', why: 'a moment older', ok: false },
    { occurred_at: '2026-01-15T12:05:00.000Z', why: '5 minutes ahead', ok: true },
    { occurred_at: '2026-01-15T12:05:00.001Z', why: 'a moment further', ok: false },
  ])('takes an event that is $why: $ok', async ({ occurred_at, ok }) => {
    const user = await aUser(client);
    const events = [anEvent({ occurred_at })];
    const status = ok ? 204 : 422;
    const body = { customer_id: user.customerId, events };
    const answer = await api('submitEvents', { key: user.key, body }, status);
    if (!ok) expect(Object.keys(answer.errors)).toEqual(['events[0].occurred_at']);
  });

  it('says all that is wrong with a batch and stores none of it', async () => {
    const user = await aUser(client);
    const { key, customerId } = user;
    const vendorId = await aVendor(key, 'host');
    await aVendor(key, 'other');
    const cost = (given: object) => ({ id: nextUuid(), amount: 1, ...given });
    const twice = cost({ vendor_id: vendorId });
    const events = [
      anEvent({ costs: [twice] }),
      anEvent({ occurred_at: '2025-01-01T00:00:00Z', costs: [cost({}), twice] }),
      anEvent({
        costs: [
          cost({ vendor_id: vendorId, vendor_external_id: 'other' }),
          cost({ vendor_id: 'vnd_none' }),
          cost({ vendor_external_id: 'none', currency: 'XXQ' }),
          cost({ vendor_id: vendorId, vendor_external_id: 'host' }),
        ],
      }),
    ];
    expect(Object.keys(await refusal(user, { customer_id: customerId, events })).sort()).toEqual([
      'events[1].costs[0].vendor_id',
      'events[1].costs[1].id',
      'events[1].occurred_at',
      'events[2].costs[0].vendor_external_id',
      'events[2].costs[1].vendor_id',
      'events[2].costs[2].currency',
      'events[2].costs[2].vendor_external_id',
    ]);
    expect((await api('listEvents', { key }, 200)).total_count).toBe(0);
    expect(await user.balances()).toEqual({ 'default:USD': 0 });
  });

  it('refuses a cost id that another event has', async () => {
    const user = await aUser(client);
    const cost = { id: nextUuid(), amount: 1, vendor_id: await aVendor(user.key) };
    await user.submit(anEvent({ costs: [cost] }));
    const body = { customer_id: user.customerId, events: [anEvent({ costs: [cost] })] };
    expect(Object.keys(await refusal(user, body))).toEqual(['events[0].costs[0].id']);
  });

  it('refuses more events than a batch may hold', async () => {
    const small = createTestClient({ batch_limit: 2 });
    const user = await aUser(small);
    const body = { customer_id: user.customerId, events: [anEvent(), anEvent(), anEvent()] };
    const { errors } = await small.api('submitEvents', { key: user.key, body }, 422);
    expect(Object.keys(errors)).toEqual(['events']);
  });
});

describe('submitEvents, sent again', () => {
  it('ignores an id seen before, whatever else the event says', async () => {
    const user = await aUser(client);
    const sent = anEvent({ subject: 'first' });
    await user.submit(sent);
    const image = worldOf(user).image();
    await user.submit({
      ...sent,
      occurred_at: '2001-01-01T00:00:00Z',
      costs: [{ id: nextUuid(), amount: 1, vendor_id: 'vnd_none' }],
    });
    expect(worldOf(user).image().tables).toEqual(image.tables);
  });

  it('counts an id twice in a batch once, as it stands first', async () => {
    const user = await aUser(client);
    const sent = anEvent({ subject: 'first' });
    await user.submit(sent, { ...sent, subject: 'second' }, anEvent());
    expect(await user.event(sent.id)).toMatchObject({ subject: 'first' });
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });

  it('refuses an id that another customer used', async () => {
    const user = await aUser(client);
    const { key } = user;
    const { id } = await api('createCustomer', { key, body: { name: 'Other' } }, 201);
    const sent = anEvent();
    await user.submit(sent);
    const body = { customer_id: id, events: [anEvent(), sent] };
    expect(Object.keys(await refusal(user, body))).toEqual(['events[1].id']);
  });

  it('keeps ids of a connected account apart', async () => {
    const user = await aUser(client);
    const { key } = user;
    const account = await api('createConnectedAccount', { key, body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': account.id };
    const sent = anEvent();
    await user.submit(sent);
    await api('getEvent', { key, headers, path: { eventId: sent.id } }, 404);
    expect((await api('listEvents', { key, headers }, 200)).total_count).toBe(0);
    const foreign = { customer_id: user.customerId, events: [sent] };
    await api('submitEvents', { key, headers, body: foreign }, 422);

    const { id } = await api('createCustomer', { key, headers, body: { name: 'Own' } }, 201);
    const own = { customer_id: id, events: [sent] };
    await api('submitEvents', { key, headers, body: own }, 204);
    expect((await user.event(sent.id)).customer_id).toBe(user.customerId);
  });

  it('comes to the same however a list of events is split', async () => {
    const model = fc.constantFrom('a', 'b', 'c');
    const usage = fc.record({ model, tokens: fc.integer({ min: -1, max: 5000 }) });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 });
    const lists = fc.array(usage, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lists, sizes, async (list, pieces) => {
        const events = list.map((data) => anEvent({ data, subject: data.model }));
        const whole = await meteredUser();
        await whole.submit(...events);
        const split = await meteredUser();
        let from = 0;
        for (const size of pieces) {
          const piece = events.slice(from, from + size);
          if (piece.length > 0) await split.submit(...piece, ...events.slice(0, from));
          from += size;
        }
        expect(await outcome(split, events)).toEqual(await outcome(whole, events));
      }),
      { numRuns: 15, seed: 7 },
    );
  });

  async function meteredUser(): Promise<User> {
    const pricing = [
      {
        asset: 'CREDIT',
        values: [
          { dimensions: { model: 'a' }, volume_rate: 0.5, package_size: 7 },
          { dimensions: { model: 'b' }, volume_rate: 1, package_size: 3 },
        ],
      },
      { asset: 'USD', values: [{ volume_rate: 0.001, package_size: 3 }] },
    ];
    const price = { usage_type: 'volume', volume_field: 'tokens', billable_dimensions: ['model'] };
    const user = await aUser(client, { assets: [credits], prices: [{ ...price, pricing }] });
    await user.fund('CREDIT', 100, 'gift');
    await user.fund('CREDIT', 300);
    await user.fund('USD', 1);
    return user;
  }

  /** What a customer was billed, apart from the ids that tell worlds apart. */
  async function outcome(user: User, events: readonly AnyBody[]) {
    const { key, customerId } = user;
    const stored = await Promise.all(events.map(({ id }) => user.event(id)));
    const tasks = await api('listTasks', { key, query: { sort: 'created_at' } }, 200);
    return {
      balances: await user.balances(),
      stats: await api('getCustomerStats', { key, path: { customerId } }, 200),
      fees: stored.map(({ fees }) =>
        fees.map(({ currency, amount }: AnyBody) => [currency, amount]),
      ),
      tasks: tasks.items.map(({ subject, event_count, stats }: AnyBody) => ({
        subject,
        event_count,
        stats,
      })),
    };
  }
});
