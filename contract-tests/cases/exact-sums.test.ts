import {
  aFreshAsset,
  api,
  call,
  check,
  describe,
  expect,
  lexeme,
  usageEvent,
} from '../kit/index.ts';
import { aPayer, price, stored, submit } from './shared/events.ts';

/**
 * A price per event, a rate for a volume and a package size, by the decimals of the asset, with their sum rounded once.
 * In each, parts rounded before they are added up, or a quotient rounded before it is multiplied, give another sum.
 */
const SUMS = [
  // 0.5 + 0.5; each part alone is rounded to 0.
  [0, 0.5, 0.5, 1, 1, '1'],
  // 0.75 + 0.75 = 1.5, to the even neighbour; each part alone is rounded to 1.
  [0, 0.75, 0.25, 3, 1, '2'],
  // 1.5 + 1.5; each part alone is rounded to 2.
  [0, 1.5, 0.5, 3, 1, '3'],
  // 0.25 + 1 / 4 = 0.5, to the even neighbour.
  [0, 0.25, 1, 1, 4, '0'],
  // 1/3 + 0.1666666667 is more than a half; a third cut to ten decimals makes exactly a half.
  [0, 0.1666666667, 1, 1, 3, '1'],
  // 0.005 + 0.005; each part alone is rounded to 0.
  [2, 0.005, 0.005, 1, 1, '0.01'],
  // 0.015 + 0.015; each part alone is rounded to 0.02.
  [2, 0.015, 0.005, 3, 1, '0.03'],
  // 0.0049 + 0.0001 × 2 / 2 = 0.005, to the even neighbour.
  [2, 0.0049, 0.0001, 2, 2, '0'],
  // 0.004 + 7 × 1 / 7; a seventh cut to ten decimals makes less than 1.
  [10, 0.004, 1, 7, 7, '1.004'],
  // 0.0000000001 + 0.00000000005 is a half of the last decimal above an odd number; upward to the even one.
  [10, 0.0000000001, 0.0000000001, 1, 2, '0.0000000002'],
] as const;

const inAsset = (asset: string, made: object, values: object[]) => ({
  ...made,
  pricing: [{ asset, values }],
});

/** Both prices of a row of `SUMS`, and the volumes that make its sum. */
function pricesOf(type: string, asset: string, [, unit_price, volume_rate, , size]: Sum): object[] {
  const row = { volume_rate, package_size: size };
  const tiered = { pricing_model: 'tiered', tiering: { basis: 'volume' } };
  const tiers = { ...price(`${type}.tiers`, 'volume', []), ...tiered, name: `${type} tiers` };
  return [
    inAsset(asset, { ...price(type, 'unit_and_volume', []), name: type }, [{ unit_price, ...row }]),
    inAsset(asset, tiers, [{ up_to: 1, volume_rate: unit_price }, row]),
  ];
}

type Sum = (typeof SUMS)[number];

/** A new asset with each number of decimals in `SUMS`, by that number. */
async function assets(): Promise<Readonly<Record<number, string>>> {
  const made: Record<number, string> = {};
  for (const [precision] of SUMS) made[precision] ??= (await aFreshAsset({ precision })).code;
  return made;
}

describe('sums that are rounded once', () => {
  check(
    'EVT-91',
    {
      requirement: 'R-EVT-28',
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-304', 'A-508', 'A-1502'],
    },
    'fees of a price per event and a rate that are each, or whose quotient is, between two values of the asset, and of two tiers → the exact sum, rounded once, billed and simulated',
    async () => {
      const codes = await assets();
      const { customer, eventType, product } = await aPayer((type) =>
        SUMS.flatMap((sum, index) => pricesOf(`${type}.${index}`, codes[sum[0]] as string, sum)),
      );
      const events = SUMS.flatMap(([, , , tokens], index) => [
        usageEvent(`${eventType}.${index}`, { data: { tokens } }),
        usageEvent(`${eventType}.${index}.tiers`, { data: { tokens: tokens + 1 } }),
      ]);
      const path = { productId: product.id, version: 'default' };
      const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
      await submit(customer, ...events);
      const wanted = SUMS.flatMap(([, , , , , sum]) => [sum, sum]);

      expect(fees.map((fee) => lexeme(fee, 'amount'))).toEqual(wanted);
      for (const [index, { id }] of events.entries()) {
        const billed = (await stored(id)).fees;
        expect(
          billed.map((fee) => lexeme(fee, 'amount')),
          `${index}`,
        ).toEqual([wanted[index]]);
      }
    },
  );
});

/** Numbers as they can be sent, and the same in plain decimal notation. */
const PLAIN = [
  ['0', '0'],
  ['-0', '0'],
  ['0.0', '0'],
  ['1.50', '1.5'],
  ['1e2', '100'],
  ['25e-1', '2.5'],
  ['-1.25E+3', '-1250'],
  ['0.1', '0.1'],
  ['0.000001', '0.000001'],
  ['0.0000001', '0.0000001'],
  ['1.5e-7', '0.00000015'],
  ['-2.5e-10', '-0.00000000025'],
  ['1e-20', '0.00000000000000000001'],
  ['1234567.125', '1234567.125'],
  ['123456789012345', '123456789012345'],
  ['1e14', '100000000000000'],
  ['-999999999999999', '-999999999999999'],
  ['999999999999999.9', '999999999999999.9'],
] as const;

describe('numbers as dimensions', () => {
  check(
    'EVT-92',
    { requirement: 'R-EVT-30', level: 'ASSUMED', effect: 'E3', assumes: ['A-507', 'A-303'] },
    'numbers of all sizes in data, very small and very large, however written → match the dimension with the same number in plain decimal notation, given as text or as a number, and no other; shown so in the fee, billed or simulated',
    async () => {
      const plain = [...new Set(PLAIN.map(([, text]) => text))];
      for (const given of [(text: string) => text, Number]) {
        const values = plain.map((text, index) => ({
          ...{ dimensions: { key: given(text) }, unit_price: index + 1 },
        }));
        const { customer, eventType, product } = await aPayer((type) => [
          price(type, 'unit', values, { billable_dimensions: ['key'] }),
        ]);
        const version = { productId: product.id, version: 'default' };
        const events = PLAIN.map(([sent], index) => {
          return { ...usageEvent(eventType), data: { key: `@${index}`, sent } };
        });
        const raw = JSON.stringify({ customer_id: customer.id, events }).replace(
          /"@(\d+)"/g,
          (_, index: string) => String(PLAIN[Number(index)]?.[0]),
        );
        const { fees } = (await call('simulateUsage', { path: version, raw }, [200])).body;
        await call('submitEvents', { raw }, [204]);
        for (const [index, [sent, text]] of PLAIN.entries()) {
          const billed = (await stored(events[index]?.id as string)).fees;
          const wanted = { amount: plain.indexOf(text) + 1, dimensions: { key: text } };

          expect([fees[index], ...billed], sent).toMatchObject([wanted, wanted]);
        }
      }
    },
  );
});
