import { aFixedPrice, type CheckContext, check, describe, expect } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { moved } from './shared/times.ts';

/** Days on which a subscription starts, with the next days of its monthly renewals. */
const RENEWALS = {
  '2024-01-31': ['2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31'],
  '2025-01-31': ['2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31'],
  '2023-01-30': ['2023-02-28', '2023-03-30', '2023-04-30', '2023-05-30'],
  '2025-01-29': ['2025-02-28', '2025-03-29', '2025-04-29', '2025-05-29'],
  '2024-02-29': ['2024-03-29', '2024-04-29', '2024-05-29', '2024-06-29'],
  '2025-02-28': ['2025-03-28', '2025-04-28', '2025-05-28', '2025-06-28'],
  '2025-03-01': ['2025-04-01', '2025-05-01', '2025-06-01', '2025-07-01'],
  '2025-10-31': ['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28'],
  '2025-12-01': ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'],
  '2024-11-30': ['2024-12-30', '2025-01-30', '2025-02-28', '2025-03-30'],
} as const;

/** The same for other intervals. */
const OTHERS = [
  [{ interval: 'year' }, '2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
  [{ interval: 'year' }, '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-28', '2029-02-28'],
  [
    { interval: 'month', interval_count: 3 },
    '2024-11-30',
    '2025-02-28',
    '2025-05-30',
    '2025-08-30',
  ],
  [
    { interval: 'month', interval_count: 6 },
    '2025-08-31',
    '2026-02-28',
    '2026-08-31',
    '2027-02-28',
  ],
  [{ interval: 'week' }, '2025-12-24', '2025-12-31', '2026-01-07', '2026-01-14', '2026-01-21'],
] as const;

const TIMES = ['00:00:00.000', '00:30:00.000', '12:00:00.000', '23:30:00.000', '23:59:59.999'];

/** The renewals that a subscription from `start` shows: each once until just before it, then the next one. */
async function expectRenewals(
  t: CheckContext,
  recurring: object,
  start: string,
  wanted: readonly string[],
) {
  const { until, subscribe, subscription } = await aCustomerWorld(t, start);
  const billing_model = { type: 'recurring', recurring };
  const id = await subscribe([{ ...aFixedPrice(10), billing_model }]);
  const seen: string[] = [];
  for (const at of wanted) {
    await until(moved(at, -1));
    seen.push((await subscription(id)).renews_at);
    await until(at);
  }
  expect(seen, start).toEqual(wanted);
}

describe('renewals by the UTC calendar', () => {
  check(
    'SUB-68',
    {
      requirement: 'R-SUB-39',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-605',
      needs: 'clock.movable',
    },
    'subscriptions by the week, by one or more months and by the year that start at either end of days and months → each renewal at that time of day, on the anchor day or the last one of a shorter month, shown until it is due',
    async (t) => {
      const monthly = Object.entries(RENEWALS).map(
        ([day, days]) => [{ interval: 'month' }, day, ...days] as const,
      );
      for (const [recurring, ...days] of [...monthly, ...OTHERS])
        for (const time of TIMES) {
          const [start = '', ...wanted] = days.map((day) => `${day}T${time}Z`);
          await expectRenewals(t, recurring, start, wanted);
        }
    },
  );
});
