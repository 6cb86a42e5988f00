import { type Loose, type Mutant, showing } from '../../mutant.ts';
import { bugs } from '../bug.ts';
import { refuse } from '../deep.ts';

/** Bugs in keys, customers, wallets and payments. */

const KEY = /^key_(test|live)_[a-z0-9][a-z0-9-]{0,62}$/;

const transactionOf = ({ path }: Loose, { tables }: Loose, id: string): Loose =>
  tables.transactions.get(`${path.customerId}\n${id.toLowerCase()}`);

const accountOf = ({ path, body }: Loose, { tables }: Loose): Loose =>
  tables.wallet_accounts.get(`${path.customerId}\n${body.account_name ?? 'default'}:${body.asset}`);

/** Rejects URLs with a fragment. */
const refuseHashes = (body: Loose): void => {
  for (const field of ['return_url', 'failure_url']) if (body[field].includes('#')) refuse(field);
};

const MINUTE = 60_000;

export const heldOutCustomerBugs: readonly Mutant[] = [
  ...bugs({
    createCustomer: {
      'takes the email of another customer for taken': (call, { tables, owner }, run) => {
        const { email } = call.body;
        const isTaken = tables.customers.list('owner', owner).some((row) => row.email === email);
        return email && isTaken ? refuse('email') : run();
      },
    },
    getWalletAccount: {
      'shows an empty account where there is none': (call, { tables }, run) => {
        const { customerId, accountId } = call.path;
        const [, name, asset] = /^([a-z0-9_-]+):([A-Z0-9]{2,64})$/.exec(accountId) ?? [];
        const isMissing = !tables.wallet_accounts.get(`${customerId}\n${accountId}`);
        if (!asset || !isMissing || !tables.customers.get(customerId)) return run();
        const none = { available: 0, pending_in: 0, pending_out: 0 };
        return { status: 200, body: { id: accountId, name, asset, ...none } };
      },
    },
    adjustWallet: {
      'takes no more than there is': (call, context, run) => {
        const { transaction_id: id, amount } = call.body;
        const available = Number(accountOf(call, context)?.available ?? 0);
        if (amount >= 0 || available + amount >= 0) return run();
        if (transactionOf(call, context, id) || available <= 0)
          return { status: 201, body: { id, created_at: context.now } };
        return run({ ...call, body: { ...call.body, amount: -available } });
      },
      'dates a retry anew': showing((_body, _call, { now }) => ({ created_at: now })),
    },
    getWalletTransaction: {
      'shows of what went into debt the part that was there': showing(
        ({ id, amount }, call, context) => {
          const after = Number(transactionOf(call, context, id)?.balance_after ?? 0);
          if (amount >= 0 || after >= 0) return {};
          return { amount: -Number(Math.max(0, after - amount).toFixed(10)) };
        },
      ),
    },
    createTopUp: {
      'takes the same amount within a minute for a click too many': (call, context, run) => {
        const { customer_id, amount, currency } = call.body;
        const rows: Loose[] = [...context.tables.top_ups.values()];
        const twin = rows.find(
          (row) =>
            row.customer_id === customer_id &&
            row.status === 'initiated' &&
            `${row.amount} ${row.currency}` === `${amount} ${currency}` &&
            Date.parse(context.now) - Date.parse(row.created_at) < MINUTE,
        );
        if (!twin) return run();
        const { id, status, created_at, payment } = twin;
        const redirect_url = `${context.baseUrl}/hosted/checkout/${payment.token}`;
        const { expires_at } = payment;
        return { status: 201, body: { id, status, redirect_url, created_at, expires_at } };
      },
    },
    getTopUp: {
      'shows what it buys as its amount': showing(({ id }, _, { tables }) => ({
        amount: Number(tables.top_ups.get(id)?.credit),
      })),
    },
    createPortalSession: {
      'refuses addresses with a route behind a hash': (call, _, run) => {
        refuseHashes(call.body);
        return run();
      },
    },
  }),
  {
    id: 'keys: takes what is no key at all for one',
    about: 'A key of any form is valid',
    noticedBy: [],
    lendKey({ headers }) {
      const given = [headers['x-service-api-key'], headers.authorization?.replace(/^bearer /i, '')];
      if (given.every((key) => key === undefined || KEY.test(`${key}`))) return undefined;
      delete headers['x-service-api-key'];
      return 'key_test_lent';
    },
  },
];
