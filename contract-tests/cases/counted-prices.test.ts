import { amount, aUsageEvent, check, describe, expect } from '../kit/index.ts';
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
