import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  expect,
  now,
  type OwnObject,
  table,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { price, submit } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { charged, grantsOf } from './shared/wallets.ts';

interface Draw {
  readonly asset: 'USD' | 'custom';
  readonly by: (
    customer: OwnObject,
    amount: number,
    asset: string,
    type: string,
  ) => Promise<unknown>;
}

/** Usage that costs an amount. */
const used = (type: string, amount: number) => usageEvent(type, { data: { tokens: amount * 4 } });

/** The ways to draw credit. */
const DRAWS: Readonly<Record<string, Draw>> = {
  'a charge': {
    asset: 'USD',
    by: (customer, amount, asset) => charged(customer, { asset, amount }),
  },
  'a negative adjustment': {
    asset: 'custom',
    by: (customer, amount, asset) =>
      anAdjustment(customer, { asset, amount: -amount, reason: 'other' }),
  },
  'two usage events': {
    asset: 'custom',
    by: (customer, amount, _, type) =>
      submit(customer, used(type, amount / 2), used(type, amount / 2)),
  },
};

/** Reads what is available of each grant of an account, by what was available when it was first read. */
function grantsByAmount(customer: OwnObject, asset: string) {
  const first = new Map<string, number>();
  return async () => {
    const grants = await grantsOf(customer, `default:${asset}`);
    for (const { id, available } of grants) if (!first.has(id)) first.set(id, available);
    return Object.fromEntries(grants.map((each) => [first.get(each.id), each.available]));
  };
}

table(
  'WAL-67',
  { requirement: 'R-WAL-57', effect: 'E4', assumes: 'A-1508' },
  'credit with the priorities 100, 9 and 10, in that order, and without one, both of which the others outlast, and later with 0 → drawn from the lowest number on, without one last',
  DRAWS,
  async ({ asset: kind, by }) => {
    const rates = [{ source: 'USD', rate: 0.5 }];
    const asset = kind === 'USD' ? 'USD' : (await aFreshAsset({ precision: 2, rates })).code;
    const type = `contract.${unique('use')}`;
    const pricing = [{ asset, values: [{ volume_rate: 0.25 }] }];
    const given = { ...ENTITLEMENT, asset };
    const product = await aFreshProduct({
      prices: [{ ...price(type, 'volume', []), pricing }],
      entitlements: [
        { ...given, name: 'Late', priority: 100, amount: 4, lifecycle: { duration: 'day' } },
        { ...given, name: 'First', priority: 9, amount: 2 },
        { ...given, name: 'Second', priority: 10, amount: 1 },
      ],
    });
    const more = await aFreshProduct({ entitlements: [{ ...given, priority: 0, amount: 16 }] });
    const customer = await aFreshCustomer();
    const gift = { asset, amount: 8, expires_at: now(DAY_MS) };
    await anAdjustment(customer, { ...gift, reason: 'gift' });
    await subscribe(customer, to(product));
    const shown = grantsByAmount(customer, asset);
    const left = async (amount: number) => {
      await by(customer, amount, asset, type);
      return shown();
    };

    // 4 with priority 100, 2 with 9, 1 with 10, 8 without; and 16 with 0 in the end.
    expect(await shown()).toEqual({ 2: 2, 1: 1, 4: 4, 8: 8 });
    expect(await left(0.5)).toEqual({ 2: 1.5, 1: 1, 4: 4, 8: 8 });
    expect(await left(2)).toEqual({ 2: 0, 1: 0.5, 4: 4, 8: 8 });
    expect(await left(1)).toEqual({ 2: 0, 1: 0, 4: 3.5, 8: 8 });
    await subscribe(customer, to(more));
    expect(await shown()).toEqual({ 2: 0, 1: 0, 4: 3.5, 8: 8, 16: 16 });
    expect(await left(15.5)).toEqual({ 2: 0, 1: 0, 4: 3.5, 8: 8, 16: 0.5 });
    expect(await left(5)).toEqual({ 2: 0, 1: 0, 4: 0, 8: 7, 16: 0 });
  },
);
