import { createHash, hash } from 'node:crypto';

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
  portal_session: 'pss',
  payment: 'pay',
} as const;

export type Kind = keyof typeof PREFIXES;

/** The first 128 bits of a digest over the parts: what every identifier and token is made of. */
function digest(parts: readonly (string | number)[]): Buffer {
  return hash('sha256', parts.join('\n'), 'buffer').subarray(0, 16);
}

/**
 * An identifier: the kind's prefix and 26 characters of lower-case Crockford base 32.
 *
 * @assumes A-301
 */
export function deriveId(kind: Kind, parts: readonly (string | number)[]): string {
  const prefix = `${PREFIXES[kind]}_`;
  const end = prefix.length + DIGITS;
  DRAFT.write(prefix, 'latin1');
  writeBase32(digest(parts), DRAFT, end);
  return DRAFT.toString('latin1', 0, end);
}

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

/**
 * A version 8 UUID, as the emulator's own ledger transactions have.
 *
 * @assumes A-709
 */
export function deriveUuid(parts: readonly (string | number)[]): string {
  const bytes = digest(parts);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/**
 * A secret or token of 32 bytes in URL-safe base 64.
 *
 * @assumes A-301, A-1203
 */
export function deriveToken(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** A fraction from 0 to below 1, even over its parts: chance that repeats. */
export function deriveFraction(parts: readonly (string | number)[]): number {
  return digest(parts).readUIntBE(0, 6) / 2 ** 48;
}

/** A short digest of any text, to tell equal contents from others. */
export function contentDigest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The id under which a webhook destination is kept, from either of its prefixes. @assumes A-301 */
export const destinationId = (id: string): string => id.replace(/^whd_/, 'dst_');
