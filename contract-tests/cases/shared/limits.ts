import { unique } from '../../kit/index.ts';
import type { Limits } from './fields.ts';

/** A text with this number of characters, each of which is two UTF-16 code units. */
export const long = (length: number) => '😀'.repeat(length);

/** The smallest amount that is stored exactly. */
export const TINY = 0.0000000001;

/** The largest and the smallest exact decimals, with up to fifteen digits and ten decimals. */
export const DECIMALS = ['999999999999999', '12345678901234.5', '99999.9999999999', '0.0000000001'];

/** One beyond in magnitude, in digits and in decimals. */
export const NO_DECIMALS = [1e15, 999999999999999.5, 100000.0000000001, 0.00000000001, 1e300];

/** Metadata with this many keys. */
export const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** An external id of this length that nothing else uses. */
export const longId = (length: number) => unique().padEnd(length, 'x');

export const mailOf = (length: number) => `m@${'a.'.repeat(100)}${'b'.repeat(length - 206)}.com`;

export const payer = (provider: string, provider_id: string) => [{ provider, provider_id }];

/** Texts that are none, or hold characters that no text has. */
export const NO_TEXTS = [
  '',
  42,
  ['Contract'],
  { toString: 'Contract' },
  '\ud800',
  '\udc00 x',
  '\u0000',
];

/** Metadata at each of its limits. */
export const WITHIN_METADATA = [keys(50), { [long(64)]: 'v' }, { k: long(512) }, { k: '' }];

/** Metadata beyond its limits, that is no map, and with values that are no texts. */
export const NO_METADATA = [
  ...[keys(51), { [long(65)]: 'v' }, { k: long(513) }, { '': 'v' }],
  ...['v', ['v'], 1, true, { k: null }, { k: ['v'] }, { k: { deep: 'er' } }],
  ...[
    { k: 'v', n: 1 },
    { k: 'v', n: false },
  ],
];

/** Descriptions and metadata of movements of money. */
export const MOVEMENT_TEXTS: Limits = {
  within: [
    { description: long(1024), metadata: WITHIN_METADATA[0] },
    ...WITHIN_METADATA.slice(1).map((metadata) => ({ metadata })),
  ],
  beyond: { description: [long(1025)], metadata: NO_METADATA },
};
