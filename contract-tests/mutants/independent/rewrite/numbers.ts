import { decimal, key } from 'billing-emulator/internals';
import { asking, each, type Loose, type Mutant, showing } from '../../mutant.ts';
import { keeping, refuse, seeing } from '../deep.ts';
import { against } from '../production/window.ts';

/** Number types of other languages and of columns. */
export const numberBugs: readonly Mutant[] = [
  against('A-304: currency 10 decimals', 'keeps a balance in a column of eight decimals', {
    submitEvents: keeping('wallet_accounts', (row) => ({ ...row, available: cut(row.available) })),
  }),
  against(
    'A-404, A-304: the amount that it buys, at the rate in force; inverse_rate has 12 digits',
    'multiplies by the shown inverse rate instead of dividing by the rate',
    {
      quoteAsset: showing(({ source_amount, inverse_rate }, { path }, { tables, owner }) => {
        const { precision = 0 } = tables.assets.get(key(owner, path.assetCode)) ?? {};
        const places = CURRENCIES.has(path.assetCode) ? 10 : precision;
        return { destination_amount: product(source_amount, inverse_rate, places) };
      }),
    },
  ),
  against(
    'A-708, A-304: computed from its parts, rounded once',
    'rounds each part of a charge to the precision of a custom asset',
    {
      chargeWallet: asking(({ body }, { tables, owner }) => {
        const { unit_price, input_volume, volume_rate, asset } = body;
        const parts = [unit_price, input_volume, volume_rate];
        const places = tables.assets.get(key(owner, asset))?.precision;
        if (places === undefined || CURRENCIES.has(asset) || parts.some((part) => part == null))
          return;
        const units = unit_price * (body.input_units ?? 1);
        const volume = (input_volume * volume_rate) / (body.package_size ?? 1);
        body.amount = Number((cutTo(units, places) + cutTo(volume, places)).toFixed(places));
        for (const name of PARTS) delete body[name];
      }),
    },
  ),
  against(
    'A-303: exact decimal, never binary floating point; Event list item: total_fees',
    'adds up the fees of an event as doubles',
    {
      listEvents: each('items', ({ id, fee_currency }, _, { tables, owner }) => {
        const fees: Loose[] = [...(tables.events.get(key(owner, id.toLowerCase()))?.fees ?? [])];
        if (fees.length < 2 || fees.some(({ terms }) => terms.currency !== fee_currency)) return {};
        return { total_fees: fees.reduce((total, { amount }) => total + Number(amount), 0) };
      }),
    },
  ),
  against(
    'A-303: a magnitude of 10^15 and more is 422; Initiate request: amount',
    'refuses an amount whose cents do not fit a column of 32 bits',
    {
      createTopUp(call, _, run) {
        return call.body.amount * 100 >= 2 ** 31 ? refuse('amount') : run();
      },
    },
  ),
  against(
    'A-507: compared as text with the event (`true`, `12`, `gpt-4`)',
    'writes a small fraction with an exponent before it compares it with a dimension',
    { submitEvents: withExponents(), simulateUsage: withExponents() },
  ),
  against(
    'A-303: numbers in plain decimal notation, without exponent',
    'writes amounts below a millionth with an exponent',
    {},
    {
      id: 'getEvent: writes amounts below a millionth with an exponent',
      rawResponse: (answered, { path }) =>
        path.startsWith('/events/')
          ? { ...answered, text: answered.text.replace(SMALL, (text) => String(Number(text))) }
          : answered,
    },
  ),
];

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const PARTS = ['unit_price', 'input_units', 'input_volume', 'volume_rate', 'package_size'];
const SMALL = /(?<=[:,[])-?0\.0{6,}[1-9]\d*(?=[,}\]])/g;

const cut = (text: string): string =>
  text.includes('.') ? text.replace(/(\.\d{8})\d+$/, '$1').replace(/\.?0+$/, '') : text;

const cutTo = (amount: number, places: number): number => Number(amount.toFixed(places));

/** The product of two decimals, rounded half up. */
function product(left: Loose, right: Loose, places: number): number {
  const [first, second] = [decimal(String(left)), decimal(String(right))];
  const units = first.units * second.units;
  const surplus = first.places + second.places - places;
  if (surplus <= 0) return Number(units) / 10 ** (first.places + second.places);
  const unit = 10n ** BigInt(surplus);
  return Number((units + unit / 2n) / unit) / 10 ** places;
}

/** Dimensions of prices as a language prints doubles below a thousandth. */
function withExponents() {
  const printed = (text: string) => {
    const value = /^-?\d+\.\d+$/.test(text) ? Math.abs(Number(text)) : 1;
    return value < 0.001 ? `${Number(text).toExponential().toUpperCase()}` : text;
  };
  const changed = (row: Loose): Loose => ({
    ...row,
    dimensions: Object.fromEntries(
      Object.entries(row.dimensions as Record<string, string>).map(([name, text]) => [
        name,
        printed(text),
      ]),
    ),
  });
  return seeing('versions', (row) => ({
    ...row,
    prices: row.prices.map((price: Loose) => ({
      ...price,
      pricing: price.pricing.map((entry: Loose) => ({
        ...entry,
        values: entry.values.map((value: Loose) => (value.dimensions ? changed(value) : value)),
      })),
    })),
  }));
}
