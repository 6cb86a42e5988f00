import { key } from 'billing-emulator/internals';
import type { Advice, Loose } from '../../mutant.ts';
import { overlay } from '../deep.ts';

/** Defects in the accounts of a wallet. */

const plus = (text: string, more: number): string =>
  more === 0 ? text : (Number(text) + more).toFixed(10).replace(/\.?0+$/, '');

/** Shows usage balances with the credit that is not yet effective, and stores them without it. */
export const withPendingAsCover: Advice = (call, context, run) => {
  const { grants } = context.tables;
  const pendingOf = (id: string): number =>
    grants
      .list('pending', id.split('\n')[0] as string)
      .filter(({ customer_id, account_id }) => key(customer_id, account_id) === id)
      .reduce((total, { amount }) => total + Number(amount), 0);
  const inflated = overlay(context, 'wallet_accounts', (table) => ({
    get(id: string) {
      const row = table.get(id);
      return row && { ...row, available: plus(row.available, pendingOf(id)) };
    },
    put: (row: Loose) => table.put({ ...row, available: plus(row.available, -pendingOf(row.id)) }),
  }));
  const both = overlay(inflated, 'transactions', (table) => ({
    put(row: Loose) {
      const pending = pendingOf(key(row.customer_id, row.account_id));
      return table.put({ ...row, balance_after: plus(row.balance_after, -pending) });
    },
  }));
  return run(call, both);
};

/** Opens no accounts for subscriptions that all await their payment. */
export const openingAccountsLate: Advice = (call, context, run) => {
  const opened: string[] = [];
  const noting = overlay(context, 'wallet_accounts', (table) => ({
    put(row: Loose) {
      if (!table.get(row.id)) opened.push(row.id);
      return table.put(row);
    },
  }));
  const reply = run(call, noting);
  const subscriptions: Loose[] = reply.body.subscriptions ?? [reply.body];
  if (subscriptions.every(({ status }) => status === 'action_required'))
    for (const id of opened) context.tables.wallet_accounts.remove(id);
  return reply;
};
