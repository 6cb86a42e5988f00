import { describe, expect, it } from 'vitest';
import type { Row } from '../../store/row.ts';
import { anEvent, usagePrice } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';

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
const BY_EVENT = {
  ...byVolume(),
  tiering: { basis: 'unit', period: 'lifetime' },
  usage_type: 'unit_and_volume',
  values: [{ unit_price: 5 }],
};
const FLAT = {
  name: 'Tiers',
  usage_type: 'volume',
  volume_field: 'v',
  values: [{ volume_rate: 2 }],
};

/** Publishes another version with one price, and changes the user's subscription to it. */
async function changeTo(user: User, price: object): Promise<void> {
  const { version } = await user.version(user.productId, { prices: [usagePrice(price)] });
  const [subscription] = await user.subscriptions();
  await user.change(subscription.id, user.productId, version);
}

/** Submits one event with this volume, and returns its fee. */
async function feeOf(user: User, v: number, more: object = {}): Promise<number> {
  const event = anEvent({ data: { v }, ...more });
  await user.submit(event);
  return (await user.event(event.id)).fees[0].amount;
}

/** A customer on a frozen clock that each change of version moves an hour ahead. */
async function aCounter() {
  const user = await aUser(client, { prices: [byVolume()] });
  let hour = 12;
  return {
    user,
    async change(price: object): Promise<void> {
      hour += 1;
      const body = { mode: 'frozen', now: `2026-01-15T${hour}:00:00Z` };
      await control('setClock', { key: user.key, body }, 200);
      await changeTo(user, price);
    },
    fee: (v: number, at = `2026-01-15T${hour}:00:00Z`) => feeOf(user, v, { occurred_at: at }),
  };
}

describe('the quantity of a tiered price', () => {
  it('begins anew after a change of period and back, without usage in between', async () => {
    const { fee, change } = await aCounter();
    expect(await fee(12)).toBe(10.2);

    await change(byVolume('monthly'));
    await change(byVolume());

    expect(await fee(8)).toBe(8);
  });

  it('goes on after a version that counts the same, or that does not count', async () => {
    const { fee, change } = await aCounter();
    expect(await fee(12)).toBe(10.2);

    await change(byVolume());
    expect(await fee(5)).toBe(0.5);
    await change(FLAT);
    expect(await fee(5)).toBe(10);
    await change(byVolume());

    expect(await fee(5)).toBe(0.5);
  });

  it('counts late usage where it occurred', async () => {
    const { fee, change } = await aCounter();
    await change(BY_EVENT);
    await change(byVolume());
    expect(await fee(8)).toBe(8);

    // Before the first change: 12 of a count that has 0, then 1 of the same count.
    expect(await fee(12, '2026-01-15T12:30:00Z')).toBe(10.2);
    expect(await fee(1, '2026-01-15T12:45:00Z')).toBe(0.1);
    // 8 were counted since the last change: 2 × 1 + 1 × 0.1.
    expect(await fee(3)).toBe(2.1);
  });

  it('is simulated with the count that a change would begin', async () => {
    const { user, fee } = await aCounter();
    await fee(12);
    const { key, productId, customerId: customer_id } = user;
    const prices = [usagePrice(byVolume('monthly'))];
    const path = { productId, version: 2 };
    await user.version(productId, { prices, publish: false });

    const events = [8, 3].map((v) => anEvent({ data: { v } }));
    const body = { customer_id, events };
    const { fees } = await api('simulateUsage', { key, path, body }, 200);
    expect(fees.map(({ amount }: { amount: number }) => amount)).toEqual([8, 2.1]);
  });
});
