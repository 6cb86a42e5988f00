import { api, aUnitPrice, type CheckContext, expect, lexeme, unique } from '../../kit/index.ts';
import { type Fields, type Kind, pick } from './fields.ts';
import { countOf } from './kinds.ts';
import { ENTITLEMENT, type Version, versionOf } from './products.ts';

/** A draft whose fields are in its body, shown by `read` in its first version. It is deleted after the check. */
const draftBy = (
  t: CheckContext,
  contentOf: (fields: Fields) => object,
  read: (version: Version) => Fields,
): Pick<Kind, 'operation' | 'request' | 'shown' | 'state'> => ({
  operation: 'createProduct',
  state: countOf('listProducts'),
  request: async (fields) => ({
    body: {
      ...{
        name: 'Contract fields',
        code: unique('fields'),
        prices: [aUnitPrice('contract.fields')],
      },
      ...contentOf(fields),
    },
  }),
  async shown({ id }) {
    t.afterwards(() => api('deleteProduct', { path: { productId: id } }, 204));
    return [read(await versionOf({ id }, 1))];
  },
});

export const product = (t: CheckContext): Kind => ({
  ...draftBy(
    t,
    (fields) => fields,
    (version) => pick(version, ['name', 'code']),
  ),
  required: ['name', 'code', 'prices'],
});

/** A price of a product, with a price per event unless the fields say otherwise. */
export const priceIn = (t: CheckContext, whole: object): Kind => ({
  ...draftBy(
    t,
    (fields) => ({ prices: [{ ...whole, ...fields }] }),
    ({ prices: [price] }) => pick(price, ['name', 'billing_model', 'usage_calculation', 'pricing']),
  ),
  at: 'prices[0]',
  required: ['name', 'type', 'billing_model', 'usage_calculation', 'pricing'],
});

const NUMBERS = ['unit_price', 'volume_rate', 'package_size', 'quantity'];
const BOUNDS = ['up_to', 'min_amount', 'max_amount'];

/** A value of a price, which has the fields that the model of its price requires. */
export const valueIn = (t: CheckContext, priceWith: (value: object) => object): Kind => ({
  ...draftBy(
    t,
    (fields) => ({ prices: [priceWith(fields)] }),
    ({ prices: [price] }) => {
      const value = price?.pricing[0]?.values[0];
      for (const name of [...NUMBERS, ...BOUNDS])
        expect(lexeme(value as object, name as never), `notation of ${name}`).not.toMatch(/e/i);
      return pick(value, ['name', ...NUMBERS, ...BOUNDS]);
    },
  ),
  at: 'prices[0].pricing[0].values[0]',
});

/** An entitlement of a product. */
export const entitlement = (t: CheckContext): Kind => ({
  ...draftBy(
    t,
    (fields) => ({ entitlements: [{ ...ENTITLEMENT, ...fields }] }),
    ({ entitlements: [one] }) => {
      for (const [part, name] of [
        [one, 'amount'],
        [one?.accounting, 'revenue_basis'],
        [one?.accounting, 'cost_basis'],
      ])
        expect(lexeme(part as object, name as never), `notation of ${name}`).not.toMatch(/e/i);
      return pick(one, ['name', 'amount', 'purpose', 'priority', 'lifecycle', 'accounting']);
    },
  ),
  at: 'entitlements[0]',
  required: Object.keys(ENTITLEMENT),
  presets: { accounting: { revenue_basis: 0, cost_basis: 'auto' } },
});
