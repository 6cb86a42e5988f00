import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent, type PriceSketch } from '../../testing/usage.ts';

type Fee = readonly [asset: string, amount: number];

interface PricingCase {
  readonly name: string;
  readonly assets?: readonly object[];
  readonly fund: readonly Fee[];
  readonly prices: readonly PriceSketch[];
  readonly events: readonly { event_type: string; data?: object; fees: readonly Fee[] }[];
  readonly balances: Readonly<Record<string, number>>;
}

const file = new URL('./testdata/pricing-cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly PricingCase[];
const client = createTestClient();

describe('usage pricing', () => {
  it.each(cases)('$name', async ({ assets = [], fund, prices, events, balances }) => {
    const user = await aUser(client, { assets, prices });
    for (const [asset, amount] of fund) await user.credit(asset, amount);
    const sent = events.map(({ fees: _, ...given }) => anEvent(given));
    await user.submit(...sent);

    for (const [place, { fees }] of events.entries()) {
      const stored = await user.event(sent[place].id);
      const actual = stored.fees.map(({ currency, amount }: AnyBody) => [currency, amount]);
      expect(actual.sort()).toEqual([...fees].sort());
    }
    expect(await user.balances()).toEqual(balances);
  });
});
