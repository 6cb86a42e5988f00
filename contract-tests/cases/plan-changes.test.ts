import { aUnitPrice, describe, expect, table } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';

const MONTHLY = {
  ...ENTITLEMENT,
  lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
};

interface Resumed {
  /** The entitlements of versions 1 and 2. */
  readonly versions: readonly [readonly object[], readonly object[]];
  /** Changes to a version, and moments to wait for. */
  readonly steps: readonly (1 | 2 | string)[];
  /** The credit right after the resumption, and at later moments. */
  readonly credit: number;
  readonly later: Readonly<Record<string, number>>;
}

describe('stopping and resuming right after a change of version', () => {
  table<Resumed>(
    'SUB-87',
    {
      requirement: ['R-SUB-40', 'R-SUB-50'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-511', 'A-607', 'A-610'],
      needs: 'clock.movable',
    },
    'a subscription stopped and resumed right after a change of version → no credit; the next is given on its refresh day',
    {
      // 5 of March ended on 1 April; back in April, the credit waits for 1 May.
      'to a version with credit that another one lacked for a time': {
        versions: [[MONTHLY], []],
        steps: [2, '2026-04-10T12:00:00.000Z', 1],
        credit: 0,
        later: { '2026-05-01T12:00:00.000Z': 5, '2026-06-01T12:00:00.000Z': 5 },
      },
      // The months wait for the end of the 5 that last for years.
      'to a version whose lasting credit is monthly': {
        versions: [[ENTITLEMENT], [MONTHLY]],
        steps: [2],
        credit: 5,
        later: { '2026-04-01T12:00:00.000Z': 5, '2026-05-01T12:00:00.000Z': 5 },
      },
    },
    async ({ versions: [first, entitlements], steps, credit, later }, t) => {
      const world = await aCustomerWorld(t);
      const { call, until, available } = world;
      const subscriptionId = await world.subscribe([aUnitPrice('call')], first);
      const [{ id: productId }] = (await world.subscription(subscriptionId)).products;
      const body = { prices: [aUnitPrice('call')], entitlements, publish: true };
      await call('createProductVersion', { path: { productId }, body });
      const path = { ...world.path, subscriptionId };
      for (const step of steps)
        if (typeof step === 'string') await until(step);
        else
          await call('updateSubscriptionProduct', {
            path: { ...path, productId },
            body: { version: step },
          });
      for (const status of ['inactive', 'active'])
        await call('updateSubscription', { path, body: { status } });

      expect(await available()).toBe(credit);
      for (const [moment, wanted] of Object.entries(later)) {
        await until(moment);
        expect(await available(), moment).toBe(wanted);
      }
    },
  );
});
