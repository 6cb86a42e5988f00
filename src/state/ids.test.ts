import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentDigest, deriveId, deriveToken, deriveUuid, type Kind, PREFIXES } from './ids.ts';

const PARTS = ['seed', 'shop', 'test', 'acc_1', 'customer', 1];

describe('deriveId', () => {
  it.each(Object.entries(PREFIXES))('writes a %s as %s_ and 26 characters', (kind, prefix) => {
    const id = deriveId(kind as Kind, PARTS);

    expect(id.slice(0, prefix.length + 1)).toBe(`${prefix}_`);
    expect(id.slice(prefix.length + 1)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it('writes the first 128 bits of the digest, most significant first', () => {
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const text = deriveId('customer', PARTS).slice('cust_'.length);
    const bits = [...text].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0'));
    const digest = createHash('sha256')
      .update('seed\nshop\ntest\nacc_1\ncustomer\n1')
      .digest('hex');

    expect(BigInt(`0b${bits.join('')}`)).toBe(BigInt(`0x${digest.slice(0, 32)}`));
  });

  it('changes with every part', () => {
    const ids = PARTS.map((_, place) => deriveId('customer', PARTS.with(place, 'other')));

    expect(new Set([...ids, deriveId('customer', PARTS)]).size).toBe(PARTS.length + 1);
  });
});

describe('deriveUuid', () => {
  it('makes a version 8 UUID that repeats', () => {
    const uuid = deriveUuid(PARTS);

    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deriveUuid(PARTS)).toBe(uuid);
    expect(deriveUuid(PARTS.with(-1, 2))).not.toBe(uuid);
  });
});

describe('deriveToken', () => {
  it('makes 32 bytes in URL-safe base 64 that repeat', () => {
    const token = deriveToken(PARTS);

    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(deriveToken(PARTS)).toBe(token);
    expect(deriveToken(PARTS.with(-1, 2))).not.toBe(token);
  });
});

describe('contentDigest', () => {
  it('is equal for equal text alone', () => {
    expect(contentDigest('a')).toBe(contentDigest('a'));
    expect(contentDigest('a')).not.toBe(contentDigest('b'));
  });
});
