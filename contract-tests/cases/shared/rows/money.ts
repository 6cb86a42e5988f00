import { adjustment, api, now, type OwnObject } from '../../../kit/index.ts';
import { each, pick, type Resource } from '../fields.ts';
import { HOUR_MS } from '../times.ts';
import {
  decimals,
  described,
  long,
  METADATA,
  NO_DECIMALS,
  NO_MAPS,
  NO_METADATA,
  NO_PRICES,
  TINY,
  withMetadata,
} from '../values.ts';
import { charge, grantOf, request as topUp } from '../wallets.ts';

const TEXTS_BEYOND = [...each('description', [long(1025)]), ...each('metadata', NO_METADATA)];

/** Accounts that a wallet cannot have. */
const NO_ACCOUNTS = [
  ...each('account_name', ['Default', 'a:b', '', ' ', '-a', 'a b', 'é', 'a\n']),
  ...each('account_name', ['a'.repeat(65)]),
  ...each('asset', ['CTNOWHERE', 'usd', '', 'A'.repeat(65)]),
];
const NO_MOVEMENT = [
  ...each('metadata', NO_MAPS),
  ...each('amount', ['5']),
  ...each('transaction_id', ['not-a-uuid', '12345678-1234-4234-8234-1234567890123']),
];

const walletOf =
  ({ id }: OwnObject) =>
  () =>
    api('getWallet', { path: { customerId: id } }, 200);

const MOVED = ['description', 'metadata', 'amount'];

/** What the transaction of a movement shows. */
async function movedBy(customerId: string, body: unknown) {
  const { transaction_id: transactionId } = body as { transaction_id: string };
  const path = { customerId, transactionId };
  const transaction = await api('getWalletTransaction', { path }, 200);
  const [account_name] = transaction.account_id.split(':');
  return { ...transaction, ...pick(transaction, MOVED), account_name };
}

export const adjustments: Resource = async (owners) => {
  const customer = await owners.customer();
  const expires_at = now(HOUR_MS);
  return {
    operation: 'adjustWallet',
    state: walletOf(customer),
    required: ['amount'],
    apart: ['asset'],
    request: async (fields) => ({
      path: { customerId: customer.id },
      body: { ...adjustment({ metadata: undefined as never }), reason: 'gift', ...fields },
    }),
    async shown(_, { body }) {
      const { account_id, ...moved } = await movedBy(customer.id, body);
      const names = [...MOVED, 'account_name'];
      if (moved.amount < 0) return [pick(moved, names)];
      const grant = await grantOf(customer, undefined, account_id);
      return [{ ...pick(moved, names), ...pick(grant, ['expires_at']) }];
    },
    presets: { account_name: 'default' },
    kept: [
      ...withMetadata((each, index) => ({
        description: described(each, index),
        account_name: 'contract',
        ...(index < 4
          ? { amount: decimals[index], expires_at }
          : { amount: -Number(decimals[index - 4]) }),
      })),
      { amount: -TINY },
    ],
    wrong: [...NO_MOVEMENT, ...each('reason', ['because', 'Gift'])],
    beyond: {
      'A-306': TEXTS_BEYOND,
      'A-702': NO_ACCOUNTS,
      'A-704': each('expires_at', [now(-1_000)]),
      'A-303': each('amount', [...NO_DECIMALS.slice(0, 4), -1e15]),
    },
  };
};

/** Parts of a charge that are beyond a limit. */
const NO_PARTS = [
  'input_units',
  'input_volume',
  'volume_rate',
  'package_size',
  'unit_price',
].flatMap((name) => each(name, [1e15, 999999999999999.5, 100000.0000000001, TINY / 10, -1]));

export const charges: Resource = async (owners) => {
  const customer = await owners.customer();
  return {
    operation: 'chargeWallet',
    state: walletOf(customer),
    required: ['amount'],
    apart: ['asset'],
    request: async (fields) => ({ path: { customerId: customer.id }, body: charge(fields) }),
    async shown(_, { body }) {
      const moved = await movedBy(customer.id, body);
      return [{ ...pick(moved, [...MOVED, 'account_name']), amount: Math.abs(moved.amount) }];
    },
    presets: { account_name: 'default' },
    kept: withMetadata((each, index) => ({
      description: described(each, index),
      account_name: 'contract',
      amount: decimals[index] ?? 0,
      subject: long(256),
    })),
    wrong: NO_MOVEMENT,
    beyond: {
      'A-306': [...TEXTS_BEYOND, ...each('subject', [long(257)])],
      'A-702': NO_ACCOUNTS,
      'A-303': [...each('amount', [...NO_DECIMALS, -0.01]), ...NO_PARTS],
    },
  };
};

const inYen = (...amounts: readonly number[]) =>
  amounts.map((amount) => ({ amount, currency: 'JPY' }));

/** What a top-up cannot be, with a destination in an asset. */
const noTopUps = (asset: string) => ({
  'A-306': TEXTS_BEYOND,
  'A-702': each('destination', NO_ACCOUNTS),
  'A-303': [
    ...each('amount', [1e15, 99999999999999.98, 999999999999999.5, 0.001]),
    ...inYen(1e15, 0.5),
    ...NO_PRICES.map((exchange_rate) => ({ destination: { asset, exchange_rate } })),
  ],
  'A-1101': [...each('amount', [0, -1]), ...inYen(0), ...each('currency', ['ABCDE'])],
});

const NEEDED = ['customer_id', 'amount', 'currency', 'return_url', 'failure_url'];

export const topUps: Resource = async (owners) => {
  const [{ code: asset }, customer] = [await owners.asset(), await owners.customer()];
  return {
    operation: 'createTopUp',
    state: walletOf(customer),
    required: ['amount'],
    apart: ['amount', 'currency'],
    request: async (fields) => ({ body: topUp(customer, fields) }),
    async shown({ id }) {
      const { destination, ...shown } = await api('getTopUp', { path: { topUpId: id } }, 200);
      const to = pick(destination, ['asset', 'exchange_rate']);
      return [{ ...pick(shown, ['amount', 'currency']), destination: to }];
    },
    presets: { destination: { asset: 'USD', exchange_rate: 1 } },
    kept: [
      ...decimals.toReversed().map((exchange_rate, index) => ({
        // At the largest rate, a smaller amount would buy nothing.
        amount: exchange_rate < 1 ? 12.5 : 999999999999999,
        destination: { asset, exchange_rate },
        description: long(1024),
        metadata: METADATA[index + 3],
      })),
      ...each('amount', [9999999999999.99, 0.01]),
      ...inYen(999999999999999, 1),
    ],
    wrong: [
      ...NEEDED.flatMap((name) => each(name, [undefined])),
      ...each('amount', ['ten']),
      ...each('metadata', NO_MAPS),
    ],
    beyond: noTopUps(asset),
  };
};
