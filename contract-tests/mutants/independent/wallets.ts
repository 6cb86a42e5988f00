import { asking, each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  bugs,
  forgets,
  hides,
  ignores,
  ignoresBeside,
  keepsFirst,
  type Mistakes,
  onlyThose,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

/** An update that omits a field resets it to its default. */
const resets = (name: string, preset: unknown): Mistakes => ({
  [`resets ${name} where it is left out`]: sending((body) => {
    body[name] ??= preset;
  }),
});

/** The transaction with an id, of any customer. */
const anyTransaction = ({ tables, owner }: Loose, id: string): Loose =>
  tables.transactions.list('owner', owner).find((row: Loose) => row.transaction_id === id);

/** Wallets, grants, transactions, top-ups, portal sessions and webhooks. */
export const walletBugs: readonly Mutant[] = bugs({
  getWallet: {
    ...showsFirst('accounts'),
    'leaves out empty accounts': showing(({ accounts }) => ({
      accounts: accounts.filter(({ available }: Loose) => available !== 0),
    })),
    'shows debts as 0': each('accounts', ({ available }) => ({
      available: Math.max(0, available),
    })),
  },
  getWalletAccount: {
    'shows debts as 0': showing(({ available }) => ({ available: Math.max(0, available) })),
    'counts nothing as pending': showing(() => ({ pending_in: 0 })),
  },
  adjustWallet: {
    ...forgets('account_name', 'expires_at', 'effective_at', 'metadata', 'description'),
    ...keepsFirst('metadata'),
    'takes gifts for paid': sending((body) => {
      if (body.reason === 'gift') body.reason = 'external_topup';
    }),
    'knows ids of other customers': (call, context, run) => {
      const taken = anyTransaction(context, call.body.transaction_id);
      return taken
        ? { status: 201, body: { id: taken.transaction_id, created_at: taken.created_at } }
        : run();
    },
  },
  chargeWallet: {
    ...forgets('account_name', 'metadata', 'description', 'package_size'),
    'counts one unit': sending((body) => {
      if (body.input_units !== undefined) body.input_units = 1;
    }),
  },
  getWalletTransaction: {
    ...hides('executed_at', 'metadata', 'description'),
    'shows amounts without a sign': showing(({ amount }) => ({ amount: Math.abs(amount) })),
    'shows charges as adjustments': showing(() => ({ type: 'adjustment' })),
    'compares ids with their case': (call, _, run) => {
      const reply = run();
      const isSame = reply.body?.id === call.path.transactionId;
      return isSame ? reply : run({ ...call, path: { ...call.path, transactionId: 'none' } });
    },
    'answers through any customer': asking(({ path }, context) => {
      path.customerId = anyTransaction(context, path.transactionId)?.customer_id ?? path.customerId;
    }),
  },
  listGrants: {
    ...ignores('purpose', 'effective_from', 'effective_to', 'expired_from', 'expired_to', 'offset'),
    ...ignoresBeside('purpose', 'exclude_expired'),
    ...ignoresBeside('effective_to', 'effective_from'),
    ...shifts('effective_from', 'effective_to', 'expired_from', 'expired_to'),
    'leaves out drawn grants': onlyThose(({ available }) => available > 0),
    'leaves out grants to come': onlyThose(({ effective_at }, _, { now }) => effective_at <= now),
    'shows creation as effect': each('items', ({ created_at }) => ({ effective_at: created_at })),
  },
  createTopUp: {
    ...forgets('destination', 'metadata'),
    'credits the default account': sending(({ destination }) => {
      if (destination) delete destination.account_name;
    }),
    'ignores its own exchange rate': sending(({ destination }) => {
      if (destination?.asset) delete destination.exchange_rate;
    }),
    'cuts the cents off': sending((body) => {
      body.amount = Math.trunc(body.amount) || body.amount;
    }),
  },
  getTopUp: {
    'is initiated for ever': showing(() => ({ status: 'initiated' })),
    ...hides('destination'),
    'answers top-ups of any account': (call, { tables, owner }, run) => {
      const row = tables.top_ups.get(call.path.topUpId);
      if (!row || row.owner === owner) return run();
      const { id, customer_id, currency, status } = row;
      return {
        status: 200,
        body: { id, customer_id, currency, status, amount: Number(row.amount) },
      };
    },
  },
  createPortalSession: { 'expires at once': showing((_, __, { now }) => ({ expires_at: now })) },
  createWebhook: { ...keepsFirst('topics'), ...forgets('connect', 'topics') },
  updateWebhook: {
    ...keepsFirst('topics'),
    ...resets('enabled', true),
    ...resets('topics', ['*']),
    'keeps updated_at': showing(({ created_at }) => ({ updated_at: created_at })),
  },
  listWebhooks: { ...ignores('enabled', 'connect'), ...ignoresBeside('connect', 'enabled') },
  getWebhook: { 'shows another secret': showing(({ secret }) => ({ secret: `${secret}x` })) },
  listWebhookEvents: {
    'asks for the first of several destinations': (call, _, run) =>
      run({
        ...call,
        query: { ...call.query, destination_id: call.query.destination_id?.slice(0, 1) },
      }),
    ...ignores('time_gte', 'time_lte', 'prev'),
    ...ignoresBeside('status', 'destination_id'),
    ...ignoresBeside('destination_id', 'next'),
    ...shifts('time_gte', 'time_lte'),
  },
  testWebhook: {
    'tests all destinations': asking(({ path }) => {
      delete path.webhookId;
    }),
  },
  testConnectedWebhooks: {
    'tests the platform': asking(({ path }) => {
      delete path.connectedAccountId;
    }),
  },
});
