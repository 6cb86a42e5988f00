import {
  aCustomer,
  aFreshCustomer,
  anAdjustment,
  api,
  assuming,
  check,
  describe,
  eventually,
  expect,
  now,
  refused,
  unknownId,
} from '../kit/index.ts';
import { balance, charge, grantOf } from './shared/wallets.ts';

describe('listGrants', () => {
  // WAL-13: grants: paged; purpose and exclude_expired accepted; bad date → 400
  check('WAL-13', async (t) => {
    const customer = await aCustomer();
    await anAdjustment(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const page = await api('listGrants', { path, query: { limit: 1 } }, 200);
    const paid = await api('listGrants', { path, query: { purpose: 'paid' } }, 200);
    const past = await api('listGrants', { path, query: { offset: 100_000 } }, 200);
    await api('listGrants', { path, query: { exclude_expired: true } }, 200);

    expect([page.limit, past.items]).toEqual([1, []]);
    expect(page.items.length).toBeLessThanOrEqual(1);
    await assuming('A-704', t, async () =>
      expect(paid.items.every(({ purpose }) => purpose === 'paid')).toBe(true),
    );
    await refused('listGrants', { path, query: { expired_to: 'tomorrow' } }, [400]);
    await refused('listGrants', { path: { ...path, customerId: unknownId('cust') } }, [404]);
  });

  // WAL-14: expired grant absent with exclude_expired=true, present with false
  check('WAL-14', async (t) => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { reason: 'gift', expires_at: now(1_500) });
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const listed = async (exclude_expired: boolean) => {
      const { items } = await api('listGrants', { path, query: { exclude_expired } }, 200);
      return items.length > 0;
    };

    expect(await listed(true)).toBe(true);
    expect(
      await eventually(
        () => listed(true),
        (isListed) => !isListed,
      ),
    ).toBe(false);
    expect(await listed(false)).toBe(true);
    await assuming('A-706', t, async () => {
      const left = await eventually(
        () => balance(customer),
        (rest) => rest.equals(0),
      );
      expect(String(left)).toBe('0');
    });
  });

  // WAL-31: partly drawn credit that ends → balance falls by the rest of it, later charges draw on
  // what is left
  check('WAL-31', async () => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { amount: 5 });
    const ends = { reason: 'gift', amount: 10, expires_at: now(2_500) } as const;
    await anAdjustment(customer, ends);
    const path = { customerId: customer.id };
    await api('chargeWallet', { path, body: charge({ amount: 4 }) }, 201);
    const before = await balance(customer);
    const drawn = await grantOf(customer);
    const after = await eventually(
      () => balance(customer),
      (left) => !left.equals(before),
    );
    await api('chargeWallet', { path, body: charge({ amount: 2 }) }, 201);
    const { items } = await api(
      'listGrants',
      { path: { ...path, accountId: 'default:USD' }, query: { exclude_expired: true } },
      200,
    );

    expect([String(before), drawn?.available, String(after)]).toEqual(['11', 6, '5']);
    expect(String(await balance(customer))).toBe('3');
    expect(items.map(({ available }) => available)).toEqual([3]);
  });

  // WAL-23: grants: effective_from/to and expired_from/to include a grant at the bound and exclude
  // it beyond
  check('WAL-23', async () => {
    const customer = await aCustomer();
    await anAdjustment(customer, { expires_at: now(86_400_000) });
    const grant = await grantOf(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const isFound = async (query: object) => {
      const { items } = await api('listGrants', { path, query: { limit: 1000, ...query } }, 200);
      return items.some(({ id }) => id === grant?.id);
    };
    const moved = (moment: string, milliseconds: number) =>
      new Date(Date.parse(moment) + milliseconds).toISOString();

    for (const [name, bound] of [
      ['effective', grant?.effective_at ?? ''],
      ['expired', grant?.expires_at ?? ''],
    ] as const) {
      expect(await isFound({ [`${name}_from`]: bound })).toBe(true);
      expect(await isFound({ [`${name}_to`]: bound })).toBe(true);
      expect(await isFound({ [`${name}_from`]: moved(bound, 1_000) })).toBe(false);
      expect(await isFound({ [`${name}_to`]: moved(bound, -1_000) })).toBe(false);
    }
  });

  // WAL-26: gift → promotion grant; external_topup, positive external_refund and other → paid grants
  check('WAL-26', async () => {
    const customer = await aCustomer();
    const purposes: (string | undefined)[] = [];
    for (const reason of ['gift', 'external_topup', 'external_refund', 'other'] as const) {
      await anAdjustment(customer, { reason });
      purposes.push((await grantOf(customer))?.purpose);
    }

    expect(purposes).toEqual(['promotion', 'paid', 'paid', 'paid']);
  });
});
