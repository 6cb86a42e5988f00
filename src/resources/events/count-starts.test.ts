import { describe, expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { aUser, type User } from '../../testing/customer.ts';
import { anEvent, usagePrice } from '../../testing/usage.ts';

const client = createTestClient();
const { api, control } = client;

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
