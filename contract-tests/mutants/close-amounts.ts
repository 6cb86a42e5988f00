import { decimal } from 'billing-emulator/internals';
import { ask, keeping, refuse, through } from './independent/deep.ts';
import { repricing } from './independent/prices.ts';
import { type Advice, asking, declared, type Loose, type Mutant } from './mutant.ts';

/** A decimal as a whole number of units of a decimal place. */
function unitsOf(value: Loose, at: number): bigint {
  const { units, places } = decimal(value);
  return units * 10n ** BigInt(Math.max(0, at - places));
}

const toEven = (dividend: bigint, divisor: bigint): bigint => {
  const [quotient, twice] = [dividend / divisor, (dividend % divisor) * 2n];
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
};

/** Charges by parts with another rounding of the exact quotient, where it gives another result. */
const rounding = (round: (dividend: bigint, divisor: bigint, isCurrency: boolean) => bigint) =>
  asking(({ body }, context) => {
    const { unit_price, input_units, input_volume, volume_rate, package_size, ...rest } = body;
    const isCurrency = /^[A-Z]{3}$/.test(body.asset);
    const places = isCurrency ? 10 : (precisionOf(body.asset, context) ?? 0);
    const [units = 0n, volume = 0n] = [
      [unit_price ?? 0, input_units ?? 1],
      [input_volume ?? 0, volume_rate ?? 0],
    ].map(([left, right]) => unitsOf(left, 10) * unitsOf(right, 10));
    const size = BigInt(package_size ?? 1);
    const exact = [units * size + volume, size * 10n ** BigInt(20 - places)] as const;
    const result = round(...exact, isCurrency);
    if (result === toEven(...exact)) return;
    const amount = Number(`${result}e-${places}`);
    if ((body.amount ?? amount) !== amount) refuse('amount');
    return { body: { ...rest, amount } };
  });

function precisionOf(assetCode: string, context: Loose): number | undefined {
  try {
    return ask('getAsset', { path: { assetCode } }, context).body.precision;
  } catch {
    return undefined;
  }
}

/** Cuts the amounts of some top-ups to their currency instead of rejecting them. */
const cuttingTopUps = (isMeant: (body: Loose) => boolean): Advice =>
  asking(({ body }, context) => {
    const places = precisionOf(body.currency, context);
    if (places !== undefined && isMeant(body)) body.amount = Number(body.amount.toFixed(places));
  });

/** ISO 4217 gives these codes no minor unit. */
const WITHOUT_MINOR_UNIT = ['XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XBA', 'XTS'];

/** Changes the rows of each group of prices by volume with bounds. */
const changingRows = (change: (row: Loose, rows: readonly Loose[]) => Loose): Advice =>
  repricing(({ tiering, pricing }) => {
    if (tiering?.basis !== 'volume') return;
    for (const entry of pricing) {
      const changed = (rows: Loose[]) =>
        rows.map((row) => ({ ...row, ...change(row, rows), values: row.values }));
      for (const value of entry.values) if (value.values) value.values = changed(value.values);
      entry.values = changed(entry.values);
    }
  });

/** Adds volumes to the quantity so far as binary numbers. */
const inFloats: Advice = through('price_quantities', (table) => ({
  put(row: Loose) {
    const former = table.get(row.id)?.quantity ?? '0';
    const added = unitsOf(row.quantity, 30) - unitsOf(former, 30);
    return table.put({ ...row, quantity: String(Number(former) + Number(`${added}e-30`)) });
  },
}));

/** Counts the groups of a price together. */
const sharingCounts: Advice = through('price_quantities', (table) => {
  const shared = (id: string) => {
    const [customer, product, group = '[]', ...others] = id.split('\n');
    return [customer, product, JSON.parse(group)[0], ...others].join('\n');
  };
  return {
    get: (id: string) => table.get(shared(id)),
    put: (row: Loose) => table.put({ ...row, id: shared(row.id) }),
  };
});

/** Mutants that are wrong only close to a half, a bound or the last decimal. */
export const closeAmountMutants: readonly Mutant[] = [
  declared('A charge by parts in a currency rounds half up', ['WAL-65'], {
    chargeWallet: rounding((dividend, divisor, isCurrency) =>
      isCurrency ? (2n * dividend + divisor) / (2n * divisor) : toEven(dividend, divisor),
    ),
  }),
  declared('A charge by parts is rounded to four more decimals first', ['WAL-65'], {
    chargeWallet: rounding((dividend, divisor) =>
      toEven(toEven(dividend * 10_000n, divisor), 10_000n),
    ),
  }),
  declared('An amount of 0 beside the parts of a charge counts as none', ['WAL-65'], {
    chargeWallet: asking(({ body }) => {
      if (body.amount === 0 && (body.unit_price ?? body.volume_rate) != null) delete body.amount;
    }),
  }),
  declared('A total of a billionth above a bound is within it', ['EVT-37'], {
    submitEvents: changingRows(({ up_to }) =>
      up_to === undefined ? {} : { up_to: (Number(up_to) + 1e-9).toFixed(10) },
    ),
  }),
  declared('The quantity so far is a sum of binary numbers', ['EVT-39'], {
    submitEvents: inFloats,
    simulateUsage: inFloats,
  }),
  declared('A tiered fee has the least and the greatest amount of its first row', ['EVT-40'], {
    submitEvents: changingRows((_, [{ min_amount, max_amount }]: Loose) => ({
      min_amount,
      max_amount,
    })),
  }),
  declared('The groups of a price share one count', ['EVT-122'], {
    submitEvents: sharingCounts,
    simulateUsage: sharingCounts,
  }),
  declared('Decimals of a top-up are judged by its binary number of minor units', ['TOP-30'], {
    createTopUp: asking(({ body: { amount, currency } }, context) => {
      const places = precisionOf(currency, context) ?? 0;
      if (!Number.isInteger(amount * 10 ** places)) refuse('amount');
    }),
  }),
  declared('A currency without a minor unit may have decimals', ['TOP-30'], {
    createTopUp: cuttingTopUps(({ currency }) => WITHOUT_MINOR_UNIT.includes(currency)),
  }),
  declared('A top-up credits three decimals', ['TOP-31'], {
    createTopUp: keeping('top_ups', (row) =>
      row.asset === row.currency
        ? { ...row, credit: String(Number(Number(row.credit).toFixed(3))) }
        : row,
    ),
  }),
  declared('A top-up that buys another asset may have any decimals', ['TOP-30'], {
    createTopUp: cuttingTopUps(
      ({ currency, destination }) => (destination?.asset ?? currency) !== currency,
    ),
  }),
];
