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

  // Computed by an implementation of the paper in big integers.
  it.each([
    [1, 'fee_2fjjgm3p2acwvjzkemqy2q610f', '4f94a141-d84a-8737-afcd-d4bf8573040f'],
    [2, 'fee_5p1132vcgcka8s9jjt1f18cpe8', 'b608462d-b20c-8a91-94ca-5a0bc28659c8'],
    [4_294_967_297, 'fee_0hn3yt2aqd49e5jrwbtrpa6rwk', '11a8fda1-2aed-825c-9963-8bd62ca36393'],
  ])('encrypts the ordinal %i with Chaskey under the digest', (ordinal, id, uuid) => {
    expect(series.id('fee', ordinal)).toBe(id);
    expect(series.uuid(ordinal)).toBe(uuid);
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
