import { hash, randomBytes } from 'node:crypto';
import type { Draft, OrdinalRow } from './records.ts';
import { key } from './schema.ts';
import type { Table } from './table.ts';
import type { UndoLog } from './undo-log.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Kind prefixes of generated identifiers. */
export const PREFIXES = {
  account: 'acc',
  organisation: 'org',
  customer: 'cust',
  subscription: 'sub',
  product: 'prp',
  price: 'prc',
  fee: 'fee',
  top_up: 'top',
  vendor: 'vnd',
  webhook: 'dst',
  webhook_event: 'evt',
  delivery: 'dlv',
  grant: 'grt',
  payment: 'pay',
} as const;

export type IdKind = keyof typeof PREFIXES;

/** The first 128 bits of a digest over the parts. */
const digest = (parts: readonly (string | number)[]): Buffer =>
  hash('sha256', parts.join('\n'), 'buffer').subarray(0, 16);

/** An identifier of 128 bits, made of a digest over the parts. @assumes A-301 */
export const deriveId = (kind: IdKind, parts: readonly (string | number)[]): string =>
  idOf(kind, digest(parts));

/** The identifiers of one kind in one world for one owner. */
interface IdSeries {
  id(kind: IdKind, ordinal: number): string;
  /** A version 8 UUID. @assumes A-709 */
  uuid(ordinal: number): string;
}

/**
 * A series whose key is the digest over the parts: each ordinal comes to 128 bits of its own by the
 * permutation of Chaskey, twelve rounds between two additions of the key (the scheme of Even and Mansour).
 *
 * @assumes A-301
 */
export function openIdSeries(parts: readonly string[]): IdSeries {
  const bytes = digest(parts);
  const key = [0, 4, 8, 12].map((place) => bytes.readUInt32BE(place)) as unknown as Words;
  return {
    id: (kind, ordinal) => idOf(kind, encrypt(key, ordinal)),
    uuid: (ordinal) => uuidOf(encrypt(key, ordinal)),
  };
}

type Words = readonly [number, number, number, number];

const BLOCK = Buffer.alloc(16);

/** The 128 bits of an ordinal under a key, in a buffer that the next call writes over. */
function encrypt([k0, k1, k2, k3]: Words, ordinal: number): Buffer {
  let v0 = k0;
  let v1 = k1;
  let v2 = k2 ^ Math.floor(ordinal / 2 ** 32);
  let v3 = k3 ^ ordinal;
  for (let round = 0; round < 12; round += 1) {
    v0 = (v0 + v1) | 0;
    v2 = (v2 + v3) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (rotate(v0, 16) + v3) | 0;
    v2 = (v2 + v1) | 0;
    v3 = rotate(v3, 13) ^ v0;
    v1 = rotate(v1, 7) ^ v2;
    v2 = rotate(v2, 16);
  }
  BLOCK.writeInt32BE(v0 ^ k0, 0);
  BLOCK.writeInt32BE(v1 ^ k1, 4);
  BLOCK.writeInt32BE(v2 ^ k2, 8);
  BLOCK.writeInt32BE(v3 ^ k3, 12);
  return BLOCK;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** The kind's prefix and 128 bits as 26 characters of lower-case Crockford base 32. */
function idOf(kind: IdKind, bytes: Buffer): string {
  const prefix = PREFIXES[kind];
  const start = prefix.length + 1;
  for (let index = 0; index < prefix.length; index += 1) DRAFT[index] = prefix.charCodeAt(index);
  DRAFT[prefix.length] = UNDERSCORE;
  writeBase32(bytes, DRAFT, start + DIGITS);
  return DRAFT.toString('latin1', 0, start + DIGITS);
}

const UNDERSCORE = '_'.charCodeAt(0);

/** Digits of 128 bits in base 32. */
const DIGITS = 26;
const SYMBOLS = Buffer.from(ALPHABET, 'latin1');

/**
 * Where an identifier is written before it is read as one text. Joined from its digits it would stay a tree
 * of pieces, several times as large, for as long as its record lives.
 */
const DRAFT = Buffer.alloc(64);

/** Writes bytes as one number in base 32, from its last digit, before `end`, to its first. */
function writeBase32(bytes: Buffer, draft: Buffer, end: number): void {
  let place = end;
  let held = 0;
  let bits = 0;
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    held |= (bytes[index] as number) << bits;
    bits += 8;
    for (; bits >= 5; bits -= 5) {
      place -= 1;
      draft[place] = SYMBOLS[held & 31] as number;
      held >>= 5;
    }
  }
  draft[place - 1] = SYMBOLS[held] as number;
}

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const DASH = '-'.charCodeAt(0);
/** After which bytes of a UUID a dash stands. */
const DASHES = new Set([3, 5, 7, 9]);

