import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anEmptyWorld as open } from '../testing/worlds.ts';
import { deriveId, deriveToken, type IdKind, openIdSeries, PREFIXES } from './ids.ts';
import type { World } from './world.ts';

const PARTS = ['seed', 'shop', 'test', 'acc_1', 'customer', 1];

describe('deriveId', () => {
  it.each(Object.entries(PREFIXES))('formats a %s id as %s_ and 26 characters', (kind, prefix) => {
    const id = deriveId(kind as IdKind, PARTS);

    expect(id.slice(0, prefix.length + 1)).toBe(`${prefix}_`);
    expect(id.slice(prefix.length + 1)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it('encodes the first 128 bits of the SHA-256 digest, most significant first', () => {
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const text = deriveId('customer', PARTS).slice('cust_'.length);
    const bits = [...text].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0'));
    const digest = createHash('sha256')
      .update('seed\nshop\ntest\nacc_1\ncustomer\n1')
      .digest('hex');

    expect(BigInt(`0b${bits.join('')}`)).toBe(BigInt(`0x${digest.slice(0, 32)}`));
  });

  it('returns a different id when any part changes', () => {
    const ids = PARTS.map((_, place) => deriveId('customer', PARTS.with(place, 'other')));

    expect(new Set([...ids, deriveId('customer', PARTS)]).size).toBe(PARTS.length + 1);
  });
});

describe('openIdSeries', () => {
  const series = openIdSeries(['seed', 'shop', 'test', 'acc_1', 'fee']);

  it('encrypts the ordinal with Chaskey under the digest, most significant word first', () => {
    const bits = (id: string) =>
      [...id.slice('fee_'.length)].reduce(
        (held, digit) => held * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)),
        0n,
      );
    const key = BigInt(
      `0x${createHash('sha256').update('seed\nshop\ntest\nacc_1\nfee').digest('hex').slice(0, 32)}`,
    );

    for (const ordinal of [1, 2, 4_294_967_297])
      expect(bits(series.id('fee', ordinal))).toBe(chaskey(key ^ BigInt(ordinal)) ^ key);
  });

  it('returns the same id for the same ordinal, and 10,000 different ids for 10,000 ordinals', () => {
    const ordinals = Array.from({ length: 10_000 }, (_, place) => place + 1);
    const again = openIdSeries(['seed', 'shop', 'test', 'acc_1', 'fee']);

    expect(new Set(ordinals.map((ordinal) => series.id('fee', ordinal))).size).toBe(10_000);
    expect(new Set(ordinals.map((ordinal) => series.uuid(ordinal))).size).toBe(10_000);
    expect(again.id('fee', 7)).toBe(series.id('fee', 7));
    expect(again.uuid(7)).toBe(series.uuid(7));
  });

  it('returns UUIDs of version 8', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

    for (let ordinal = 1; ordinal <= 100; ordinal += 1) expect(series.uuid(ordinal)).toMatch(form);
  });
});

/** The Chaskey permutation with twelve rounds, as in its paper. */
function chaskey(block: bigint): bigint {
  const [a, b, c, d] = [96n, 64n, 32n, 0n].map((shift) => Number((block >> shift) & 0xffffffffn));
  const v = new Uint32Array([a as number, b as number, c as number, d as number]);
  const turn = (index: number, bits: number) => {
    const word = v[index] as number;
    v[index] = (word << bits) | (word >>> (32 - bits));
  };
  const mix = (sum: number, part: number, bits: number) => {
    v[sum] = (v[sum] as number) + (v[part] as number);
    turn(part, bits);
    v[part] = (v[part] as number) ^ (v[sum] as number);
  };
  for (let round = 0; round < 12; round += 1) {
    mix(0, 1, 5);
    turn(0, 16);
    mix(2, 3, 8);
    mix(0, 3, 13);
    mix(2, 1, 7);
    turn(2, 16);
  }
  return v.reduce((held, word) => (held << 32n) | BigInt(word), 0n);
}

describe('deriveToken', () => {
  it('returns the same 32 bytes in URL-safe base64 for the same parts', () => {
    const token = deriveToken('secret', PARTS);

    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(deriveToken('secret', PARTS)).toBe(token);
    expect(deriveToken('secret', PARTS.with(-1, 2))).not.toBe(token);
    expect(deriveToken('another', PARTS)).not.toBe(token);
  });
});

describe('ids of a world', () => {
  const firstId = (world: World, owner = 'acc_one') =>
    world.dryRun(() => world.nextId('vendor', owner));

  it('are equal in worlds with equal options', () => {
    expect(firstId(open())).toBe(firstId(open()));
  });

  it('differ by seed, sandbox, environment, owner, kind and ordinal', () => {
    const world = open();
    const ids = [
      firstId(world),
      firstId(open({ seed: 'other' })),
      firstId(open({ sandbox: 'other' })),
      firstId(open({ environment: 'live' })),
      firstId(world, 'acc_two'),
      world.dryRun(() => world.nextId('customer', 'acc_one')),
      world.dryRun(() => [1, 2].map(() => world.nextId('vendor', 'acc_one')))[1] as string,
    ].map((id) => id.slice(id.indexOf('_')));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('of one kind do not depend on how many of other kinds were created', () => {
    const world = open();
    const expected = firstId(world);
    const later = world.dryRun(() => {
      world.nextId('customer', 'acc_one');
      world.nextToken('webhook secret', 'acc_one');
      return world.nextId('vendor', 'acc_one');
    });

    expect(later).toBe(expected);
  });

  it('of the account and organisation are equal in test and live and differ by sandbox', () => {
    const [test, live, other] = [open(), open({ environment: 'live' }), open({ sandbox: 'other' })];

    expect(live.accountId).toBe(test.accountId);
    expect(live.organisationId).toBe(test.organisationId);
    expect(other.accountId).not.toBe(test.accountId);
    expect(other.organisationId).not.toBe(test.organisationId);
  });

  it('of tokens and transactions are equal in equal worlds and unique within one', () => {
    const draw = (world: World) =>
      world.dryRun(() => [
        world.nextToken('link', 'acc_one'),
        world.nextToken('link', 'acc_one'),
        world.nextUuid('transaction', 'acc_one'),
        world.nextUuid('transaction', 'acc_one'),
      ]);

    expect(draw(open())).toEqual(draw(open()));
    expect(new Set(draw(open())).size).toBe(4);
  });
});
