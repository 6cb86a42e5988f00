import { describe, expect, it } from 'vitest';
import { anEvent, CREDIT_ASSET, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';
import { aUser, type UsageSetup, type User } from '../../testing/story.ts';

const client = createTestClient();
const { api } = client;

const credits = { ...CREDIT_ASSET, rates: [{ source: 'USD', rate: 0.05 }] };

/** A customer who pays 10 CREDIT for a call. */
const aCreditUser = (setup: UsageSetup = {}): Promise<User> =>
  aUser(client, {
    assets: [credits],
    prices: [{ asset: 'CREDIT', values: [{ unit_price: 10 }] }],
    ...setup,
  });

async function revenueOfCall(user: User, given: object = {}): Promise<number> {
  const sent = anEvent(given);
  await user.submit(sent);
  return (await user.event(sent.id)).stats.gross_revenue;
}

const warningsOf = ({ world }: User) => [...world().tables.warnings.values()];

describe('revenue of usage', () => {
  it('uses the rate at the time of the event, or the first rate for an earlier event', async () => {
    const user = await aCreditUser({ assets: [CREDIT_ASSET] });
    const setRate = (rate: number, valid_from: string) => {
      const body = { source: 'USD', rate, valid_from };
      return api('setAssetRate', { key: user.key, path: { assetCode: 'CREDIT' }, body }, 204);
    };
    await setRate(0.1, '2026-01-05T00:00:00Z');
    await setRate(0.2, '2026-01-10T00:00:00Z');
    const at = (occurred_at: string) => revenueOfCall(user, { occurred_at });
    expect(await at('2026-01-04T00:00:00Z')).toBe(1);
    expect(await at('2026-01-09T23:59:59.999Z')).toBe(1);
    expect(await at('2026-01-10T00:00:00Z')).toBe(2);
    expect(warningsOf(user)).toEqual([]);
  });

  it('values an asset without a rate at 0 and adds one warning', async () => {
    const user = await aCreditUser({ assets: [CREDIT_ASSET] });
    expect(await revenueOfCall(user)).toBe(0);
    expect(await revenueOfCall(user)).toBe(0);
    expect(warningsOf(user)).toMatchObject([{ kind: 'unpriced_asset', field: 'CREDIT' }]);
  });
});

describe('costs', () => {
  it('are converted to the reporting currency', async () => {
    const user = await aUser(client);
    const { key } = user;
    const euro = { code: 'EUR', name: 'Euro', rates: [{ source: 'USD', rate: 1.25 }] };
    await api('createAsset', { key, body: euro }, 201);
    const vendor = await api('createVendor', { key, body: { name: 'Host' } }, 201);
    const costs = [
      { id: nextUuid(), amount: 0.4, currency: 'EUR', vendor_id: vendor.id },
      { id: nextUuid(), amount: 0.25, vendor_id: vendor.id },
      { id: nextUuid(), amount: 7, currency: 'GBP', vendor_id: vendor.id },
    ];
    const sent = anEvent({ costs });
    await user.submit(sent);
    expect(await user.event(sent.id)).toMatchObject({
      costs: [{ currency: 'EUR' }, { currency: 'USD' }, { currency: 'GBP' }],
      // 0.4 × 1.25 + 0.25; a pound has no rate.
      stats: { gross_revenue: 1, total_costs: 0.75, net_revenue: 0.25, margin: 0.25 },
    });
    expect(warningsOf(user)).toMatchObject([{ kind: 'unpriced_cost', field: 'GBP' }]);
  });

  it('are reported in the currency of the setting reporting_currency', async () => {
    const inEuro = createTestClient({ reporting_currency: 'EUR' });
    const user = await aUser(inEuro, { prices: [{ asset: 'EUR' }] });
    const sent = anEvent();
    await user.submit(sent);
    expect((await user.event(sent.id)).stats).toMatchObject({ gross_revenue: 1, currency: 'EUR' });
  });
});
