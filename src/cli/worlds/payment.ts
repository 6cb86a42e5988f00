import { type Command, Option } from 'commander';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';

interface MethodFlags {
  readonly method?: string;
  readonly last4?: string;
  readonly declinesLater?: boolean;
}

interface SettleFlags extends RemoteFlags, MethodFlags {
  readonly outcome: string;
  readonly reason?: string;
}

interface CardFlags extends RemoteFlags, MethodFlags {
  readonly remove?: boolean;
}

interface AutoTopUpFlags extends RemoteFlags {
  readonly threshold?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly off?: boolean;
}

/** `billing-emulator payment`: what customers do on the hosted pages, without a browser. */
export function addPayment(program: Command): void {
  const payment = program
    .command('payment')
    .description('Pay, save cards and top up by itself, as customers do on their pages');
  addSettle(payment);
  addMethod(payment);
  addAutoTopUp(payment);
}

function addSettle(payment: Command): void {
  const command = payment
    .command('settle <id>')
    .description('End the payment of a subscription or a top-up, named by its id or link token')
    .addOption(
      new Option('--outcome <outcome>', 'What becomes of it')
        .choices(['succeeded', 'failed', 'processing', 'abandoned'])
        .default('succeeded'),
    )
    .option('--reason <text>', 'Why it failed, as the payer is told');
  addRemoteFlags(addMethodFlags(command)).action((id: string, flags: SettleFlags) =>
    withRemote(flags, async (remote) => {
      const { outcome, reason } = flags;
      const payment_method = methodOf(flags);
      const parts = { path: { id }, body: { outcome, reason, payment_method } };
      if (flags.json) return print(await remote.read('settlePayment', parts));
      const settled = await remote.call('settlePayment', parts);
      const word = settled.changed ? 'is' : 'was already';
      print(`${settled.kind} ${settled.id} of ${settled.customer_id} ${word} ${settled.status}`);
    }),
  );
}

function addMethod(payment: Command): void {
  const command = payment
    .command('method <customer>')
    .description('Save what renewals and automatic top-ups of a customer are paid with')
    .option('--remove', 'Remove what is saved');
  addRemoteFlags(addMethodFlags(command)).action((customerId: string, flags: CardFlags) =>
    withRemote(flags, async (remote) => {
      const path = { customerId };
      if (flags.remove) await remote.call('removePaymentMethod', { path });
      else await remote.call('setPaymentMethod', { path, body: methodOf(flags) ?? CARD });
      if (!flags.json) print(flags.remove ? 'Nothing is saved.' : 'It is saved.');
    }),
  );
}

function addAutoTopUp(payment: Command): void {
  const command = payment
    .command('auto-top-up <customer> [account]')
    .description('List the automatic top-ups of a customer, or turn that of an account on or off')
    .option('--threshold <balance>', 'Below which balance it pays')
    .option('--amount <amount>', 'What it pays each time')
    .option('--currency <code>', 'What it pays in; the asset of the account unless given')
    .option('--off', 'Turn it off');
  addRemoteFlags(command).action(
    (customerId: string, accountId: string | undefined, flags: AutoTopUpFlags) =>
      withRemote(flags, async (remote) => {
        const path = { customerId, accountId: accountId ?? '' };
        const { threshold, amount, currency } = flags;
        if (flags.off) await remote.call('removeAutoTopUp', { path });
        else if (accountId !== undefined) {
          const body = { threshold: numberOf(threshold), amount: numberOf(amount), currency };
          await remote.call('setAutoTopUp', { path, body });
        }
        const listed = { path: { customerId } };
        if (flags.json) return print(await remote.read('listAutoTopUps', listed));
        const { items } = await remote.call('listAutoTopUps', listed);
        const rows = items.map(({ account_id, ...terms }) => [
          account_id,
          `below ${terms.threshold}`,
          `${terms.amount} ${terms.currency}`,
          terms.refused ?? '',
        ]);
        print(rows.length === 0 ? 'No automatic top-ups.' : alignColumns(rows));
      }),
  );
}

const CARD = { kind: 'card' };

function addMethodFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--method <kind>', 'What it is paid with').choices(['card', 'bank_debit']),
    )
    .option('--last4 <digits>', 'Last four digits, as shown')
    .option('--declines-later', 'Paid now, and declined at the next renewal');
}

/** The method that is named, a card unless told; undefined where nothing is said of it. */
function methodOf({ method, last4, declinesLater }: MethodFlags): object | undefined {
  if (method === undefined && last4 === undefined && !declinesLater) return undefined;
  return {
    kind: method ?? CARD.kind,
    ...(last4 !== undefined && { last4 }),
    ...(declinesLater && { declines_later: true }),
  };
}

/** A number, or what was given in its place, for the emulator to name. */
function numberOf(text: string | undefined): unknown {
  return text === undefined || Number.isNaN(Number(text)) ? text : Number(text);
}
