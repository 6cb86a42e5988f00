import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  anAsset,
  blackHole,
  type CheckContext,
  type OwnObject,
  unique,
  uniqueAssetCode,
} from '../../kit/index.ts';
import { each, type Fields, type Kind } from './fields.ts';
import {
  ACCOUNT,
  ASSET,
  assetRate,
  CUSTOMER,
  destination,
  quote,
  updatedCustomer,
  VENDOR,
} from './kinds.ts';
import {
  DECIMALS,
  long,
  METADATA,
  NO_DECIMALS,
  NO_MAPS,
  NO_METADATA,
  NO_TEXTS,
  payers,
  TINY,
  text,
} from './values.ts';
import { TOPIC } from './webhooks.ts';

/** What fields of one kind of object are kept, and which are rejected. */
export interface FieldRows {
  readonly kind: Kind;
  /** Rows of fields that are kept as sent: unusual, empty and at each limit. */
  readonly kept: readonly Fields[];
  /** Rows that the specification rejects, for their first field. */
  readonly wrong?: readonly Fields[];
  /** Rows that are rejected by an assumption, by its id. */
  readonly beyond?: Readonly<Record<string, readonly Fields[]>>;
}

/** The objects that fields refer to. */
interface Owners {
  customer(): Promise<OwnObject>;
  asset(): Promise<{ readonly code: string }>;
}

/** Objects of one check alone, where fields are kept. */
export const OWN_OBJECTS: Owners = {
  customer: () => aFreshCustomer(),
  asset: () => aFreshAsset({ precision: 10, rates: [{ source: 'USD', rate: 1 }] }),
};

/** Objects that checks share, where nothing is kept. */
export const SHARED_OBJECTS: Owners = { customer: () => aCustomer(), asset: () => anAsset() };

export type Resource = (owners: Owners, t: CheckContext) => Promise<FieldRows>;

export const decimals = DECIMALS.map(Number);

/** Numbers of which nothing can be bought or paid. */
export const NO_PRICES = [...NO_DECIMALS, 0];

/** A row for each of the metadata, with other fields made from a text. */
export const withMetadata = (others: (text: string, index: number) => Fields): readonly Fields[] =>
  METADATA.map((metadata, index) => ({ ...others(text(index), index), metadata }));

/** Names and external ids with a text, in two rows with as many characters as they may have. */
const identified = (end: string, index: number) => ({
  name: index < 5 ? `Contract ${end}` : index === 5 ? 'x' : long(256),
  external_id: index < 5 ? `${unique('text')} ${end}` : unique().padEnd(256, 'x'),
});
const MISNAMED = [...each('name', NO_TEXTS), ...each('external_id', [7])];
const NAMES_BEYOND = [
  ...each('name', ['', null, long(257)]),
  ...each('external_id', ['', 'x'.repeat(257)]),
];

export const accounts: Resource = async () => ({
  kind: ACCOUNT,
  kept: withMetadata(identified),
  wrong: [...each('name', [undefined]), ...MISNAMED, ...each('metadata', NO_MAPS)],
  beyond: { 'A-306': [...NAMES_BEYOND, ...each('metadata', NO_METADATA)] },
});

const mailOf = (length: number) => `m@${'a.'.repeat(100)}${'b'.repeat(length - 206)}.com`;

const payer = (provider: string, provider_id: string) => [{ provider, provider_id }];

/** All fields of a customer. */
const person = (end: string, index: number) => ({
  ...identified(end, index),
  email: index === 5 ? mailOf(254) : `${unique('mail')}@example.com`,
  external_accounts: index === 5 ? payer('p'.repeat(64), 'x') : payers(end),
});

const people = {
  wrong: [
    ...MISNAMED,
    ...each('email', ['nobody']),
    ...each('external_accounts', [[{ provider_id: 'cus_1' }], [{ provider: 'stripe' }]]),
    ...each('metadata', NO_MAPS),
  ],
  beyond: {
    'A-306': [
      ...NAMES_BEYOND,
      ...each('email', [mailOf(255)]),
      ...each('external_accounts', [payer('p'.repeat(65), 'x'), payer('p', '')]),
      ...each('metadata', NO_METADATA),
    ],
  },
};

export const customers: Resource = async () => ({
  kind: CUSTOMER,
  kept: withMetadata(person),
  wrong: [...each('name', [undefined]), ...people.wrong],
  beyond: people.beyond,
});

export const customerUpdates: Resource = async (owners) => ({
  kind: updatedCustomer(await owners.customer()),
  kept: withMetadata(person),
  ...people,
});

export const vendors: Resource = async () => ({
  kind: VENDOR,
  kept: METADATA.map((_, index) => identified(text(index), index)),
  wrong: MISNAMED,
  beyond: { 'A-306': NAMES_BEYOND, 'A-309': each('name', [undefined]) },
});

export const assets: Resource = async () => {
  // An inverse rate can be smaller than a rate.
  const inverse = [999999999999999, 99999.9999999999, TINY, 1e-14];
  const from = (rate: object) => [{ source: 'USD', ...rate }];
  return {
    kind: ASSET,
    kept: ['◆', '🇪🇺', 'é', '"', '%'].map((symbol, index) => ({
      name: index === 1 ? long(256) : `Contract ${text(index)}`,
      ...{ precision: [1, 2, 3, 10, 0][index], label: `Label ${text(index)}`, symbol },
      rates: [
        { source: 'USD', rate: decimals[index] ?? 3 },
        { source: 'EUR', inverse_rate: inverse[index] ?? 4 },
      ],
    })),
    wrong: [
      ...each('name', [undefined, ...NO_TEXTS]),
      ...each('code', [undefined, '', 'A', 'C'.repeat(65), 'ctlower', `${uniqueAssetCode()}_B`]),
      ...each('precision', [-1, 11, 1.5]),
      ...each('symbol', ['AB']),
    ],
    beyond: {
      'A-306': each('name', ['', long(257)]),
      'A-303': [
        ...each(
          'rates',
          NO_PRICES.map((rate) => from({ rate })),
        ),
        ...each(
          'rates',
          NO_PRICES.filter((rate) => rate !== 0.00000000001).map((rate) =>
            from({ inverse_rate: rate }),
          ),
        ),
      ],
    },
  };
};

export const quotes: Resource = async (owners) => {
  const { code } = await owners.asset();
  return {
    kind: quote(code),
    kept: decimals.map((amount) => ({ amount })),
    wrong: [...each('source', [undefined]), ...each('amount', [undefined])],
    beyond: { 'A-303': each('amount', NO_DECIMALS), 'A-404': each('amount', [0, -1, -TINY]) },
  };
};

export const assetRates: Resource = async (owners) => {
  const { code } = await owners.asset();
  return {
    kind: assetRate(code),
    kept: decimals.map((rate) => ({ rate })),
    wrong: [...each('source', [undefined, code]), ...each('rate', [undefined])],
    beyond: { 'A-303': each('rate', NO_PRICES) },
  };
};

export const destinations: Resource = async (_, t) => ({
  kind: destination(t),
  kept: [
    { url: blackHole(), topics: [TOPIC, 'contract.unheard_of'], connect: true },
    { topics: ['contract.b', 'contract.a', '*'], connect: false },
  ],
  wrong: each('url', [undefined, 'nowhere']),
  beyond: { 'A-1201': each('url', [blackHole().replace('//', '//user:secret@')]) },
});
