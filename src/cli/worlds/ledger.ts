import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { flag } from '../flags.ts';
import { alignColumns, printPage } from '../print.ts';
import { callVerb, type VerbGroup } from '../verb.ts';

const COUNTER_ACCOUNTS = [
  'wallets',
  'external',
  'promotions',
  'revenue',
  'breakage',
  'sum',
] as const;

/** `billing-emulator ledger`: lists, sums and verifies ledger transactions. */
export const ledgerVerbs: VerbGroup = {
  usage: 'ledger',
  about: 'List, add up and verify ledger transactions',
  verbs: [
    callVerb('listLedgerTransactions', {
      usage: 'transactions',
      isDefault: true,
      about: 'List transactions with their postings, newest first',
      query: {
        customer_id: flag('--customer <id>', 'Of this customer, by id or external id'),
        account_id: flag('--account <id>', 'Of wallet accounts such as default:USD'),
        asset: flag('--asset <code>', 'In this asset'),
        type: flag('--type <type>', 'Of this type: adjustment or fee'),
        source: flag('--source <source>', 'From this source, such as usage or top_up'),
        event_id: flag('--event <id>', 'Of this usage event'),
        fee_id: flag('--fee <id>', 'Of this fee'),
        from: flag('--from <moment>', 'From this time on'),
        to: flag('--to <moment>', 'Up to this time'),
        limit: flag('--limit <count>', 'Maximum number of transactions', { preset: '20' }),
      },
      text: (page) =>
        printPage(
          page,
          ({ amount, postings, ...item }) => [
            [
              item.created_at,
              item.source,
              item.customer_id,
              item.account_id,
              amount > 0 ? `+${amount}` : String(amount),
              `balance ${item.balance_after}`,
              postings.map(({ from, to, amount }) => `${from} > ${to} ${amount}`).join(', '),
            ],
          ],
          'No transactions.',
        ),
    }),
    callVerb('getTrialBalance', {
      usage: 'trial-balance',
      about: 'Add up wallets and counter-accounts; every line sums to zero',
      text: ({ items }) =>
        alignColumns([
          ['owner', 'asset', ...COUNTER_ACCOUNTS],
          ...items.map((line) => [
            line.owner,
            line.asset,
            ...COUNTER_ACCOUNTS.map((name) => String(line[name])),
          ]),
        ]),
    }),
    callVerb('verifyLedger', {
      usage: 'verify',
      about: `Replay and recalculate everything; exits with ${EXIT.failure} if something is wrong`,
      exitCode: ({ sound }) => (sound ? 0 : EXIT.failure),
      text: ({ sound, checked, finding_count, findings }) => {
        const counts = Object.entries(checked).map(([name, count]) => `${count} ${name}`);
        return [
          `Checked ${counts.join(', ').replaceAll('_', ' ')}.`,
          ...findings.map(({ about, id, message }) => `${id}: ${about} ${message}`),
          sound ? 'No problems found.' : `${plural(finding_count, 'problem')} found.`,
        ].join('\n');
      },
    }),
  ],
};
