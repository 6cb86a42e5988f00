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

const TIMES = ['00:00:00.000', '00:30:00.000', '12:00:00.000', '23:30:00.000', '23:59:59.999'];

/** The renewals that a subscription from `start` shows: each once until just before it, then the next one. */
async function expectRenewals(t: CheckContext, start: string, wanted: readonly string[]) {
  const { until, subscribe, subscription } = await aCustomerWorld(t, start);
  const id = await subscribe([aFixedPrice(10)]);
  const seen: string[] = [];
  for (const at of wanted) {
    await until(moved(at, -1));
    seen.push((await subscription(id)).renews_at);
    await until(at);
  }
  expect(seen, start).toEqual(wanted);
}

describe('renewals by the UTC calendar', () => {
  // SUB-68: monthly subscriptions that start at either end of days and months → each renewal at that time of day, on the
  // anchor day or the last one of a shorter month, shown until it is due
  check('SUB-68', async (t) => {
    for (const [day, days] of Object.entries(RENEWALS))
      for (const time of TIMES) {
        const wanted = days.map((each) => `${each}T${time}Z`);
        await expectRenewals(t, `${day}T${time}Z`, wanted);
      }
  });
});
