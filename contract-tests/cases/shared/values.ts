import { unique } from '../../kit/index.ts';

/** Texts that wrong encoding or escaping would change. */
export const TEXTS = [
  'plain + plus & amp = % 25 # ? /',
  'Zoë e\u0301 ✨ 👩‍💻 🇪🇺',
  '"quoted" \\ back \' <b>bold</b>',
  '%2F %20 ,a,b;c',
  'שלום 你好',
] as const;

/** A text with this number of characters, each of which is two UTF-16 code units. */
export const long = (length: number) => '😀'.repeat(length);

/** Metadata with this many keys. */
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** Metadata with unusual keys, with empty and blank values that are easily taken for none, and at each limit. */
export const METADATA: readonly Readonly<Record<string, string>>[] = [
  { region: 'eu', Region: 'EU', ['__proto__']: 'x', constructor: 'x' },
  { empty: '', open: '[{'.repeat(40), quoted: '\\"[{'.repeat(40) },
  { first: '', filled: 'x', blank: ' ', last: '' },
  { ' ': ' ', '0': '0', no: 'false', nothing: 'null', undefined: 'undefined', list: '[]' },
  {
    'before ': ' x',
    ' after': 'x ',
    tab: '\tx\t',
    line: 'x\n',
    break: '\u00a0x\u00a0',
    ...Object.fromEntries(TEXTS.map((text) => [`key ${text}`, text])),
  },
  keys(50),
  { [long(64)]: long(512) },
  {},
];

/** Metadata beyond each limit. */
export const NO_METADATA = [keys(51), { [long(65)]: 'v' }, { k: long(513) }, { '': 'v' }];

/** What is no map of texts. */
export const NO_MAPS = [
  'v',
  ['v'],
  1,
  { k: null },
  { k: ['v'] },
  { k: { deep: 'er' } },
  { k: 'v', n: 1 },
  { k: 'v', n: false },
];

/** What is no text, and texts with characters that no text has. */
export const NO_TEXTS = [
  42,
  ['Contract'],
  { toString: 'Contract' },
  '\ud800',
  '\udc00 x',
  '\u0000',
];

/** The smallest amount that is stored exactly. */
export const TINY = 0.0000000001;

/** The largest and the smallest exact decimals, with up to fifteen digits and ten decimals. */
const DECIMALS = ['999999999999999', '12345678901234.5', '99999.9999999999', '0.0000000001'];

/** One beyond in magnitude, in digits and in decimals. */
export const NO_DECIMALS = [1e15, 999999999999999.5, 100000.0000000001, 0.00000000001, 1e300];

export const decimals = DECIMALS.map(Number);

/** Numbers of which nothing can be bought or paid. */
export const NO_PRICES = [...NO_DECIMALS, 0];

/** A text, of the seventh row one with as many characters as a description may have. */
export const described = (text: string, index: number) => (index === 6 ? long(1024) : text);

/** One of the texts, or an empty one, in turn. */
export const text = (index: number) => ['', ...TEXTS][index % (TEXTS.length + 1)] as string;

/** External accounts of a customer, one of them twice. */
export const payers = (end = '') => {
  const payer = { provider: 'stripe', provider_id: `${unique('payer')} ${end}` };
  return [payer, { provider: 'stripe', provider_id: unique('payer') }, payer];
};

/** A text, and texts that differ from it only by what trimming removes, or what is not seen. */
export const edged = (text: string) => [
  text,
  ` ${text}`,
  `${text} `,
  `${text}\t`,
  `${text}\n`,
  `\ufeff${text}`,
  `${text}\u00a0`,
  `${text}\u200b`,
];

/** A new key. It ends with a letter, so that no part of it is another new key. */
export const aKey = () => `${unique('Key')}x`;

/** Keys that almost equal another one, each of an object of its own. */
export const keysLike = (key: string) => [
  ...edged(key),
  key.toLowerCase(),
  `${key}0`,
  `${key}.`,
  `${key} é`,
  ...TEXTS.slice(0, 2).map((text) => `${key} ${text}`),
];

/** Texts that almost equal a key, of no object: a part of it, another case or Unicode form, a wildcard. */
export const noKeysLike = (key: string) => [
  key.slice(0, -1),
  key.slice(1),
  key.toUpperCase(),
  `${key} é`.normalize('NFD'),
  `${key.slice(0, 4)}%`,
  `${key.slice(0, -1)}_`,
];

/** An id as given, in upper case and in mixed case. */
export const caseSpellings = (id: string) => [
  id,
  id.toUpperCase(),
  [...id].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join(''),
];

/** A row of fields for each of the metadata, with other fields made from a text. */
export const withMetadata = (others: (text: string, index: number) => object) =>
  METADATA.map((metadata, index) => ({ ...others(text(index), index), metadata }));
