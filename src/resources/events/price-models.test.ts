import { describe, expect, it } from 'vitest';
import type { Row } from '../../store/row.ts';
import { anEvent, usagePrice } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/story.ts';

const client = createTestClient();
const { api } = client;

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

const use = (v: number) => anEvent({ data: { v } });

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
  it('is explained with the quantity before, the parts, the bound and the rounding', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    const [[first], [second], [third]] = (await feesOf(user, [[60], [60, 200, 5]])).slice(1);
    const explain = ({ id }: AnyBody) => api('explain', { key: user.key, path: { id } });

    expect(await explain(first)).toMatchObject({
      price: { pricing_model: 'tiered', basis: 'volume', period: 'monthly' },
      arithmetic: {
        quantity_before: 60,
        quantity: 60,
        formula: '40 × 1 + 20 × 0.5',
        parts: [
          {
            row: 1,
            name: 'First',
            up_to: 100,
            formula: '40 × 1',
            counts: 'volume',
            quantity: 40,
            rate: 1,
          },
          { row: 2, up_to: 300, formula: '20 × 0.5', counts: 'volume', quantity: 20, rate: 0.5 },
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
    const body = await api('exportWorld', { key: user.key });
    await api('resetWorld', { key: user.key, body: { to: 'empty' } });
    await api('importWorld', { key: user.key, body });

    expect(amounts(await feesOf(user, [[20]]))).toEqual([[15]]);
  });

  it('is recounted by verifyLedger, which reports a wrong quantity', async () => {
    const user = await aUser(client, { prices: [TIERED] });
    await feesOf(user, [[90]]);
    const table = user.world().tables.price_quantities;
    const [row] = [...(table?.values() ?? [])];
    table?.set((row as Row).id, { ...row, quantity: '80' } as never);
    const { findings } = await api('verifyLedger', { key: user.key });
    table?.set((row as Row).id, row as never);

    expect(findings).toMatchObject([
      { invariant: 'sum_recounted', message: 'Expected 90, got 80.' },
    ]);
  });
});

/** Up to 10 at 1, then 0.1, of the volume or of the events. */
const byVolume = (period = 'lifetime') => ({
  name: 'Tiers',
  pricing_model: 'tiered',
  tiering: { basis: 'volume', period },
  usage_type: 'volume',
  volume_field: 'v',
  values: [{ up_to: 10, volume_rate: 1 }, { volume_rate: 0.1 }],
});

describe('the quantity of a tiered price', () => {
  it('is simulated with the count that a change would begin', async () => {
    const user = await aUser(client, { prices: [byVolume()] });
    await user.submit(anEvent({ data: { v: 12 } }));
    const { key, productId, customerId: customer_id } = user;
    const prices = [usagePrice(byVolume('monthly'))];
    const path = { productId, version: 2 };
    await user.version(productId, { prices, publish: false });

    const events = [8, 3].map((v) => anEvent({ data: { v } }));
    const body = { customer_id, events };
    const { fees } = await api('simulateUsage', { key, path, body });
    expect(fees.map(({ amount }: { amount: number }) => amount)).toEqual([8, 2.1]);
  });
});
