import { ADDRESSES } from '../../kit/addresses.ts';
import type { LooseParts, OperationId } from '../../kit/operations.ts';
import { instant } from '../calls.ts';
import { DAY, LONG_CODE } from '../history.ts';
import type { Subscription } from '../subscription.ts';
import { defaultForSale, type Shelf, shelfOf } from '../world.ts';
import type { Stage } from './aspect.ts';

const NEW_ID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

type Refusal = readonly [
  OperationId,
  Pick<LooseParts, 'path' | 'body'>,
  status?: number | undefined,
];

/** Requests to one operation, each with one change to a body that is right. */
const each = (
  operation: OperationId,
  path: NonNullable<LooseParts['path']>,
  right: object,
  changes: readonly object[],
  status?: number,
): Refusal[] =>
  changes.map((change) => [operation, { path, body: { ...right, ...change } }, status]);

/** Requests that the service must reject in any state. Each has one error and would otherwise have an effect. */
export const refusals = (stage: Stage): Refusal[] =>
  [ofEvents, ofWallets, ofTopUps, ofPlans, ofThings].flatMap((of) => of(stage));

/** Batches with a valid first event and an invalid second one. */
function ofEvents({ ids, world }: Stage): Refusal[] {
  const [customer_id] = ids.customers;
  const good = { event_type: 'e', occurred_at: instant(world.now), data: { v: 1, m: 'a' } };
  const cost = { id: NEW_ID.replace('8fff', '9fff'), amount: 1, vendor_id: ids.vendors[0] };
  const foreign = world.usage.find(({ customer }) => customer === 1);
  const second: object[] = [
    { occurred_at: instant(world.now - 34 * DAY - 1) },
    { occurred_at: instant(world.now + 300_001) },
    { costs: [{ ...cost, vendor_id: 'vnd_unknown' }] },
    { costs: [{ ...cost, amount: -1 }] },
    { costs: [cost, cost] },
    { costs: [{ ...cost, vendor_external_id: 'V' }] },
    ...(foreign ? [{ id: ids.events[foreign.index] }] : []),
  ];
  const [one, other] = [
    { ...good, id: NEW_ID },
    { ...good, id: NEW_ID.replace('ffff', 'eeee') },
  ];
  const batches = second.map((wrong) => ({ events: [one, { ...other, ...wrong }] }));
  return each('submitEvents', {}, { customer_id }, batches);
}

function ofWallets({ ids, world }: Stage): Refusal[] {
  const path = { customerId: ids.customers[0] as string };
  const right = { transaction_id: NEW_ID, asset: 'CR', amount: 1 };
  return [
    ...each('adjustWallet', path, { ...right, reason: 'external_topup' }, [
      { amount: 0 },
      { amount: 0.5 },
      { asset: 'NONE' },
      { expires_at: instant(world.now) },
      { effective_at: instant(world.now + 2 * DAY), expires_at: instant(world.now + DAY) },
      { amount: -1, expires_at: instant(world.now + DAY) },
      { amount: -1, effective_at: instant(world.now + DAY) },
    ]),
    ...each('chargeWallet', path, right, [
      { amount: -1 },
      { amount: 0.5 },
      { amount: 3, unit_price: 1, input_units: 2 },
      { asset: 'NONE' },
    ]),
  ];
}

function ofTopUps({ ids }: Stage): Refusal[] {
  const right = { customer_id: ids.customers[0], amount: 1, currency: 'USD', ...ADDRESSES };
  const destinations = [{ exchange_rate: 2 }, { asset: 'NONE' }, { asset: 'CR', exchange_rate: 9 }];
  return each('createTopUp', {}, right, [
    ...[{ amount: 0 }, { currency: 'CR' }],
    ...Object.keys(right).map((name) => ({ [name]: undefined })),
    ...destinations.map((destination) => ({ destination })),
  ]);
}

