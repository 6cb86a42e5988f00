import { check, describe, expect, ODD_ADDRESSES } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { pageAt } from './shared/top-ups.ts';

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
});

describe('automatic top-ups of 10 below 5', () => {});
