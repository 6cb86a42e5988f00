import { asks, type Defect, eachValue, type Loose, shows } from './mutant.ts';

const MONEY = /amount|available|total_fees|revenue|costs?$|unit_price|volume_rate|pending_in/;
const STATS = [
  'getCustomerStats',
  'listCustomerStats',
  'getEvent',
  'listEvents',
  'listTasks',
  'getTask',
];
const WALLET = ['getWallet', 'getWalletAccount'];

/** Changes every amount of a response. */
const amounts = (
  about: string,
  change: (value: number, name: string) => number,
  of?: readonly string[],
): Defect => ({
  about,
  ...(of && { of }),
  response({ status, body }) {
    if (status >= 300) return;
    eachValue(body, (value, name, holder) => {
      if (typeof value === 'number' && MONEY.test(name)) holder[name] = change(value, name);
    });
  },
});

const accounts = (about: string, change: (account: Loose) => void): Defect =>
  shows(about, WALLET, (body) => {
    for (const account of body.accounts ?? [body]) change(account);
  });

/** Changes what a body says of money. */
const moves = (
  about: string,
  of: string | readonly string[],
  change: (body: Loose) => void,
): Defect =>
  asks(about, of, ({ body }) => {
    if (typeof body === 'object') change(body);
  });

/** Defects of balances, credit, rates and sums. */
export const moneyDefects: readonly Defect[] = [
  amounts('Amounts are rounded to cents', (value) => Math.round(value * 100) / 100),
  accounts('A balance is one too high', (account) => {
    account.available += 1;
  }),
  moves('Credit never ends', ['adjustWallet', 'createTopUp'], (body) => {
    delete body.expires_at;
    delete body.credit_expires_at;
  }),
  moves(
    'Everything goes to the default account',
    ['adjustWallet', 'chargeWallet', 'createTopUp'],
    (body) => {
      delete body.account_name;
      if (body.destination) delete body.destination.account_name;
    },
  ),
  shows('A transaction shows its amount without a sign', 'getWalletTransaction', (body) => {
    body.amount = Math.abs(body.amount);
  }),
  moves('A rate is taken for its inverse', ['createAsset', 'setAssetRate'], (body) => {
    for (const rate of [body, ...(Array.isArray(body.rates) ? body.rates : [])])
      if (typeof rate.rate === 'number') rate.rate = Number((1 / rate.rate).toPrecision(9));
  }),
  moves('A new rate is in force at once and for ever', 'setAssetRate', (body) => {
    delete body.valid_from;
    delete body.valid_to;
  }),
  amounts('Costs are not counted', (value, name) => (name === 'total_costs' ? 0 : value), [
    ...STATS,
    'getVendorStats',
  ]),
];
