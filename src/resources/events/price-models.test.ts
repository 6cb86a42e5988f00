import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../store/row.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent } from '../../testing/usage.ts';

const client = createTestClient();
const { api, control } = client;

/** Tiers up to 100 at 1, up to 300 at 0.5, then 0.1, minimum 2; packages of 10 at 3; both count `v`. */
const TIERED = {
  name: 'Tiers',
  pricing_model: 'tiered',
  tiering: { basis: 'volume', period: 'monthly' },
  usage_type: 'volume',
  volume_field: 'v',
  values: [
    { name: 'First', up_to: 100, volume_rate: 1 },
    { up_to: 300, volume_rate: 0.5 },
    { volume_rate: 0.1, min_amount: 2 },
  ],
};
const PACKAGE = {
  name: 'Packs',
  pricing_model: 'package',
  usage_type: 'volume',
  volume_field: 'v',
  values: [{ volume_rate: 3, package_size: 10 }],
};

const use = (v: number, given: object = {}) => anEvent({ data: { v }, ...given });

/** Submits volumes in batches and returns the fees of each event. */
async function feesOf(user: User, batches: readonly (readonly number[])[]): Promise<AnyBody[]> {
  const fees: AnyBody[] = [];
  for (const batch of batches) {
    const events = batch.map((v) => use(v));
    await user.submit(...events);
    for (const { id } of events) fees.push((await user.event(id)).fees);
  }
  return fees;
}

const amounts = (fees: readonly AnyBody[]): number[][] =>
  fees.map((each) => each.map(({ amount }: AnyBody) => amount));

describe('usage priced by tiers or packages', () => {
  it('costs the same however a batch is split, and the same as simulated', async () => {
    const volumes = fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 6 });
    const cut = fc.integer({ min: 0, max: 6 });
    await fc.assert(
      fc.asyncProperty(volumes, cut, async (tenths, at) => {
        const all = tenths.map((tenth) => tenth / 10);
        const [whole, split] = [await anAccount(), await anAccount()];
        const { productId, customerId: customer_id, key } = whole;
        const events = all.map((v) => use(v));
        const path = { productId, version: 1 };
        const answer = await api(
          'simulateUsage',
          { key, path, body: { customer_id, events } },
          200,
        );
        const halves = [all.slice(0, at), all.slice(at)].filter(({ length }) => length > 0);
        const once = amounts(await feesOf(whole, [all]));

        expect(amounts(await feesOf(split, halves))).toEqual(once);
        const simulated = answer.fees ?? answer.events.flatMap(({ fees }: AnyBody) => fees);
        expect(simulated.map(({ amount }: AnyBody) => amount)).toEqual(once.flat());
      }),
      { numRuns: 10 },
    );
  });

  const anAccount = () => aUser(client, { prices: [TIERED, PACKAGE] });

  it('has the price row in its fee, unless several rows contributed', async () => {
    const fees = await feesOf(await aUser(client, { prices: [TIERED] }), [[60, 60]]);

    expect(fees.flat()).toMatchObject([
      { amount: 60, price_name: 'First', volume_rate: 1, package_size: 1 },
      { amount: 50, price_name: 'Tiers', volume_rate: null, package_size: null, unit_price: null },
    ]);
  });

  it('is explained with the quantity before, the parts, the bound and the rounding', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    const [[first], [second], [third]] = (await feesOf(user, [[60], [60, 200, 5]])).slice(1);
    const explain = ({ id }: AnyBody) => control('explain', { key: user.key, path: { id } }, 200);

    expect(await explain(first)).toMatchObject({
      price: { pricing_model: 'tiered', basis: 'volume', period: 'monthly' },
      arithmetic: {
        quantity_before: 60,
        quantity: 60,
        formula: '40 × 1 + 20 × 0.5',
        parts: [
          { row: 1, name: 'First', up_to: 100, formula: '40 × 1' },
          { row: 2, up_to: 300, formula: '20 × 0.5' },
        ],
        exact: '50',
        rounded: false,
        amount: 50,
      },
    });
    // 180 × 0.5 + 20 × 0.1 = 92; then 5 × 0.1 = 0.5, raised to 2.
    expect((await explain(second)).arithmetic).toMatchObject({ quantity_before: 120, amount: 92 });
    expect((await explain(third)).arithmetic).toMatchObject({
      quantity_before: 320,
      formula: '5 × 0.1',
      exact: '0.5',
      bound: 'minimum',
      bound_amount: 2,
      amount: 2,
    });
    const headers = { Authorization: `Bearer ${user.key}`, Accept: 'text/plain' };
    const { text } = await client.http.get(`/_emulator/explain/${third.id}`).set(headers);
    expect(text).toContain('320 was used before, and the event counts 5');
    expect(text).toContain('The minimum of the row is 2.');
  });

  it('continues from the quantity used before in an imported world', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    await feesOf(user, [[90]]);
    const body = await control('exportWorld', { key: user.key }, 200);
    await control('resetWorld', { key: user.key, body: { to: 'empty' } }, 200);
    await control('importWorld', { key: user.key, body }, 200);

    expect(amounts(await feesOf(user, [[20]]))).toEqual([[15]]);
  });

  it('is recounted by verifyLedger, which reports a wrong quantity', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    await feesOf(user, [[90]]);
    const table = user.world().tables.price_quantities;
    const [row] = [...(table?.values() ?? [])];
    table?.set((row as Row).id, { ...row, quantity: '80' } as never);
    const { findings } = await control('verifyLedger', { key: user.key }, 200);
    table?.set((row as Row).id, row as never);

    expect(findings).toMatchObject([
      { invariant: 'sum_recounted', message: 'Expected 90, got 80.' },
    ]);
  });

  it('is not counted if its batch is rejected', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    const events = [use(90), use(1, { occurred_at: '2001-01-01T00:00:00Z' })];
    await api(
      'submitEvents',
      { key: user.key, body: { customer_id: user.customerId, events } },
      422,
    );

    expect(amounts(await feesOf(user, [[100]]))).toEqual([[100]]);
  });
});

describe('the dimensions of a price', () => {
  it('may be text, numbers or booleans, and a fee has those of its event', async () => {
    const values = [
      { dimensions: { size: 10, hd: true, tag: '*' }, values: [{ unit_price: 2 }] },
      { dimensions: { size: '*' }, values: [{ unit_price: 1 }] },
    ];
    const user = await aUser(client, {
      prices: [{ billable_dimensions: ['size', 'hd', 'tag'], values }],
    });
    const events = [{ size: '10', hd: 'true' }, { size: 9 }, {}].map((data) => anEvent({ data }));
    await user.submit(...events);
    const fees = [];
    for (const { id } of events) fees.push(...(await user.event(id)).fees);

    expect(fees).toMatchObject([
      { amount: 2, dimensions: { size: '10', hd: 'true' } },
      { amount: 1, dimensions: { size: '9' } },
      { amount: 1, dimensions: null },
    ]);
    const path = { productId: user.productId, version: 1 };
    const { prices } = await api('getProductVersion', { key: user.key, path }, 200);
    expect(prices[0].pricing[0].values).toEqual([
      { dimensions: { size: '10', hd: 'true', tag: '*' }, values: [{ unit_price: 2 }] },
      { dimensions: { size: '*' }, values: [{ unit_price: 1 }] },
    ]);
  });
});
