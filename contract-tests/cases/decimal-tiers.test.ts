import {
  api,
  check,
  describe,
  expect,
  lexeme,
  pseudoRandom,
  Rational,
  usageEvent,
} from '../kit/index.ts';
import { priceInGroup } from '../model/pricing.ts';
import { aPayer, stored, submit } from './shared/events.ts';
import { priced } from './shared/prices.ts';

const RATES = [
  { unit_price: 9, volume_rate: 3 },
  { unit_price: 7, volume_rate: 2 },
  { unit_price: 4, volume_rate: 1 },
];

/** Rows that end at these bounds, with a rate, a price per event or both. */
const rowsTo = (bounds: readonly number[], names: readonly string[], more: object = {}) =>
  RATES.map((rates, index) => ({
    ...Object.fromEntries(Object.entries(rates).filter(([name]) => names.includes(name))),
    ...more,
    ...(index in bounds && { up_to: bounds[index] }),
  }));

/** By basis and usage type. Two packages of 3 end where the first row by volume does. */
const ROWS = {
  'volume volume': rowsTo([6, 12.5], ['volume_rate']),
  'volume unit_and_volume': rowsTo([6, 12.5], ['volume_rate', 'unit_price']),
  'package volume': rowsTo([2, 4], ['volume_rate'], { package_size: 3 }),
  'unit unit_and_volume': rowsTo([2, 4], ['volume_rate', 'unit_price']),
};

/** Volumes in order, whose totals are on, just below and just above bounds of rows. */
const SEQUENCES = [
  [6, 0.0000000001],
  [6.0000000001],
  [5.9999999999, 0.0000000001, 0.0000000001, 6.4999999999, 0.5],
  [0.1, 0.2, 5.7, 0.1],
  [5.4, 0.1, 0.4, 0.1, 0.4, 0.1, 0.5],
  [6.4, 6.1, 0.4],
  [6.5, 0, 5.5, 0.4, 0.1, 0.1],
  [2.9, 0.1, 0.1, 2.9, 0.5, 2.5, 3, 0.25],
  [12.4999999999, 0.0000000001, 0.0000000001],
  [12.5, 0.5],
  [12.5000000001],
  [0.3333333333, 5.6666666667, 100.75],
];

/** Up to ten volumes with up to four decimals. */
const drawnVolumes = () =>
  Array.from({ length: 10 }, () => pseudoRandom(40000) / 10 ** (4 + pseudoRandom(2)));

/** Bills and simulates events with these volumes, and compares each fee with that of the model. */
async function expectFees(pricing_model: string, shape: keyof typeof ROWS, volumes: number[]) {
  const [basis, usage] = shape.split(' ') as [string, string];
  const payer = await aPayer(priced(pricing_model, { basis }, ROWS[shape], usage));
  const price = priced(pricing_model, { basis }, ROWS[shape], usage)('modelled')[0] as never;
  let before = Rational.ZERO;
  const wanted = volumes.map((volume) => {
    const group = { dimensions: {}, values: ROWS[shape] };
    const { amount, counts } = priceInGroup(price, group, Rational.of(volume), before);
    before = before.plus(counts);
    return `${volume}: ${amount.rounded(10)}`;
  });
  const events = volumes.map((tokens) => usageEvent(payer.eventType, { data: { tokens } }));
  const path = { productId: payer.product.id, version: 'default' };
  const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
  await submit(payer.customer, ...events);
  const billed = [];
  for (const { id } of events) billed.push(...(await stored(id)).fees);

  for (const shown of [fees, billed])
    expect(
      shown.map((fee, index) => `${volumes[index]}: ${lexeme(fee, 'amount')}`),
      `${pricing_model} ${shape}`,
    ).toEqual(wanted);
}

describe('price tiers and volumes with decimals', () => {
  check(
    'EVT-94',
    {
      requirement: ['R-EVT-63', 'R-EVT-64', 'R-EVT-65'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-1501', 'A-1502'],
    },
    'volumes with decimals whose totals are on, just below and just above the bounds of rows, and random ones, with tiered and bulk prices by volume, event and package → each fee that of a model in fractions, billed and simulated',
    async () => {
      for (const model of ['tiered', 'bulk'])
        for (const shape of Object.keys(ROWS) as (keyof typeof ROWS)[])
          for (const volumes of [...SEQUENCES, drawnVolumes(), drawnVolumes()])
            await expectFees(model, shape, volumes);
    },
  );
});
