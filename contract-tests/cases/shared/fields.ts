import {
  assuming,
  call,
  expect,
  type LooseParts,
  type OperationId,
  refused,
  unique,
  withNulls,
} from '../../kit/index.ts';

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A copy of the object without one field. */
export const omit = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));

/** Some fields of an object. Those that it lacks are null. */
export const pick = (whole: object | undefined, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (whole as Fields | undefined)?.[name] ?? null]));

/** A request that keeps fields, and where they are shown. */
export interface Kind {
  readonly operation: OperationId;
  /** The fields that cannot be left out. */
  readonly required?: readonly string[];
  /** The request with these fields, and with values of its own for required ones. */
  request(fields: Fields): Promise<LooseParts>;
  /** What each place shows of what the request made, under the names of the request. Places can leave fields out. */
  // biome-ignore lint/suspicious/noExplicitAny: The body of any operation.
  shown(made: any, request: LooseParts): Promise<readonly Fields[]>;
  /** What is shown for fields that were not sent; null by default. */
  readonly presets?: Fields;
}

/** Sends fields, and expects that each place which shows one of `names` shows the value sent, or else its preset. */
async function expectShown(
  kind: Kind,
  fields: Fields,
  names: readonly string[],
  how: string,
  isFilled = false,
): Promise<void> {
  const { operation, presets = {} } = kind;
  const request = await kind.request(fields);
  const body = isFilled ? withNulls(operation, request.body as object) : request.body;
  const sent = { ...request, body };
  const reply = await call(operation, sent, [200, 201, 204]);
  for (const place of await kind.shown(reply.body, request))
    for (const name of names.filter((each) => each in place))
      expect(place[name], `${operation}: ${name}, ${how}`).toEqual(
        fields[name] ?? presets[name] ?? null,
      );
}

/** Expects that each row of fields, sent together, is shown as sent, also with null for all others if `isFilled`. */
export async function expectRows(
  kind: Kind,
  rows: readonly Fields[],
  isFilled = false,
): Promise<void> {
  for (const [index, row] of rows.entries())
    await expectShown(kind, row, Object.keys(row), `row ${index}`, isFilled);
}

/**
 * Expects that each row of fields is shown as sent, and so is each optional field of the first row alone, none of them,
 * and the first row and none with null for all that is left out, at every depth, which is assumed to mean absent.
 */
export async function expectKept(kind: Kind, rows: readonly Fields[]): Promise<void> {
  await expectRows(kind, rows);
  const [first = {}] = rows;
  const optional = Object.keys(first).filter((name) => !kind.required?.includes(name));
  const fresh = (name: string) => ({ [name]: name === 'external_id' ? unique() : first[name] });
  for (const name of optional) await expectShown(kind, fresh(name), optional, `with ${name} alone`);
  await expectShown(kind, {}, optional, 'left out');
  await assuming('A-307', async () => {
    await expectShown(kind, {}, optional, 'all null', true);
    const others = { ...first, ...('external_id' in first && fresh('external_id')) };
    await expectShown(kind, others, Object.keys(first), 'the others null', true);
  });
}

/** Expects that each of these values of a field, sent one after the other, is rejected. */
export async function expectRejected(
  kind: Kind,
  beyond: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  for (const [name, values] of Object.entries(beyond))
    for (const value of values)
      await refused(kind.operation, await kind.request({ [name]: value }));
}

/** An object that an update changes. */
interface Changing<T> {
  readonly made: T;
  /** All its fields, except the time of its last change. */
  read(made: T): Promise<Fields>;
  update(made: T, fields: Fields): Promise<unknown>;
  /** New values, sent one after the other. Those of fields that are not shown must change nothing. */
  readonly changes: readonly Fields[];
}

/**
 * Updates no field, then each row of fields, and expects all other fields to stay unchanged. Then sends each row once
 * more, because by then no field has its default value.
 */
export async function expectChanged<T>(changing: Changing<T>): Promise<void> {
  const { made, read, update, changes } = changing;
  let wanted = await read(made);
  for (const row of [{}, ...changes, ...changes]) {
    await update(made, row);
    const shown = Object.entries(row).filter(([name]) => name in wanted);
    wanted = { ...wanted, ...Object.fromEntries(shown) };
    const now = await read(made);
    for (const name of Object.keys({ ...wanted, ...now }))
      expect(now[name], `${name}, with ${JSON.stringify(row)}`).toEqual(wanted[name]);
  }
}

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
  { empty: '' },
  { first: '', filled: 'x', blank: ' ', last: '' },
  { ' ': ' ', '0': '0', no: 'false', nothing: 'null', undefined: 'undefined', list: '[]' },
  {
    ...{ 'before ': ' x', ' after': 'x ', tab: '\tx\t', line: 'x\n', break: '\u00a0x\u00a0' },
    ...Object.fromEntries(TEXTS.map((text) => [`key ${text}`, text])),
  },
  keys(50),
  { [long(64)]: long(512) },
];

/** Metadata beyond each limit, and what is no map of texts. */
export const NO_METADATA = [
  ...[keys(51), { [long(65)]: 'v' }, { k: long(513) }, { '': 'v' }],
  ...['v', ['v'], 1, { k: null }, { k: ['v'] }, { k: { deep: 'er' } }],
  ...[
    { k: 'v', n: 1 },
    { k: 'v', n: false },
  ],
];

/** Texts that are none, or hold characters that no text has. */
export const NO_TEXTS = [
  ...['', 42, ['Contract'], { toString: 'Contract' }, '\ud800', '\udc00 x', '\u0000'],
];

/** The smallest amount that is stored exactly. */
export const TINY = 0.0000000001;

/** The largest and the smallest exact decimals, with up to fifteen digits and ten decimals. */
export const DECIMALS = ['999999999999999', '12345678901234.5', '99999.9999999999', '0.0000000001'];

/** One beyond in magnitude, in digits and in decimals. */
export const NO_DECIMALS = [1e15, 999999999999999.5, 100000.0000000001, 0.00000000001, 1e300];

/** One of the texts, or an empty one, in turn. */
export const text = (index: number) => ['', ...TEXTS][index % (TEXTS.length + 1)] as string;

/** Two external accounts of a customer. */
export const payers = (end = '') => [
  { provider: 'stripe', provider_id: `${unique('payer')} ${end}` },
  { provider: 'stripe', provider_id: unique('payer') },
];

/** A text, and texts that differ from it only by what trimming removes, or what is not seen. */
export const edged = (text: string) => [
  ...[text, ` ${text}`, `${text} `, `${text}\t`, `${text}\n`, `\ufeff${text}`],
  ...[`${text}\u00a0`, `${text}\u200b`],
];

/** A new key. It ends with a letter, so that no part of it is another new key. */
export const aKey = () => `${unique('Key')}x`;

/** Keys that almost equal another one, each of an object of its own. */
export const keysLike = (key: string) => [
  ...[...edged(key), key.toLowerCase(), `${key}0`, `${key}.`, `${key} é`],
  ...TEXTS.map((text) => `${key} ${text}`),
];

/** Texts that almost equal a key, of no object: a part of it, another case or Unicode form, a wildcard. */
export const noKeysLike = (key: string) => [
  ...[key.slice(0, -1), key.slice(1), key.toUpperCase(), `${key} é`.normalize('NFD')],
  ...[`${key.slice(0, 4)}%`, `${key.slice(0, -1)}_`],
];

/** An id as given, in upper case and in mixed case. */
export const caseSpellings = (id: string) => [
  id,
  id.toUpperCase(),
  [...id].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join(''),
];
