import {
  call,
  check,
  describe,
  expect,
  type OperationId,
  unique,
  uniqueAssetCode,
  useUp,
} from '../kit/index.ts';
import { type AnyPage, keyOf, pageOf } from './shared/lists.ts';

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
