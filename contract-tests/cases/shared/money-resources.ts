import { aVendor, now, unique, unknownId, usageEvent } from '../../kit/index.ts';
import { each } from './fields.ts';
import { adjustmentOf, batchOf, chargeOf, costBy, eventOf, topUpBy } from './kinds.ts';
import { decimals, NO_PRICES, type Resource, withMetadata } from './resources.ts';
import { HOUR_MS } from './times.ts';
import { long, METADATA, NO_DECIMALS, NO_MAPS, NO_METADATA, TEXTS, TINY, text } from './values.ts';

const MISTYPED = each('metadata', NO_MAPS);
const TEXTS_BEYOND = [...each('description', [long(1025)]), ...each('metadata', NO_METADATA)];

/** A text for each row, the last with as many characters as it may have. */
const described = (text: string, index: number) => (index === 6 ? long(1024) : text);

/** Accounts that a wallet cannot have. */
const NO_ACCOUNTS = [
  ...each('account_name', [
    'Default',
    'a:b',
    '',
    ' ',
    '-a',
    'a b',
    'a.b',
    'é',
    'a\n',
    'a'.repeat(65),
  ]),
  ...each('asset', ['CTNOWHERE', 'usd', '', 'A'.repeat(65)]),
];
const MISMARKED = each('transaction_id', ['not-a-uuid', '12345678-1234-4234-8234-1234567890123']);

export const adjustments: Resource = async (owners) => {
  const expires_at = now(HOUR_MS);
  const rows = withMetadata((each, index) => ({
    ...{ description: described(each, index), account_name: 'contract' },
    ...(index < 4
      ? { amount: decimals[index], expires_at }
      : { amount: -Number(decimals[index - 4]) }),
  }));
  return {
    kind: adjustmentOf(await owners.customer()),
    kept: [...rows, { amount: -TINY }],
    wrong: [
      ...[...MISTYPED, ...MISMARKED, ...each('amount', ['5'])],
      ...each('reason', ['because', 'Gift']),
    ],
    beyond: {
      'A-306': TEXTS_BEYOND,
      'A-702': NO_ACCOUNTS,
      'A-704': each('expires_at', [now(-1_000)]),
      'A-707': ['transaction_id', 'asset', 'amount', 'reason'].flatMap((name) =>
        each(name, [undefined]),
      ),
      'A-303': each('amount', [...NO_DECIMALS.slice(0, 4), -1e15]),
    },
  };
};

export const charges: Resource = async (owners) => ({
  kind: chargeOf(await owners.customer()),
  kept: withMetadata((each, index) => ({
    ...{ description: described(each, index), account_name: 'contract' },
    ...{ amount: decimals[index] ?? 0, subject: long(256) },
  })),
  wrong: [...MISTYPED, ...each('amount', ['5']), ...MISMARKED],
  beyond: {
    'A-702': NO_ACCOUNTS,
    'A-708': ['transaction_id', 'asset', 'amount'].flatMap((name) => each(name, [undefined])),
    'A-306': [...TEXTS_BEYOND, ...each('subject', [long(257)])],
    'A-303': each('amount', [...NO_DECIMALS, -0.01]),
  },
});

export const topUps: Resource = async (owners) => {
  const { code: asset } = await owners.asset();
  return {
    kind: topUpBy(await owners.customer()),
    kept: [
      ...decimals.toReversed().map((exchange_rate, index) => ({
        // At the largest rate, a smaller amount would buy nothing.
        amount: exchange_rate < 1 ? 12.5 : 999999999999999,
        ...{ destination: { asset, exchange_rate }, description: long(1024) },
        metadata: METADATA[index + 3],
      })),
      ...each('amount', [9999999999999.99, 0.01]),
      ...[999999999999999, 1].map((amount) => ({ amount, currency: 'JPY' })),
    ],
    wrong: [
      ...['customer_id', 'amount', 'currency', 'return_url', 'failure_url'].flatMap((name) =>
        each(name, [undefined]),
      ),
      ...each('amount', ['ten']),
      ...MISTYPED,
    ],
    beyond: {
      'A-306': TEXTS_BEYOND,
      'A-702': each('destination', NO_ACCOUNTS),
      'A-303': [
        ...each('amount', [1e15, 99999999999999.98, 999999999999999.5, 0.001]),
        ...[1e15, 0.5].map((amount) => ({ amount, currency: 'JPY' })),
        ...each(
          'destination',
          NO_PRICES.map((exchange_rate) => ({ asset, exchange_rate })),
        ),
      ],
      'A-1101': [
        ...each('amount', [0, -1]),
        ...each('currency', ['ABCDE']),
        { amount: 0, currency: 'JPY' },
      ],
    },
  };
};

export const batches: Resource = async (owners) => {
  const customer = await owners.customer();
  const many = Array.from({ length: 1001 }, () => usageEvent('contract.unpriced'));
  return {
    kind: batchOf(customer),
    kept: [],
    wrong: [...each('customer_id', [undefined]), ...each('events', [undefined, 'none'])],
    beyond: {
      'A-801': each('events', [[], many]),
      'A-804': [{ customer_id: customer.id, customer_external_id: customer.external_id }],
    },
  };
};

export const events: Resource = async (owners) => ({
  kind: eventOf(await owners.customer()),
  kept: [
    ...['', ...TEXTS].map((description) => ({
      ...{ description, subject: `${unique()} ${description}` },
      data: { [description]: description },
    })),
    { description: long(1024), subject: long(256) },
    { event_type: 'x' },
  ],
  wrong: [...each('id', ['not-a-uuid']), ...each('data', [{ deep: { er: 1 } }])],
  beyond: {
    'A-303': each('data', [{ value: 1e15 }, { value: -1e15 }]),
    'A-306': [
      ...each('subject', [long(257), '']),
      ...each('description', [long(1025)]),
      ...each('event_type', ['']),
    ],
    'A-309': ['id', 'event_type', 'occurred_at'].flatMap((name) => each(name, [undefined])),
  },
});

const COST_NUMBERS = ['units', 'unit_price', 'input_volume', 'volume_rate', 'package_size'];

export const costs: Resource = async (owners) => {
  const numbers = (value: number) =>
    Object.fromEntries(['amount', ...COST_NUMBERS].map((name) => [name, value]));
  const vendor = await aVendor();
  return {
    kind: costBy(await owners.customer(), vendor),
    kept: METADATA.map((metadata, index) => ({
      ...{ description: described(text(index), index), metadata, category: 'storage' },
      ...(index > 0 ? numbers(decimals[index - 1] ?? 0.5) : { amount: 0 }),
    })),
    wrong: [
      ...each('id', [undefined, 'not-a-uuid']),
      ...each('amount', [undefined]),
      { vendor_id: undefined, vendor_external_id: undefined },
      ...each('metadata', ['v', ['v'], { k: null }]),
    ],
    beyond: {
      'A-303': [
        ...each('amount', NO_DECIMALS),
        ...COST_NUMBERS.flatMap((name) => each(name, [1e15, 0.00000000001])),
      ],
      'A-306': each('description', [long(1025)]),
      'A-804': [
        { vendor_id: unknownId('vnd'), vendor_external_id: undefined },
        { vendor_external_id: vendor.external_id, vendor_id: (await aVendor('other')).id },
      ],
    },
  };
};
