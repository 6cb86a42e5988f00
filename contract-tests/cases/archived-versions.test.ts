import { ADDRESSES, aFixedPrice, aUnitPrice, check, describe, expect } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

const MONTHLY = {
  ...{ name: 'Included', asset: 'EUR', amount: 5, purpose: 'bundled' },
  lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
};

const START = '2026-03-05T00:00:00.000Z';

describe('versions archived before their subscriptions start', () => {
  check(
    'SUB-71',
    {
      requirement: 'R-PRD-61',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-502', 'A-603'],
      needs: 'clock.movable',
    },
    'a version archived, its product deleted or given another default, while a free subscription waits for its start, one for its payment, one is paid before its start, and one is active → each becomes active at its time, is billed by that version, gets its credit each month and renews at its fee; nobody new can subscribe to that version, whatever the start, and nobody can resume it',
    async (t) => {
      for (const isDeleted of [false, true]) {
        const world = await aCustomerWorld(t);
        const { call, path, until } = world;
        const usage = aUnitPrice('call', 2);
        const plan = async (code: string, prices: object[]) => {
          const body = { name: 'Plan', code, prices, entitlements: [MONTHLY], publish: true };
          return (await call('createProduct', { body })).id as string;
        };
        const [free, paid] = [await plan('free', [usage]), await plan('paid', [aFixedPrice(10)])];
        const subscribe = async (id: string, more: object = {}) =>
          (
            await call('createSubscription', {
              path,
              body: { products: [{ id }], ...ADDRESSES, ...more },
            })
          ).id as string;
        const pay = (id: string) =>
          call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
        const ahead = { starts_at: START };
        const scheduled = await subscribe(free, ahead);
        const unpaid = await subscribe(paid);
        const early = await subscribe(paid, ahead);
        await pay(early);
        const running = await subscribe(free);

        for (const productId of [free, paid]) {
          await call('archiveProductVersion', { path: { productId, version: '1' } });
          if (isDeleted) await call('deleteProduct', { path: { productId } });
          for (const version of [1, 'default', undefined])
            for (const more of [{}, ahead]) {
              const body = { products: [{ id: productId, version }], ...ADDRESSES, ...more };
              await call('createSubscription', { path, body }, [422]);
              await call('createCustomer', { body: { name: 'B', subscriptions: [body] } }, [422]);
            }
          const of = { path: { ...path, subscriptionId: running, productId: free } };
          for (const version of [1, 'default'])
            await call('updateSubscriptionProduct', { ...of, body: { version } }, [422]);
        }
        // Another default must not replace the version of a subscription that has not started.
        if (!isDeleted)
          for (const [productId, price] of [
            [free, aUnitPrice('call', 9)],
            [paid, aFixedPrice(90)],
          ] as const) {
            const next = { prices: [price], entitlements: [], publish: true };
            await call('createProductVersion', { path: { productId }, body: next });
          }
        const states = async () => {
          const found = [];
          for (const id of [scheduled, unpaid, early, running])
            found.push((await world.subscription(id)).status);
          return found;
        };
        const eur = async () => {
          const { available } = await call('getWalletAccount', {
            path: { ...path, accountId: 'default:EUR' },
          });
          return [available, await world.revenue()];
        };

        expect(await states()).toEqual(['scheduled', 'action_required', 'active', 'active']);
        expect(await eur()).toEqual([5, 10]);
        await pay(unpaid);
        expect(await states()).toEqual(['scheduled', 'active', 'active', 'active']);
        expect(await eur()).toEqual([10, 20]);
        await until(START);
        expect(await states()).toEqual(['active', 'active', 'active', 'active']);
        expect(await world.subscription(scheduled)).toMatchObject({ started_at: START });
        expect(await eur()).toEqual([20, 20]);
        // The version bills once for both of its free subscriptions, also when only the late one is left.
        await world.use();
        expect(await eur()).toEqual([20, 22]);
        const of = { ...path, subscriptionId: running };
        await call('updateSubscription', { path: of, body: { status: 'inactive' } });
        await call('updateSubscription', { path: of, body: { status: 'active' } }, [422]);
        await world.use();
        expect(await eur()).toEqual([20, 24]);
        // Credit of all but the ended one is replaced, and both fees are collected again.
        await until('2026-04-05T00:00:00.000Z');
        expect(await eur()).toEqual([15, 44]);
        expect((await world.subscription(early)).renews_at).toBe('2026-05-05T00:00:00.000Z');
        expect((await call('listWebhookEvents', {})).items).toHaveLength(4);
      }
    },
  );
});