function ofPlans(stage: Stage): Refusal[] {
  const { ids, world } = stage;
  const path = { customerId: ids.customers[0] as string };
  const [product] = ids.products;
  const unknown = { products: [{ id: product, version: 99 }], ...ADDRESSES };
  const past = { starts_at: instant(world.now - 2 * DAY), renews_at: instant(world.now - DAY) };
  const wrong = [
    unknown,
    { products: [{ id: product, code: 'p1' }], ...ADDRESSES },
    { products: [{ id: product }, { code: 'p0' }], ...ADDRESSES },
    { products: [{ id: product }], renews_at: instant(world.now + DAY) },
    { products: [{ id: product }], renews_at: instant(world.now), ...ADDRESSES },
    { products: [{ id: product }], ...past, ...ADDRESSES },
  ];
  const unavailable = world.shelves.flatMap(({ archived, drafts }, index) => {
    const standard = defaultForSale(world, index) === undefined ? [null, 'default'] : [];
    return [...archived, ...drafts, ...standard].map((version) => ({
      products: [{ id: ids.products[index], version }],
      ...ADDRESSES,
    }));
  });
  return [
    ...each('createSubscription', path, {}, [...wrong, ...unavailable]),
    ['createCustomer', { body: { name: 'Refused', subscriptions: [unknown] } }],
    ...world.subscriptions.flatMap((subscription) => ofSubscription(stage, subscription)),
  ];
}

function ofSubscription({ ids, world }: Stage, { index, customer, product, status }: Subscription) {
  const subscriptionId = ids.subscriptions[index] as string;
  const path = { customerId: ids.customers[customer] as string, subscriptionId };
  const placed = { ...path, productId: ids.products[product] as string };
  const versions = [99, ...shelfOf(world, product).drafts].map((version) => ({ version }));
  const isWaiting = status === 'action_required' || status === 'scheduled';
  return [
    ...each('updateSubscriptionProduct', placed, {}, versions),
    ...each('updateSubscription', path, {}, isWaiting ? [{ status: 'active' }] : []),
  ];
}

function ofThings({ ids, world }: Stage): Refusal[] {
  const [productId] = ids.products as [string];
  const [first] = world.history.products[0] ?? [];
  const taken = world.customers[1]?.external_id ?? null;
  const rate = { source: 'USD', rate: 9 };
  const [from, to] = [instant(world.now), instant(world.now - DAY)];
  return [
    ...(taken === null ? [] : namesTaken(taken, ids)),
    ['createVendor', { body: { name: 'Refused', external_id: 'v' } }],
    ['createAsset', { body: { code: 'CR', name: 'Refused' } }],
    ['createProduct', { body: { ...first, name: 'Refused', code: 'p0', publish: true } }],
    [
      'createProductVersion',
      { path: { productId }, body: { publish: true, prices: [], entitlements: [] } },
    ],
    ['updateProductVersion', { path: { productId, version: 1 }, body: { name: 'Refused' } }, 409],
    ...world.shelves.flatMap((shelf, index) => ofVersions(ids.products[index] as string, shelf)),
    ...UNKNOWN_CODES.map((assetCode) => ['getAsset', { path: { assetCode } }, 404] as const),
    [
      'setAssetRate',
      { path: { assetCode: 'CR' }, body: { ...rate, valid_from: from, valid_to: to } },
    ],
    ['setAssetRate', { path: { assetCode: 'USD' }, body: rate }],
    ['setAssetRate', { path: { assetCode: 'CR' }, body: { ...rate, source: LONG_CODE } }],
  ];
}

/** Codes similar to existing ones, and the unknown code that other rejected requests use. */
const UNKNOWN_CODES = ['NONE', 'CR0', 'C', 'cr', LONG_CODE.slice(1), `${LONG_CODE.slice(1)}2`];

/** Updates of archived versions, and invalid updates of drafts. */
function ofVersions(productId: string, { archived, drafts }: Shelf): Refusal[] {
  const [asset, amount] = ['NONE', 1];
  const unknown = [{ name: 'Refused', asset, amount, purpose: 'bundled' }];
  const update = (version: number, bodies: readonly object[], status: number) =>
    each('updateProductVersion', { productId, version }, {}, bodies, status);
  const wrong = [{ publish: true }, { entitlements: [] }, { make_default: true }];
  const wrongOfDraft = [{ make_default: true }, { entitlements: unknown, publish: true }];
  return [
    ...[...archived].flatMap((version) => update(version, wrong, 409)),
    ...[...drafts].flatMap((version) => update(version, wrongOfDraft, 422)),
  ];
}

const namesTaken = (external_id: string, { customers }: Stage['ids']): Refusal[] => {
  const body = { name: 'Refused', external_id };
  return [
    ['updateCustomer', { path: { customerId: customers[0] as string }, body }],
    ['createCustomer', { body }],
  ];
};
