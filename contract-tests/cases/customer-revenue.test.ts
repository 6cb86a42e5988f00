import {
  aFreshAccount,
  aFreshCustomer,
  aheadOf,
  amount,
  anAdjustment,
  api,
  aUsageEvent,
  aVendor,
  call,
  check,
  describe,
  eventually,
  expect,
  type OwnObject,
  runMark,
  today,
  useUp,
  uuid,
} from '../kit/index.ts';
import { balance, charge, charged } from './shared/wallets.ts';

const period = () => ({ period_from: today(-1), period_to: today() });

describe('revenue from expired credit', () => {
  check(
    'CUS-50',
    { requirement: 'R-PRF-19', level: 'ASSUMED', effect: 'E4', assumes: 'A-902' },
    'paid credit and a gift that expire with some left → what is left of the paid credit is revenue, of the gift nothing',
    async () => {
      const { customer, stats, before } = await aheadOf(async (expires_at) => {
        const customer = await aFreshCustomer();
        await anAdjustment(customer, { amount: 10, expires_at });
        await charged(customer, { amount: 4 });
        await anAdjustment(customer, { amount: 5, reason: 'gift', expires_at });
        const path = { customerId: customer.id };
        const stats = () => api('getCustomerStats', { path }, 200);
        return { customer, stats, before: await stats() };
      });
      await eventually(
        () => balance(customer),
        (left) => left.compare(0) === 0,
      );
      const query = { ...period(), limit: 1000 };
      const { items } = await api('listCustomerStats', { query }, 200);

      expect(before).toMatchObject({ gross_revenue: 4, net_revenue: 4 });
      const later = await stats();
      expect(later).toMatchObject({
        gross_revenue: 10,
        total_costs: 0,
        net_revenue: 10,
        margin: 1,
      });
      expect(items.find(({ id }) => id === customer.id)?.stats).toEqual(later);
    },
  );
});

describe('listCustomerStats', () => {
  check(
    'CUS-51',
    { requirement: 'R-PRF-17', level: 'ASSUMED', effect: 'E4', assumes: ['A-305', 'A-903'] },
    'costs that reverse the order of net revenue → still sorted by gross revenue, equal ones newest first',
    async () => {
      const vendor = await aVendor();
      // Net: 3, 1, 6, 6, 0.
      const made: string[] = [];
      for (const [gross, costs] of [
        [3, 0],
        [9, 8],
        [6, 0],
        [6, 0],
        [7, 7],
      ] as const) {
        const customer = await aFreshCustomer();
        await charged(customer, { amount: gross });
        const cost = { id: uuid(), vendor_id: vendor.id, amount: costs };
        await aUsageEvent(customer, 'contract.cost', { costs: [cost] });
        made.push(customer.id);
      }
      const query = { ...period(), limit: 1000 };
      const { items } = await api('listCustomerStats', { query }, 200);
      const own = items.filter(({ id }) => made.includes(id));
      const [low, high, early, late, middle] = made;

      expect(own.map(({ id, stats }) => [id, stats.gross_revenue, stats.net_revenue])).toEqual([
        [high, 9, 1],
        [middle, 7, 0],
        [late, 6, 6],
        [early, 6, 6],
        [low, 3, 3],
      ]);
    },
  );

  check(
    'CUS-52',
    { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E4', assumes: 'A-104' },
    "revenue of a connected account's customer → in the account's summary and items, not in the platform's",
    async () => {
      const actingFor = (await aFreshAccount()).id;
      const own = await aFreshCustomer();
      const read = async (caller: object) => {
        const query = { ...period(), limit: 1000 };
        return (await call('listCustomerStats', { query, ...caller }, [200])).body;
      };
      const before = await read({});
      const body = { name: 'Contract end user', metadata: runMark() };
      const made = await useUp('customer', () =>
        call('createCustomer', { body, actingFor }, [201]),
      );
      const path = { customerId: made.body.id };
      await call('chargeWallet', { path, body: charge({ amount: 8 }), actingFor }, [201]);
      const beside = await read({});
      const connected = await read({ actingFor });
      await charged(own, { amount: 2 });

      expect([beside.summary, beside.total_count]).toEqual([before.summary, before.total_count]);
      expect(connected).toMatchObject({ total_count: 1, summary: { gross_revenue: 8 } });
      expect(connected.items.map(({ id }: OwnObject) => id)).toEqual([path.customerId]);
      expect((await read({ actingFor })).summary).toEqual(connected.summary);
      const rise = amount((await read({})).summary, 'gross_revenue').minus(
        amount(before.summary, 'gross_revenue'),
      );
      expect(String(rise)).toBe('2');
    },
  );
});
