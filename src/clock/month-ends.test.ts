import { describe, expect, it } from 'vitest';
import { EVERY_MONTH, entitlement, fixedPrice } from '../testing/catalog.ts';
import type { AnyBody } from '../testing/client.ts';
import { aStory } from '../testing/story.ts';

/** The lengths of 24 months, the first of which is February. The arguments are the lengths of both Februaries. */
const monthLengths = (firstFebruary: number, secondFebruary: number) => [
  ...[firstFebruary, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31],
  ...[secondFebruary, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31],
];

const YEARS = [
  { year: 2026, lengths: monthLengths(28, 28) },
  { year: 2027, lengths: monthLengths(28, 29) },
  { year: 2028, lengths: monthLengths(29, 28) },
  { year: 2099, lengths: monthLengths(28, 28) },
];
const cases = YEARS.flatMap((years) => [29, 30, 31].map((day) => ({ day, ...years })));

describe('subscription renewals', () => {
  it.each(cases)(
    'from $day January $year are on that day, or on the last day of shorter months',
    async ({ day, year, lengths }) => {
      const acme = await aStory(`${year}-01-${day}T10:00:00Z`);
      const entitlements = [entitlement(100, EVERY_MONTH)];
      await acme.product('plan', { prices: [fixedPrice(20)], entitlements });
      const { id } = await acme.subscribeTo('plan');
      await acme.settle(id);
      const { items } = await acme.advance('P2Y');

      const expected = lengths.map((length, index) => {
        const month = ((index + 1) % 12) + 1;
        const date = [year + Math.floor((index + 1) / 12), month, Math.min(day, length)];
        return `${date.map((part) => String(part).padStart(2, '0')).join('-')}T10:00:00.000Z`;
      });
      const instants = (kind: string) =>
        items.filter((item: AnyBody) => item.kind === kind).map(({ at }: AnyBody) => at);
      expect(instants('renewal')).toEqual(expected);
      expect(instants('refresh')).toEqual(expected);
      expect(instants('grant_expiry')).toEqual(expected);
      expect(await acme.balance()).toBe(100);
      expect(await acme.revenue()).toBe(25 * 20);
    },
  );
});

describe('a changed interval', () => {
  const weekly = fixedPrice(5, 'week');

  it('of months to weeks and back keeps it too', async () => {
    const acme = await aStory('2026-01-31T10:00:00Z');
    const productId = await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id);
    await acme.version(productId, { prices: [weekly] });
    await acme.change(id, productId, 2);
    // 28 February by the month, then weeks: 7 March.
    await acme.advance('2026-03-08T00:00:00Z');
    await acme.change(id, productId, 1);

    const { items } = await acme.advance('P2M');

    expect(items.map(({ at }: AnyBody) => at.slice(0, 10))).toEqual(['2026-03-14', '2026-04-30']);
  });
});
