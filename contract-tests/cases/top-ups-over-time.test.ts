import { ADDRESSES, aUnitPrice, check, describe, expect, ODD_ADDRESSES } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { pageAt } from './shared/top-ups.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

describe('top-ups as time passes', () => {
  check(
    'TOP-32',
    {
      requirement: ['R-LIM-15', 'R-TOP-18'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-1101', 'A-1103'],
      needs: 'clock.movable',
    },
    'top-ups not paid, declined and pending → initiated, failed and pending until 24 hours have passed; then expired, failed, and succeeded with the credit, and each link leads to the URL that was sent',
    async (t) => {
      const { call, path, until } = await aCustomerWorld(t);
      const body = { customer_id: path.customerId, amount: 20, currency: 'USD' };
      const [ids, links]: [string[], string[]] = [[], []];
      for (const [index, outcome] of [undefined, 'failed', 'processing'].entries()) {
        const bought = { ...body, ...ODD_ADDRESSES[index] };
        const { id, expires_at, redirect_url } = await call('createTopUp', { body: bought });
        expect(expires_at).toBe('2026-03-02T12:00:00.000Z');
        ids.push(id);
        links.push(redirect_url);
        if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
      }
      const statuses = async () => {
        const found = [];
        for (const topUpId of ids)
          found.push((await call('getTopUp', { path: { topUpId } })).status);
        return found;
      };
      const available = async () =>
        (await call('getWallet', { path })).accounts.map((account: { available: number }) => [
          account.available,
        ]);

      expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
      await until('2026-03-02T11:59:59.999Z');
      expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
      await until('2026-03-02T12:00:00.000Z');
      expect(await statuses()).toEqual(['expired', 'failed', 'succeeded']);
      expect((await Promise.all(links.map(pageAt))).map(({ location }) => location)).toEqual([
        ODD_ADDRESSES[0].failure_url,
        ODD_ADDRESSES[1].failure_url,
        ODD_ADDRESSES[2].return_url,
      ]);
      expect(await available()).toEqual([[20]]);
    },
  );

  check(
    'TOP-36',
    {
      requirement: ['R-TOP-15', 'R-WAL-53'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-710', 'A-1102'],
      needs: 'clock.movable',
    },
    "top-up into an asset, pending while the asset's rate changes → pending_in, then the balance, is what the first rate bought, in that asset and in no other account",
    async (t) => {
      const { call, path, until } = await aCustomerWorld(t);
      const rate = (rate: number) => ({ source: 'USD', rate });
      const coins = { code: 'COINS', name: 'Coins', precision: 2, rates: [rate(0.25)] };
      await call('createAsset', { body: coins });
      const destination = { asset: 'COINS' };
      const bought = { customer_id: path.customerId, amount: 12, currency: 'USD', destination };
      const { id } = await call('createTopUp', { body: { ...bought, ...ADDRESSES } });
      const set = (to: number) =>
        call('setAssetRate', { path: { assetCode: 'COINS' }, body: rate(to) });
      const held = async () => {
        const at = { path: { ...path, accountId: 'default:COINS' } };
        const { available, pending_in } = await call('getWalletAccount', at);
        const { accounts } = await call('getWallet', { path });
        return [available, pending_in, accounts.length];
      };

      await set(0.5);
      await call('settlePayment', { path: { id }, body: { outcome: 'processing' } });
      // 12 ÷ 0.25.
      expect(await held()).toEqual([0, 48, 1]);
      await until('2026-03-01T18:00:00.000Z');
      await set(3);
      expect(await held()).toEqual([0, 48, 1]);
      await until('2026-03-02T12:00:00.000Z');
      expect(await held()).toEqual([48, 0, 1]);
    },
  );
});

describe('automatic top-ups of 10 below 5', () => {
  check(
    'TOP-33',
    { requirement: 'R-POR-06', level: 'ASSUMED', assumes: ['A-1106', 'A-1302'], ...OPTIONS },
    'one payment when a fee or an end of credit takes the balance below 5; none at 5, nor when more is left or the credit is refreshed at that instant',
    async (t) => {
      const used = await aCustomerWorld(t);
      await used.subscribe([aUnitPrice('call', 4)]);
      await used.adjust({ amount: 9, reason: 'gift', expires_at: '2026-03-08T00:00:00Z' });
      await used.topUpBelow5();
      await used.use();
      expect(await used.available(), 'at 5').toBe(5);
      await used.use();
      expect(await used.available(), 'below 5').toBe(11);
      // The remaining 1 of the gift expires, which leaves 10. Two events take 8, so 10 more are topped up.
      await used.until('2026-03-08T00:00:00.000Z');
      expect(await used.available(), 'after credit with more left').toBe(10);
      for (const _ of [1, 2]) await used.use();
      expect(await used.available(), 'below 5 again').toBe(12);

      const alone = await aCustomerWorld(t);
      await alone.adjust({ amount: 9, reason: 'gift', expires_at: '2026-03-08T00:00:00Z' });
      await alone.topUpBelow5();
      await alone.until('2026-03-08T00:00:00.000Z');
      expect(await alone.available(), 'after all credit').toBe(10);

      const replaced = await aCustomerWorld(t);
      const lifecycle = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
      await replaced.subscribe([aUnitPrice('call')], [{ ...ENTITLEMENT, lifecycle, amount: 20 }]);
      await replaced.topUpBelow5();
      await replaced.until('2026-04-01T12:00:00.000Z');
      expect(await replaced.available(), 'after refreshed credit').toBe(20);
    },
  );

  check(
    'TOP-35',
    {
      requirement: 'R-POR-06',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1106',
      needs: 'clock.movable',
    },
    'automatic top-up by bank debit → pending for a day, during which a further fall starts no other; its credit ends a year after the money arrived',
    async (t) => {
      const { until, subscribe, adjust, topUpBelow5, use, available, ends } =
        await aCustomerWorld(t);
      await subscribe([aUnitPrice('call', 1)]);
      await adjust({ amount: 6, reason: 'gift', expires_at: '2026-05-01T00:00:00Z' });
      await topUpBelow5('bank_debit');
      await use();
      await use();

      expect(await available()).toBe(4);
      await until('2026-03-01T18:00:00.000Z');
      await use();
      expect(await available()).toBe(3);
      await until('2026-03-02T12:00:00.000Z');
      expect(await available()).toBe(13);
      await until('2026-03-04T12:00:00.000Z');
      expect(await available()).toBe(13);
      expect([...(await ends())].sort()).toEqual([
        '2026-05-01T00:00:00.000Z',
        '2027-03-02T12:00:00.000Z',
      ]);
    },
  );
});
