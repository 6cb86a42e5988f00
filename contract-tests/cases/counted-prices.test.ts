import {
  aFreshProduct,
  amount,
  api,
  aUsageEvent,
  check,
  describe,
  expect,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, price, stored } from './shared/events.ts';

/** What events of these volumes cost, one after the other, by a price of this model. */
async function costs(usage_type: string, model: object, values: object[], volumes: number[]) {
  const { customer, eventType } = await aPayer((type) => [
    { ...price(type, usage_type, values), ...model },
  ]);
  const amounts: string[] = [];
  for (const tokens of volumes) {
    const { id } = await aUsageEvent(customer, eventType, { data: { tokens } });
    amounts.push(...(await stored(id)).fees.map((fee) => String(amount(fee, 'amount'))));
  }
  return amounts;
}

describe('models that count events', () => {
  // EVT-69: packages of events → the event that starts one pays for it, and needs no rate of volume
  check('EVT-69', async () => {
    const values = [{ unit_price: 2, package_size: 3 }];

    expect(await costs('unit', { pricing_model: 'package' }, values, [0, 0, 0, 0])).toEqual([
      '2',
      '0',
      '0',
      '2',
    ]);
  });

  // EVT-70: tiers by unit of unit_and_volume, graduated and bulk → the event by its row, its volume by the row reached
  check('EVT-70', async () => {
    const rows = [
      { up_to: 2, unit_price: 1, volume_rate: 0.1 },
      { unit_price: 0.5, volume_rate: 0.01 },
    ];
    for (const pricing_model of ['tiered', 'bulk']) {
      const model = { pricing_model, tiering: { basis: 'unit' } };
      // 1 + 10 × 0.1; 1 + 0 × 0.1; 0.5 + 10 × 0.01.
      expect(await costs('unit_and_volume', model, rows, [10, 0, 10]), pricing_model).toEqual([
        '2',
        '1',
        '0.6',
      ]);
    }
  });

  // EVT-71: tiers by volume of unit_and_volume → the volume over the rows, the event once by the row reached
  check('EVT-71', async () => {
    const rows = [
      { up_to: 10, unit_price: 1, volume_rate: 0.1 },
      { unit_price: 0.5, volume_rate: 0.01 },
    ];
    const model = { pricing_model: 'tiered', tiering: { basis: 'volume' } };

    // 10 × 0.1 + 1; 10 × 0.01 + 0.5; and 15 at once: 10 × 0.1 + 5 × 0.01 + 0.5.
    expect(await costs('unit_and_volume', model, rows, [10, 10])).toEqual(['2', '0.6']);
    expect(await costs('unit_and_volume', model, rows, [15])).toEqual(['1.55']);
  });
});

describe('tiers of volume', () => {
  // EVT-73: rows with a package size → pro rata within each row, without rounding up
  check('EVT-73', async () => {
    const rows = [
      { up_to: 100, volume_rate: 1, package_size: 10 },
      { volume_rate: 0.5, package_size: 10 },
    ];
    const model = (pricing_model: string) => ({ pricing_model, tiering: { basis: 'volume' } });

    // 95 ÷ 10; then 5 ÷ 10 + 10 × 0.5 ÷ 10.
    expect(await costs('volume', model('tiered'), rows, [95, 15])).toEqual(['9.5', '1']);
    // 95 ÷ 10; then 15 × 0.5 ÷ 10.
    expect(await costs('volume', model('bulk'), rows, [95, 15])).toEqual(['9.5', '0.75']);
  });

  // PRD-47: rows that begin anew each month, quarter and year → by the calendar of UTC, to the millisecond
  check('PRD-47', async () => {
    const rows = [{ up_to: 10, volume_rate: 1 }, { volume_rate: 0.5 }];
    const moments = [
      '2025-03-31T23:59:59.999Z',
      '2025-04-01T00:00:00.000Z',
      '2025-04-30T12:00:00.000Z',
      '2025-05-01T01:00:00.000+02:00',
      '2025-05-01T00:00:00.000Z',
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T00:00:00.000Z',
    ];
    const wanted = {
      lifetime: [10, 5, 5, 5, 5, 5, 5],
      monthly: [10, 10, 5, 5, 10, 10, 10],
      quarterly: [10, 10, 5, 5, 5, 10, 10],
      yearly: [10, 5, 5, 5, 5, 5, 10],
    };
    for (const [period, amounts] of Object.entries(wanted)) {
      const eventType = `contract.${unique('use')}`;
      const tiering = { basis: 'volume', period };
      const tiered = { ...price(eventType, 'volume', rows), pricing_model: 'tiered', tiering };
      const { id, version } = await aFreshProduct({ prices: [tiered] });
      const events = moments.map((occurred_at) =>
        usageEvent(eventType, { occurred_at, data: { tokens: 10 } }),
      );
      const path = { productId: id, version: String(version) };
      const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);

      expect(
        fees.map((fee) => fee.amount),
        period,
      ).toEqual(amounts);
    }
  });
});
