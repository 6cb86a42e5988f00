import { asking, each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  bug,
  eachOf,
  forgets,
  hides,
  ignores,
  ignoresBeside,
  keepsFirst,
  onlyThose,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

/** An update that omits a field gives it its preset. */
const resets = (name: string, preset: unknown): Mutant =>
  bug(
    `resets ${name} where it is left out`,
    'updateWebhook',
    sending((body) => {
      body[name] ??= preset;
    }),
  );

/** The transaction of whichever customer has the id. */
const anyTransaction = ({ tables, owner }: Loose, id: string): Loose =>
  tables.transactions.list('owner', owner).find((row: Loose) => row.transaction_id === id);

/** Wallets, grants, transactions, top-ups, portal sessions and webhooks. */
export const walletBugs: readonly Mutant[] = [
  ...showsFirst('getWallet', 'accounts'),
  bug(
    'leaves out empty accounts',
    'getWallet',
    showing(({ accounts }) => ({
      accounts: accounts.filter(({ available }: Loose) => available !== 0),
    })),
  ),
  bug(
    'shows debts as 0',
    'getWallet',
    eachOf('accounts', ({ available }) => ({ available: Math.max(0, available) })),
  ),
  bug(
    'shows debts as 0',
    'getWalletAccount',
    showing(({ available }) => ({ available: Math.max(0, available) })),
  ),
  bug(
    'counts nothing as pending',
    'getWalletAccount',
    showing(() => ({ pending_in: 0 })),
  ),

  ...forgets(
    'adjustWallet',
    'account_name',
    'expires_at',
    'effective_at',
    'metadata',
    'description',
  ),
  ...keepsFirst('adjustWallet', 'metadata'),
  bug(
    'takes gifts for paid',
    'adjustWallet',
    sending((body) => {
      if (body.reason === 'gift') body.reason = 'external_topup';
    }),
  ),
  bug('knows ids of other customers', 'adjustWallet', (call, context, run) => {
    const taken = anyTransaction(context, call.body.transaction_id);
    return taken
      ? { status: 201, body: { id: taken.transaction_id, created_at: taken.created_at } }
      : run();
  }),
  ...forgets('chargeWallet', 'account_name', 'metadata', 'description', 'package_size'),
  bug(
    'counts one unit',
    'chargeWallet',
    sending((body) => {
      if (body.input_units !== undefined) body.input_units = 1;
    }),
  ),

  ...hides('getWalletTransaction', 'executed_at', 'metadata', 'description'),
  bug(
    'shows amounts without a sign',
    'getWalletTransaction',
    showing(({ amount }) => ({ amount: Math.abs(amount) })),
  ),
  bug(
    'shows charges as adjustments',
    'getWalletTransaction',
    showing(() => ({ type: 'adjustment' })),
  ),
  bug('compares ids with their case', 'getWalletTransaction', (call, _, run) => {
    const reply = run();
    const isSame = reply.body?.id === call.path.transactionId;
    return isSame ? reply : run({ ...call, path: { ...call.path, transactionId: 'none' } });
  }),
  bug(
    'answers through any customer',
    'getWalletTransaction',
    asking(({ path }, context) => {
      path.customerId = anyTransaction(context, path.transactionId)?.customer_id ?? path.customerId;
    }),
  ),

  ...ignores(
    'listGrants',
    'purpose',
    'effective_from',
    'effective_to',
    'expired_from',
    'expired_to',
    'offset',
  ),
  ignoresBeside('listGrants', 'purpose', 'exclude_expired'),
  ignoresBeside('listGrants', 'effective_to', 'effective_from'),
  shifts('listGrants', 'effective_from', 1),
  shifts('listGrants', 'effective_to', -1),
  shifts('listGrants', 'expired_from', 1),
  shifts('listGrants', 'expired_to', -1),
  bug(
    'leaves out drawn grants',
    'listGrants',
    onlyThose(({ available }) => available > 0),
  ),
  bug(
    'leaves out grants to come',
    'listGrants',
    onlyThose(({ effective_at }, _, { now }) => effective_at <= now),
  ),
  bug(
    'shows creation as effect',
    'listGrants',
    each('items', ({ created_at }) => ({ effective_at: created_at })),
  ),

  ...forgets('createTopUp', 'destination', 'metadata'),
  bug(
    'credits the default account',
    'createTopUp',
    sending(({ destination }) => {
      if (destination) delete destination.account_name;
    }),
  ),
  bug(
    'ignores its own exchange rate',
    'createTopUp',
    sending(({ destination }) => {
      if (destination?.asset) delete destination.exchange_rate;
    }),
  ),
  bug(
    'cuts the cents off',
    'createTopUp',
    sending((body) => {
      body.amount = Math.trunc(body.amount) || body.amount;
    }),
  ),
  bug(
    'is initiated for ever',
    'getTopUp',
    showing(() => ({ status: 'initiated' })),
  ),
  ...hides('getTopUp', 'destination'),
  bug('answers top-ups of any account', 'getTopUp', (call, { tables, owner }, run) => {
    const row = tables.top_ups.get(call.path.topUpId);
    if (!row || row.owner === owner) return run();
    const { id, customer_id, currency, status } = row;
    return { status: 200, body: { id, customer_id, currency, status, amount: Number(row.amount) } };
  }),
  bug(
    'expires at once',
    'createPortalSession',
    showing((_, __, { now }) => ({ expires_at: now })),
  ),

  ...keepsFirst('createWebhook', 'topics'),
  ...keepsFirst('updateWebhook', 'topics'),
  ...forgets('createWebhook', 'connect', 'topics'),
  resets('enabled', true),
  resets('topics', ['*']),
  bug(
    'keeps updated_at',
    'updateWebhook',
    showing(({ created_at }) => ({ updated_at: created_at })),
  ),
  ...ignores('listWebhooks', 'enabled', 'connect'),
  ignoresBeside('listWebhooks', 'connect', 'enabled'),
  bug(
    'shows another secret',
    'getWebhook',
    showing(({ secret }) => ({ secret: `${secret}x` })),
  ),
  bug('asks for the first of several destinations', 'listWebhookEvents', (call, _, run) =>
    run({
      ...call,
      query: { ...call.query, destination_id: call.query.destination_id?.slice(0, 1) },
    }),
  ),
  ...ignores('listWebhookEvents', 'time_gte', 'time_lte', 'prev'),
  ignoresBeside('listWebhookEvents', 'status', 'destination_id'),
  ignoresBeside('listWebhookEvents', 'destination_id', 'next'),
  shifts('listWebhookEvents', 'time_gte', 1),
  shifts('listWebhookEvents', 'time_lte', -1),
  bug(
    'tests all destinations',
    'testWebhook',
    asking(({ path }) => {
      delete path.webhookId;
    }),
  ),
  bug(
    'tests the platform',
    'testConnectedWebhooks',
    asking(({ path }) => {
      delete path.connectedAccountId;
    }),
  ),
];
