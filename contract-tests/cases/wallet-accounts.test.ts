import {
  adjustment,
  aFreshCustomer,
  api,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  refused,
  uuid,
} from '../kit/index.ts';
import { DAY_MS } from './shared/times.ts';
import { request } from './shared/top-ups.ts';
import { charge } from './shared/wallets.ts';

const accountsOf = async ({ id }: Pick<OwnObject, 'id'>) =>
  (await api('getWallet', { path: { customerId: id } }, 200)).accounts
    .map((account) => `${account.id} ${account.available}`)
    .sort();

describe('opening of wallet accounts', () => {
  check(
    'WAL-77',
    { requirement: 'R-WAL-38', level: 'ASSUMED', effect: 'E3', assumes: ['A-704', 'A-707'] },
    'negative refunds with an end ahead and in the past → accepted; paid credit without an end → ends a year after it became effective, a gift never',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      for (const reason of ['external_topup', 'gift'] as const)
        await api('adjustWallet', { path, body: adjustment({ amount: 5, reason }) }, 201);
      const account = { ...path, accountId: 'default:USD' };
      const { items } = await api('listGrants', { path: account }, 200);
      for (const expires_at of [now(DAY_MS), now(-DAY_MS)]) {
        const body = adjustment({ amount: -1, reason: 'external_refund', expires_at });
        await api('adjustWallet', { path, body }, 201);
      }

      for (const { purpose, effective_at, expires_at } of items) {
        const end = new Date(effective_at);
        end.setUTCFullYear(end.getUTCFullYear() + 1);
        expect(expires_at).toBe(purpose === 'paid' ? end.toISOString() : null);
      }
      expect(items.map(({ purpose }) => purpose).sort()).toEqual(['paid', 'promotion']);
      expect((await api('getWalletAccount', { path: account }, 200)).available).toBe(8);
    },
  );

  check(
    'WAL-53',
    {
      requirement: ['R-WAL-38', 'R-WAL-60'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-702', 'A-707'],
    },
    'adjustments, charges and top-ups with an invalid account_name or an unknown asset, and adjustments with an end in the past → rejected, no account is opened',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const names = [
        'Default',
        'a:b',
        '',
        ' ',
        '-a',
        '_a',
        'a b',
        'a.b',
        'é',
        'a\n',
        'a'.repeat(65),
      ];
      for (const account_name of names) {
        await refused('adjustWallet', { path, body: adjustment({ account_name }) });
        await refused('chargeWallet', { path, body: charge({ account_name }) });
        const body = request(customer, { destination: { account_name } });
        await refused('createTopUp', { body });
      }
      for (const asset of ['CTNOWHERE', 'usd', '', 'A'.repeat(65)]) {
        await refused('adjustWallet', { path, body: adjustment({ asset }) });
        await refused('chargeWallet', { path, body: charge({ asset }) });
        await refused('createTopUp', { body: request(customer, { destination: { asset } }) });
      }
      for (const changes of [
        { expires_at: now(-1_000) },
        { amount: '5' },
        { reason: 'Gift' },
        { transaction_id: `${uuid()}0` },
      ])
        await refused('adjustWallet', { path, body: { ...adjustment(), ...changes } });

      expect(await accountsOf(customer)).toEqual([]);
    },
  );
});
