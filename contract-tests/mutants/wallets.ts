import { gainText, key } from 'billing-emulator/internals';
import { keeping, refuse } from './independent/deep.ts';
import { asking, declared, each, type Mutant, showing } from './mutant.ts';

/** Replaces a repeated transaction id with a new one, so that the request posts again. */
const postAgain = asking((call, { tables, world, owner }) => {
  const id = key(call.path.customerId, call.body.transaction_id);
  if (tables.transactions.get(id)) call.body.transaction_id = world.nextUuid('mutant', owner);
});

export const walletMutants: readonly Mutant[] = [
  declared('A repeated transaction_id posts again', ['WAL-03'], { adjustWallet: postAgain }),
  declared('A repeated charge posts again', ['WAL-08'], { chargeWallet: postAgain }),
  declared('A negative adjustment adds', ['WAL-03'], {
    adjustWallet: asking((call) => {
      call.body.amount = Math.abs(call.body.amount);
    }),
  }),
  declared('Every adjustment goes to USD', ['WAL-10'], {
    adjustWallet: asking((call) => {
      call.body.asset = 'USD';
    }),
  }),
  declared('Balances are reckoned in floats', ['WAL-10'], {
    getWallet: each('accounts', ({ id }, { path }, { tables }) => ({
      available: tables.transactions
        .list('customer', path.customerId)
        .filter(({ account_id }) => account_id === id)
        .reduce((sum, transaction) => sum + Number(gainText(transaction)), 0),
    })),
  }),
  declared('Adjustments are cut to whole units', ['WAL-03'], {
    adjustWallet: asking((call) => {
      call.body.amount = Math.trunc(call.body.amount) || 1;
    }),
  }),
  declared('A charge is answered and not taken', ['WAL-08'], {
    chargeWallet: asking((call) => {
      call.body = { ...call.body, amount: 0 };
    }),
  }),
  declared('An account is called by its asset', ['WAL-01'], {
    getWallet: each('accounts', ({ asset }) => ({ name: asset })),
  }),
  declared('An account has no pending amounts', ['WAL-01'], {
    getWalletAccount: showing((body) => {
      delete body.pending_in;
      delete body.pending_out;
    }),
  }),
  declared('An unknown transaction is answered', ['WAL-12'], {
    getWalletTransaction: (call, { tables }, run) => {
      const known = tables.transactions.get(key(call.path.customerId, call.path.transactionId));
      const [any] = tables.transactions.list('customer', call.path.customerId);
      const path = { ...call.path, transactionId: any?.transaction_id };
      return known || !any ? run() : run({ ...call, path });
    },
  }),
  declared('Expired grants are never listed', ['WAL-14'], {
    listGrants: asking((call) => ({ ...call, query: { ...call.query, exclude_expired: true } })),
  }),
  declared('exclude_expired is ignored', ['WAL-14'], {
    listGrants: asking((call) => ({ ...call, query: { ...call.query, exclude_expired: false } })),
  }),
  declared('Credit of a pending top-up is listed before its money arrives', ['EVT-96'], {
    listGrants: showing(({ items, total_count }, { path }, { tables }) => {
      const coming = [...tables.top_ups.values()].filter(
        ({ customer_id, status }) => customer_id === path.customerId && status === 'pending',
      );
      const more = coming.map(({ id, credit }) => ({ ...items[0], id, amount: Number(credit) }));
      return items[0] && { items: [...more, ...items], total_count: total_count + more.length };
    }),
  }),
  declared('Paid credit of an adjustment never ends by itself', ['WAL-26'], {
    adjustWallet: keeping('grants', (row, { body }) =>
      row.purpose === 'paid' && !body.expires_at ? { ...row, expires_at: null } : row,
    ),
  }),
  declared('A refund may not name an end of credit', ['WAL-26'], {
    adjustWallet: asking(({ body }) => {
      if (body.amount < 0 && body.expires_at) refuse('expires_at');
    }),
  }),
];
