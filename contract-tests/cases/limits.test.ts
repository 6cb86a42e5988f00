import {
  aCustomer,
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  aVendor,
  call,
  check,
  describe,
  type OperationId,
  refused,
  unique,
  uniqueAssetCode,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { long, TINY } from './shared/limits.ts';
import { request } from './shared/top-ups.ts';
import { charge } from './shared/wallets.ts';

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** The name of a field, a value at its limit, and a value beyond the limit. */
type Limit = readonly [field: string, within: unknown, beyond: unknown];

const NAME: readonly Limit[] = [
  ['name', 'x', ''],
  ['name', long(256), long(257)],
];
const EXTERNAL_ID: readonly Limit[] = [
  ['external_id', 256, 257],
  ['external_id', 256, ''],
];
const METADATA: readonly Limit[] = [
  ['metadata', keys(50), keys(51)],
  ['metadata', { [long(64)]: 'v' }, { [long(65)]: 'v' }],
  ['metadata', { k: long(512) }, { k: long(513) }],
  ['metadata', { k: '' }, { '': 'v' }],
];
/** Parts that make 0, whichever of them is at its limit. */
const COMPUTED = {
  amount: 0,
  input_units: 1,
  unit_price: 0,
  input_volume: 0,
  volume_rate: 1,
  package_size: 1,
};
const PARTS = ['unit_price', 'input_volume', 'volume_rate', 'package_size'];
const payer = (provider: string, provider_id: string) => ({ provider, provider_id });
const mailOf = (length: number) => `m@${'a.'.repeat(100)}${'b'.repeat(length - 206)}.com`;
const DESCRIPTION: Limit = ['description', long(1024), long(1025)];

interface Limited {
  readonly operation: OperationId;
  readonly status: number;
  readonly parts: (changes: object) => Promise<{ path?: Record<string, string>; body: object }>;
  readonly limits: readonly Limit[];
}

const named =
  (more: () => object = () => ({})) =>
  async (changes: object) => ({ body: { name: 'Contract limits', ...more(), ...changes } });

const below = (body: () => object) => async (changes: object) => ({
  path: { customerId: (await aCustomer()).id },
  body: { ...body(), ...changes },
});

async function bought(changes: object): Promise<{ body: object }> {
  return { body: request(await aCustomer(), changes) };
}

async function renewed(changes: object) {
  return { path: { customerId: (await aFreshCustomer()).id }, body: changes };
}

async function events(changes: object): Promise<{ body: object }> {
  const { id } = await aCustomer();
  return { body: { customer_id: id, events: [usageEvent('contract.limits', changes)] } };
}

const priced = (field: string) => async (changes: object) => ({
  path: { assetCode: (await aFreshAsset({ rates: [{ source: 'USD', rate: 1 }] })).code },
  body: { source: 'USD', [field]: 1, ...changes },
});

async function costs(changes: object): Promise<{ body: object }> {
  const { id: vendor_id } = await aVendor();
  return events({ costs: [{ id: uuid(), vendor_id, amount: 1, ...changes }] });
}

const LIMITED: readonly Limited[] = [
  {
    operation: 'createConnectedAccount',
    status: 201,
    parts: named(),
    limits: [...NAME, ...EXTERNAL_ID, ...METADATA],
  },
  {
    operation: 'createCustomer',
    status: 201,
    parts: named(),
    limits: [
      ...NAME,
      ...EXTERNAL_ID,
      ...METADATA,
      ['email', mailOf(254), mailOf(255)],
      ['external_accounts', [payer('p'.repeat(64), 'x')], [payer('p'.repeat(65), 'x')]],
      ['external_accounts', [payer('q', 'x')], [payer('p', '')]],
    ],
  },
  { operation: 'createVendor', status: 201, parts: named(), limits: [...NAME, ...EXTERNAL_ID] },
  {
    operation: 'createAsset',
    status: 201,
    parts: named(() => ({ code: uniqueAssetCode() })),
    limits: [
      ...NAME,
      ['precision', 0, -1],
      ['precision', 10, 11],
      ['rates', [{ source: 'USD', rate: TINY }], [{ source: 'USD', rate: 0 }]],
      ['rates', [{ source: 'USD', inverse_rate: 4 }], [{ source: 'USD', inverse_rate: 0 }]],
    ],
  },
  {
    operation: 'adjustWallet',
    status: 201,
    parts: below(adjustment),
    limits: [DESCRIPTION, ...METADATA, ['amount', TINY, TINY / 10]],
  },
  {
    operation: 'chargeWallet',
    status: 201,
    parts: below(charge),
    limits: [DESCRIPTION, ...METADATA, ['amount', 0, -0.01], ['subject', long(256), long(257)]],
  },
  {
    operation: 'createTopUp',
    status: 201,
    parts: bought,
    limits: [DESCRIPTION, ...METADATA],
  },
  {
    operation: 'updateCustomer',
    status: 204,
    parts: renewed,
    limits: [...NAME, ...EXTERNAL_ID, ...METADATA, ['email', mailOf(254), mailOf(255)]],
  },
  {
    operation: 'submitEvents',
    status: 204,
    parts: events,
    limits: [
      DESCRIPTION,
      ['subject', long(256), long(257)],
      ['subject', 'x', ''],
      ['event_type', 'x', ''],
    ],
  },
  {
    operation: 'submitEvents',
    status: 204,
    parts: costs,
    limits: [
      DESCRIPTION,
      ['amount', 0, -0.01],
      ['metadata', keys(50), keys(51)],
      ...PARTS.map((name): Limit => [name, TINY, TINY / 10]),
      ['units', TINY, TINY / 10],
    ],
  },
  {
    operation: 'chargeWallet',
    status: 201,
    parts: below(() => charge(COMPUTED)),
    limits: [
      ...['input_units', 'unit_price', 'input_volume', 'volume_rate'].map(
        (name): Limit => [name, 0, -1],
      ),
      ['package_size', 0.5, 0],
    ],
  },
  { operation: 'quoteAsset', status: 200, parts: priced('amount'), limits: [['amount', TINY, 0]] },
  { operation: 'setAssetRate', status: 204, parts: priced('rate'), limits: [['rate', TINY, 0]] },
];

describe('limits of texts and numbers', () => {
  check(
    'X-44',
    { requirement: ['R-AST-05', 'R-CONV-23'], level: 'ASSUMED', effect: 'E4', assumes: 'A-306' },
    'names, external ids, metadata, descriptions, subjects, precisions, rates, amounts and their parts at each limit → accepted; one beyond → rejected',
    async () => {
      for (const { operation, status, parts, limits } of LIMITED)
        for (const [field, within, beyond] of limits) {
          // An external_id must also be unique, so its limit is given as a length.
          const fill = (value: unknown) =>
            typeof value === 'number' && field === 'external_id'
              ? unique().padEnd(value, 'x')
              : value;
          const sent = await parts({ [field]: fill(within) });
          await useUp('limit', () => call(operation, sent, [status]));
          await refused(operation, await parts({ [field]: fill(beyond) }));
        }
    },
  );
});
