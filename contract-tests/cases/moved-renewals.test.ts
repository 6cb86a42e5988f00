import {
  aFixedPrice,
  type CheckContext,
  check,
  describe,
  expect,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { moved } from './shared/times.ts';

type Renewals = readonly [next: string, second: string];

/** The renewals of a monthly plan that starts at noon of 1 March. */
const UNMOVED: Renewals = ['2026-04-01T12:00:00.000Z', '2026-05-01T12:00:00.000Z'];

/** Values of each field that an update takes; those of the renewal with the renewals after it. */
const FIELDS: Readonly<Record<string, readonly (readonly [unknown, Renewals?])[]>> = {
  renews_at: [
    ['2026-03-31T23:59:59.999Z', ['2026-03-31T23:59:59.999Z', '2026-04-30T23:59:59.999Z']],
    ['2026-05-10T00:00:00.000Z', ['2026-05-10T00:00:00.000Z', '2026-06-10T00:00:00.000Z']],
    [UNMOVED[0], UNMOVED],
    [null, UNMOVED],
  ],
  return_url: [['https://contract.invalid/again']],
  failure_url: [['https://contract.invalid/failed-again']],
  redirect_to: [['portal'], [null]],
  status: [['active']],
};

interface Update {
  readonly field: string;
  readonly body: object;
  readonly renewals: Renewals | undefined;
}

const UPDATES: readonly Update[] = Object.entries(FIELDS).flatMap(([field, values]) =>
  values.map(([value, renewals]) => ({ field, body: { [field]: value }, renewals })),
);

/** Moves before or after a change to version 2, by the month, or 3, by the year, with the renewals after both. */
const VERSIONS: readonly (readonly [bodies: readonly object[], Renewals])[] = [
  [
    [{ renews_at: '2026-05-10T00:00:00.000Z' }, { version: 2 }],
    ['2026-05-10T00:00:00.000Z', '2026-06-10T00:00:00.000Z'],
  ],
  [
    [{ renews_at: '2026-05-01T12:00:00.000Z' }, { version: 3 }],
    ['2026-05-01T12:00:00.000Z', '2027-05-01T12:00:00.000Z'],
  ],
  [
    [{ version: 3 }, { renews_at: '2026-05-10T00:00:00.000Z' }, { redirect_to: 'portal' }],
    ['2026-05-10T00:00:00.000Z', '2027-05-10T00:00:00.000Z'],
  ],
];

const PAIRS = UPDATES.flatMap((one) =>
  UPDATES.filter(({ field }) => field !== one.field).map((other) => [one, other] as const),
);

/** Publishes the versions that `VERSIONS` names, each for 10 USD. */
async function publishVersions(call: WorldCall, productId: string) {
  for (const interval of ['month', 'year']) {
    const billing_model = { type: 'recurring', recurring: { interval } };
    const body = { prices: [{ ...aFixedPrice(10), billing_model }], publish: true };
    await call('createProductVersion', { path: { productId }, body });
  }
}

/** Updates a subscription to 10 USD a month by each body, and follows it until after its renewal. */
async function expectRenewal(t: CheckContext, bodies: readonly object[], wanted: Renewals) {
  const world = await aCustomerWorld(t);
  const { call, until, subscribe, subscription, revenue } = world;
  const id = await subscribe([aFixedPrice(10)]);
  await until('2026-03-05T06:00:00.000Z');
  const [{ id: productId }] = (await subscription(id)).products;
  const path = { ...world.path, subscriptionId: id };
  for (const body of bodies)
    if ('version' in body) {
      await publishVersions(call, productId);
      await call('updateSubscriptionProduct', { path: { ...path, productId }, body });
    } else await call('updateSubscription', { path, body });
  const seen = async () => {
    const { status, renews_at } = await subscription(id);
    return [status, renews_at, await revenue()];
  };
  const [next, second] = wanted;
  const updates = JSON.stringify(bodies);

  expect(await seen(), updates).toEqual(['active', next, 10]);
  await until(moved(next, -1));
  expect(await seen(), updates).toEqual(['active', next, 10]);
  await until(next);
  expect(await seen(), updates).toEqual(['active', second, 20]);
  await until(moved(second, -1));
  expect(await seen(), updates).toEqual(['active', second, 20]);
  await until(second);
  expect(await revenue(), updates).toBe(30);
}

describe('renewals after an update', () => {
  check(
    'SUB-69',
    {
      requirement: ['R-SUB-39', 'R-SUB-41'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-605', 'A-606', 'A-607', 'A-610'],
      needs: 'clock.movable',
    },
    'a running monthly subscription after an update by each field, by two in one body, by two updates, and by another version after or before a move → shows the renewal asked for, else the one it had; nothing is collected before, the fee exactly then and a month later, or a year later if the version is yearly',
    async (t) => {
      for (const { body, renewals = UNMOVED } of UPDATES) await expectRenewal(t, [body], renewals);
      for (const [bodies, wanted] of VERSIONS) await expectRenewal(t, bodies, wanted);
      for (const [one, other] of PAIRS) {
        const wanted = one.renewals ?? other.renewals ?? UNMOVED;
        await expectRenewal(t, [one.body, other.body], wanted);
        if (one.field < other.field)
          await expectRenewal(t, [{ ...one.body, ...other.body }], wanted);
      }
    },
  );
});