function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let place = 0;
  for (let index = 0; index < 16; index += 1) {
    const byte = bytes[index] as number;
    DRAFT[place] = HEX[byte >> 4] as number;
    DRAFT[place + 1] = HEX[byte & 15] as number;
    place += 2;
    if (DASHES.has(index)) {
      DRAFT[place] = DASH;
      place += 1;
    }
  }
  return DRAFT.toString('latin1', 0, place);
}

/**
 * What grants access: a link, a visit, a signing secret or a cookie, of 32 bytes in URL-safe base 64. Only those who
 * know the secret can compute it.
 *
 * @assumes A-301, A-1203
 */
export const deriveToken = (secret: string, parts: readonly (string | number)[]): string =>
  contentDigest([secret, ...parts].join('\n'));

/** A secret that nobody can guess: 32 random bytes in URL-safe base 64. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** A fraction from 0 to below 1, uniform over its parts: reproducible chance. */
export const deriveFraction = (parts: readonly (string | number)[]): number =>
  digest(parts).readUIntBE(0, 6) / 2 ** 48;

/** A short digest of any text, to tell equal contents from others. */
export const contentDigest = (text: string): string => hash('sha256', text, 'base64url');

/** The id under which a webhook destination is kept, from either of its prefixes. @assumes A-301 */
export const destinationId = (id: string): string => id.replace(/^whd_/, 'dst_');

/** The numbers of one kind for one owner. */
interface Numbers {
  readonly id: string;
  readonly series: IdSeries;
  /** The row that the open commit wrote, and the undo scope in which it did. */
  row?: Draft<OrdinalRow>;
  scope?: number;
}

/**
 * Numbers things of a kind for an owner, from 1. The last number is a row, which is written once for all numbers of one
 * undo scope and then changed in place: nobody else sees it before the commit ends.
 */
export class Numbering {
  readonly #byKind = new Map<string, Map<string, Numbers>>();

  constructor(
    private readonly world: readonly string[],
    private readonly ordinals: Table<OrdinalRow>,
    private readonly undoLog: Pick<UndoLog, 'scope'>,
  ) {}

  next(kind: string, owner: string): { readonly series: IdSeries; readonly ordinal: number } {
    const numbers = this.#numbersOf(kind, owner);
    if (numbers.row && numbers.scope === this.undoLog.scope) numbers.row.last += 1;
    else this.#write(numbers);
    return { series: numbers.series, ordinal: (numbers.row as OrdinalRow).last };
  }

  #write(numbers: Numbers): void {
    const { id } = numbers;
    const row = { id, seq: 0, last: (this.ordinals.get(id)?.last ?? 0) + 1 };
    this.ordinals.put(row);
    numbers.row = row;
    numbers.scope = this.undoLog.scope;
  }

  #numbersOf(kind: string, owner: string): Numbers {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, Numbers>();
    const known = ofKind.get(owner);
    if (known) return known;
    const series = openIdSeries([...this.world, owner, kind]);
    const numbers = { id: key(owner, kind), series };
    this.#byKind.set(kind, ofKind.set(owner, numbers));
    return numbers;
  }
}
