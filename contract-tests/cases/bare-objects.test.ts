import {
  aFreshAsset,
  anAdjustment,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  NotObservable,
  type OperationId,
  unique,
  uniqueAssetCode,
  usageEvent,
  useUp,
} from '../kit/index.ts';
import { aPayer, aPayerOf, price, stored, submit } from './shared/events.ts';
import { type AnyPage, keyOf, pageOf } from './shared/lists.ts';
import { balance, charge } from './shared/wallets.ts';

/** The operations that create, get and list each kind of object. */
const KINDS = [
  ['createConnectedAccount', 'getConnectedAccount', 'accountId', 'listConnectedAccounts'],
  ['createCustomer', 'getCustomer', 'customerId', 'listCustomers'],
  ['createVendor', 'getVendor', 'vendorId', 'listVendors'],
  ['createAsset', 'getAsset', 'assetCode', 'listAssets'],
] as const satisfies readonly (readonly [OperationId, OperationId, string, OperationId])[];

type Kind = (typeof KINDS)[number];

async function made([create]: Kind, isWhole: boolean): Promise<string> {
  const name = 'Contract bare';
  const bare = create === 'createAsset' ? { name, code: uniqueAssetCode() } : { name };
  const more = create === 'createAsset' ? { precision: 2 } : { external_id: unique('whole') };
  const body = { ...bare, ...(isWhole && more) };
  const { body: answer } = await useUp('name', () => call(create, { body }, [201]));
  return answer.id ?? bare.code;
}

/** The first and the last 1,000 items of a list. New objects are at one of its ends. */
async function endsOf(list: OperationId): Promise<AnyPage['items']> {
  const { items, total_count: total } = await pageOf({ list }, { limit: 1000 });
  if (total <= 1000) return items;
  const last = await pageOf({ list }, { limit: 1000, offset: Math.max(1000, total - 1000) });
  return [...items, ...last.items];
}

describe('objects with only the required fields', () => {
  check(
    'X-52',
    { requirement: ['R-ACC-08', 'R-CUS-21', 'R-VND-03'], level: 'IMPLIED', effect: 'E3' },
    'an account, a customer, a vendor and an asset with required fields alone, between two with more → the same in the list as by id',
    async () => {
      for (const kind of KINDS) {
        const keys = [await made(kind, true), await made(kind, false), await made(kind, true)];
        const [, get, parameter, list] = kind;
        const listed = await endsOf(list);

        for (const key of keys) {
          const { body } = await call(get, { path: { [parameter]: key } }, [200]);
          const shown = listed.filter((item) => keyOf(item) === key);
          expect(shown).toHaveLength(1);
          expect(body).toMatchObject(shown[0] ?? {});
        }
      }
    },
  );
});

describe('wallet accounts with a negative balance', () => {
  check(
    'WAL-54',
    { requirement: ['R-WAL-03', 'R-WAL-06'], level: 'IMPLIED', effect: 'E4' },
    'a charge, then usage, beyond the balance, where the target accepts that → the same negative balance in the wallet and in the account; later credit reduces it',
    async () => {
      const { customer, eventType } = await aPayerOf('unit', [{ unit_price: 0.75 }]);
      await anAdjustment(customer, { amount: 1 });
      const path = { customerId: customer.id };
      const account = { ...path, accountId: 'default:USD' };
      const shown = async () => {
        const { available } = await api('getWalletAccount', { path: account }, 200);
        return [String(await balance(customer)), available];
      };
      const { status } = await call(
        'chargeWallet',
        { path, body: charge({ amount: 3.5 }) },
        [201, 422],
      );
      if (status === 422) throw new NotObservable('a charge beyond the balance is refused');

      expect(await shown()).toEqual(['-2.5', -2.5]);
      await aUsageEvent(customer, eventType);
      expect(await shown()).toEqual(['-3.25', -3.25]);
      await anAdjustment(customer, { amount: 3 });
      expect(await shown()).toEqual(['-0.25', -0.25]);
      await anAdjustment(customer, { amount: 1 });
      expect(await shown()).toEqual(['0.75', 0.75]);
    },
  );
});

/** Fields that only a fee or only a simulated fee has. */
const OWN = ['id', 'product_id', 'product_code', 'product_version', 'usage_id', 'event_type'];

/** The fields that real and simulated fees share, without null values. */
const said = (fee: object): object =>
  Object.fromEntries(
    Object.entries(fee).filter(([name, value]) => value !== null && !OWN.includes(name)),
  );

describe('simulateUsage', () => {
  check(
    'PRD-45',
    { requirement: 'R-PRD-57', level: 'ASSUMED', effect: 'E3', assumes: 'A-512' },
    'simulated fees of prices by unit and by volume, with one dimension, with two and with `*` → every field equals that of the real fees of the same events',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const { customer, product, eventType } = await aPayer((type) => [
        price(
          type,
          'volume',
          [
            { dimensions: { region: 'eu', tier: '*' }, volume_rate: 0.5, package_size: 10 },
            { name: 'Gold', dimensions: { region: 'eu', tier: 'gold' }, volume_rate: 0.25 },
          ],
          { billable_dimensions: ['region', 'tier'] },
        ),
        { ...price(type, 'unit', []), pricing: [{ asset: code, values: [{ unit_price: 2 }] }] },
      ]);
      const data = [
        { region: 'eu', tier: 'gold', tokens: 4 },
        { region: 'eu', tokens: 30 },
      ];
      const events = data.map((each) => usageEvent(eventType, { data: each }));
      const path = { productId: product.id, version: 'default' };
      const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
      await submit(customer, ...events);
      const real = await Promise.all(events.map(({ id }) => stored(id)));

      expect(fees.map(said)).toEqual(real.flatMap((event) => event.fees.map(said)));
      // 4 × 0.25; 2; 30 ÷ 10 × 0.5; 2.
      expect(fees.map(({ amount }) => amount)).toEqual([1, 2, 1.5, 2]);
      expect(fees[0]?.dimensions).toEqual({ region: 'eu', tier: 'gold' });
    },
  );
});
