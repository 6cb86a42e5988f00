import { type Command, Option } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, type RemoteFlags, type RemoteParts, withRemote } from '../remote.ts';

interface TransactionFlags extends RemoteFlags {
  readonly customer?: string;
  readonly account?: string;
  readonly asset?: string;
  readonly type?: string;
  readonly source?: string;
  readonly event?: string;
  readonly fee?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

/** `billing-emulator ledger`: what moved, what it adds up to, and whether it holds. */
export function addLedger(program: Command): void {
  const ledger = program.command('ledger').description('Look into the ledger');
  addTransactions(ledger);
  addTrialBalance(ledger);
  addVerify(ledger);
}

function addTransactions(ledger: Command): void {
  const command = ledger
    .command('transactions', { isDefault: true })
    .description('List transactions with their postings, newest first')
    .option('--customer <id>', 'Of this customer')
    .option('--account <id>', 'Of wallet accounts such as default:USD')
    .option('--asset <code>', 'In this asset')
    .option('--type <type>', 'Of this type: adjustment or fee')
    .option('--source <source>', 'Made by this, such as usage or top_up')
    .option('--event <id>', 'Of this usage event')
    .option('--fee <id>', 'Of this fee')
    .option('--from <moment>', 'Made then or later')
    .option('--to <moment>', 'Made then or earlier')
    .addOption(new Option('--limit <count>', 'Most transactions').default('20'));
  addRemoteFlags(command).action((flags: TransactionFlags) =>
    withRemote(flags, async (remote) => {
      const parts = { query: queryOf(flags) };
      if (flags.json) return print(await remote.read('listLedgerTransactions', parts));
      const { items, total_count } = await remote.call('listLedgerTransactions', parts);
      const rows = items.map((item) => [
        item.created_at,
        item.source,
        item.customer_id,
        item.account_id,
        signed(item.amount),
        `balance ${item.balance_after}`,
        item.postings.map(({ from, to, amount }) => `${from} > ${to} ${amount}`).join(', '),
      ]);
      print(rows.length === 0 ? 'No transactions.' : alignColumns(rows));
      if (total_count > items.length) print(`${total_count - items.length} more.`);
    }),
  );
}

function addTrialBalance(ledger: Command): void {
  const command = ledger
    .command('trial-balance')
    .description('Add up wallets and counter-accounts; each line comes to zero');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      if (flags.json) return print(await remote.read('getTrialBalance'));
      const { items } = await remote.call('getTrialBalance');
      const names = ['wallets', 'external', 'promotions', 'revenue', 'breakage', 'sum'] as const;
      const rows = items.map((line) => [
        line.owner,
        line.asset,
        ...names.map((name) => String(line[name])),
      ]);
      print(alignColumns([['owner', 'asset', ...names], ...rows]));
    }),
  );
}

function addVerify(ledger: Command): void {
  const command = ledger
    .command('verify')
    .description(`Replay and recount everything; exits ${EXIT.failure} where something is wrong`);
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const text = await remote.read('verifyLedger');
      const { sound, checked, finding_count, findings } = JSON.parse(text) as Report;
      if (!sound) process.exitCode = EXIT.failure;
      if (flags.json) return print(text);
      const looked = Object.entries(checked).map(([name, count]) => `${count} ${name}`);
      print(`Looked at ${looked.join(', ').replaceAll('_', ' ')}.`);
      for (const { about, id, message } of findings) print(`${id}: ${about} ${message}`);
      print(sound ? 'Everything holds.' : `${finding_count} findings.`);
    }),
  );
}

interface Report {
  readonly sound: boolean;
  readonly checked: Readonly<Record<string, number>>;
  readonly finding_count: number;
  readonly findings: readonly { about: string; id: string; message: string }[];
}

function queryOf(flags: TransactionFlags): NonNullable<RemoteParts['query']> {
  const { customer, account, asset, type, source, event, fee, from, to, limit } = flags;
  return {
    customer_id: customer,
    account_id: account,
    asset,
    type,
    source,
    event_id: event,
    fee_id: fee,
    from,
    to,
    limit,
  };
}

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));
