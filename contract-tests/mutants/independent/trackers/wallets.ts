import { randomUUID } from 'node:crypto';
import { RuleViolation } from 'billing-emulator/internals';
import { asking, type Loose, type Mutant, onRefusal } from '../../mutant.ts';
import { ask, keeping, refuse, rescheduled, seeing, through } from '../deep.ts';
import { against } from '../production/window.ts';

const ZERO_DECIMAL = ['JPY', 'KRW', 'CLP', 'VND', 'PYG'];
/** Currencies with two decimal places, of which some payment processors accept whole units only. */
const WHOLE_UNITS = ['HUF', 'TWD', 'IDR', 'COP'];

/** The newest rate of each source, even if it is set for the future. */
const atNewestRate = seeing('assets', (row, { body }, { now }) =>
  body.exchange_at
    ? row
    : rescheduled(row, (list) => {
        const [newest] = list;
        if (!newest || newest.valid_from <= now) return list;
        return [{ ...newest, valid_from: '1970-01-01T00:00:00.000Z', valid_to: undefined }];
      }),
);

/** Reads thresholds of automatic top-ups as slightly higher, so that an equal balance is below them. */
const atThreshold = through('auto_top_ups', (table) => ({
  get(id: string) {
    const row = table.get(id);
    return row && { ...row, threshold: `${(Number(row.threshold) + 1e-10).toFixed(10)}` };
  },
  put: (row: Loose) => table.put({ ...row, threshold: table.get(row.id).threshold }),
}));

/** Balances, top-ups and rates. */
export const reportedWalletBugs: readonly Mutant[] = [
  against('A-404, A-1102: the rate in force', 'uses a rate that is set for the future at once', {
    quoteAsset: atNewestRate,
    createTopUp: atNewestRate,
  }),
  against(
    'A-304, A-401: top-up amounts in a currency may have the decimals of its minor units',
    'accepts only whole amounts of currencies that some payment processors charge in whole units',
    {
      createTopUp: asking(({ body: { amount, currency } }) => {
        if (WHOLE_UNITS.includes(currency) && !Number.isInteger(amount)) refuse('amount');
      }),
    },
  ),
  against(
    'Top-up: amount is in the major currency unit',
    'credits a hundredth of a top-up in a currency without decimals',
    {
      createTopUp: keeping('top_ups', (row) =>
        ZERO_DECIMAL.includes(row.currency) && row.asset === row.currency
          ? { ...row, credit: String(Number(row.credit) / 100) }
          : row,
      ),
    },
  ),
  against(
    'A-1104, A-1106: an off-session payment when the balance falls below the threshold',
    'tops up automatically when the balance only reaches the threshold',
    { submitEvents: atThreshold, chargeWallet: atThreshold, adjustWallet: atThreshold },
  ),
  against(
    'A-708, A-304: a given amount must equal the result, rounded',
    'compares the amount of a charge with its parts before they are rounded',
    {
      chargeWallet: asking(({ body }) => {
        const { amount, unit_price, input_units, input_volume, volume_rate, package_size } = body;
        if (typeof amount !== 'number') return;
        if (unit_price == null && volume_rate == null) return;
        const units = (unit_price ?? 0) * (input_units ?? 1);
        const volume = ((input_volume ?? 0) * (volume_rate ?? 0)) / (package_size ?? 1);
        if (Math.abs(units + volume - amount) > 1e-9) refuse('amount');
      }),
    },
  ),
  against(
    'A-707: the same id with other content is 422 on transaction_id',
    'applies an adjustment again if a retry has other metadata',
    {
      adjustWallet: onRefusal((error, call, context, run) => {
        if (!(error instanceof RuleViolation)) return undefined;
        const { transaction_id: id, asset, amount, metadata } = call.body;
        const path = { ...call.path, transactionId: id };
        let earlier: Loose;
        try {
          earlier = ask('getWalletTransaction', { path }, context).body;
        } catch {
          return undefined;
        }
        const isSame = earlier.asset === asset && earlier.amount === amount;
        if (!isSame || JSON.stringify(earlier.metadata) === JSON.stringify(metadata))
          return undefined;
        const reply = run({ ...call, body: { ...call.body, transaction_id: randomUUID() } });
        return { ...reply, body: { ...reply.body, id } };
      }),
    },
  ),
];
