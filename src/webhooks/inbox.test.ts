import { describe, expect, it } from 'vitest';
import { instant } from '../domain/instant.ts';
import { Inboxes } from './inbox.ts';

const MEBIBYTE = 1024 * 1024;
const received_at = instant('2026-01-15T12:00:00Z');

function put(inboxes: Inboxes, inbox: string, body: string): number {
  return inboxes.put({ inbox, received_at, came_by: 'network', headers: {}, body }).number;
}

const numbersOf = (inboxes: Inboxes, name: string) =>
  inboxes.find(name).map(({ number }) => number);

describe('inboxes', () => {
  it('hold 64 MiB in total: the inbox written to longest ago is removed first', () => {
    const inboxes = new Inboxes();
    const large = 'x'.repeat(16 * MEBIBYTE - 512);
    put(inboxes, 'a', large);
    put(inboxes, 'b', large);
    put(inboxes, 'a', large);
    put(inboxes, 'c', large);
    const full = ['a', 'b', 'c'].map((name) => numbersOf(inboxes, name));
    put(inboxes, 'c', 'one more');

    expect(full).toEqual([[1, 3], [2], [4]]);
    expect(inboxes.names()).toEqual(['a', 'c']);
    expect(numbersOf(inboxes, 'a')).toEqual([1, 3]);
    expect(numbersOf(inboxes, 'c')).toEqual([4, 5]);
  });

  it('hold the latest message, even if it alone exceeds 64 MiB', () => {
    const inboxes = new Inboxes();
    put(inboxes, 'a', 'small');
    put(inboxes, 'b', 'small');
    put(inboxes, 'b', 'x'.repeat(65 * MEBIBYTE));

    expect(inboxes.names()).toEqual(['b']);
    expect(numbersOf(inboxes, 'b')).toEqual([3]);
  });

  it('hold 64 MiB in total, also where inboxes are removed for their number', () => {
    const inboxes = new Inboxes();
    const fill = (length: number, body: string) => {
      for (let count = 0; count < length; count += 1) put(inboxes, `n${next++}`, body);
    };
    let next = 0;
    fill(1_000, 'x'.repeat(67_000));
    for (let round = 0; round < 50; round += 1) {
      fill(1_000 - inboxes.names().length, 'small');
      fill(1, 'x'.repeat(500_000));
    }
    const lengths = inboxes
      .names()
      .flatMap((name) => inboxes.find(name).map(({ body }) => body.length));

    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(64 * MEBIBYTE);
  });

  it('count the headers of a message, and a fixed size for it and for each header', () => {
    const inboxes = new Inboxes();
    const headers = { name: 'x'.repeat(MEBIBYTE - 4 - 128 - 512) };
    const empty = { inbox: 'a', received_at, came_by: 'network', body: '' } as const;
    for (let count = 1; count <= 65; count += 1) inboxes.put({ ...empty, headers });
    const large = numbersOf(inboxes, 'a').length;
    for (let count = 1; count <= 1_000; count += 1) inboxes.put({ ...empty, headers: {} });
    const names = Array.from({ length: 1_000 }, (_, number) => [`header-${1_000 + number}`, '']);
    const many = { ...empty, inbox: 'b', headers: Object.fromEntries(names) };
    for (let count = 1; count <= 1_000; count += 1) inboxes.put(many);

    expect(large).toBe(64);
    // Each takes 512 + 1,000 × (128 + 11) = 139,512 of 67,108,864.
    expect(numbersOf(inboxes, 'b')).toHaveLength(481);
  });

  it('free the space of an inbox when it is cleared', () => {
    const inboxes = new Inboxes();
    put(inboxes, 'a', 'small');
    put(inboxes, 'b', 'x'.repeat(60 * MEBIBYTE));
    inboxes.forget(null, 'b');
    put(inboxes, 'c', 'x'.repeat(60 * MEBIBYTE));

    expect(inboxes.names()).toEqual(['a', 'c']);
  });

  it('are limited to 1,000, of 1,000 messages each', () => {
    const inboxes = new Inboxes();
    for (let count = 0; count < 1_001; count += 1) put(inboxes, `n${count}`, '');
    for (let count = 0; count < 1_001; count += 1) put(inboxes, 'n5', '');

    expect(inboxes.names()).toHaveLength(1_000);
    expect(inboxes.find('n0')).toEqual([]);
    expect(inboxes.find('n5')).toHaveLength(1_000);
  });
});
