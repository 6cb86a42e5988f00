import { describe, expect, it } from 'vitest';
import { SortedRows } from './sorted-rows.ts';

describe('SortedRows', () => {
  it('agrees with a sorted array over many blocks, at the front, in the middle and at the end', () => {
    const rows = new SortedRows<number>((left, right) => left - right);
    const model = new Set<number>();
    let draw = 1;
    for (let turn = 0; turn < 12_000; turn += 1) {
      draw = (draw * 48_271) % 2_147_483_647;
      const number = draw % 9_000;
      if (model.delete(number)) rows.remove(number);
      else {
        model.add(number);
        rows.add(number);
      }
    }
    for (let number = 9_000; number < 12_000; number += 1) {
      model.add(number);
      rows.add(number);
    }
    const sorted = [...model].sort((left, right) => left - right);
    expect([...rows]).toEqual(sorted);
    expect(rows.length).toBe(sorted.length);
    for (const place of [-1, 0, 1, 1_023, 1_024, 3_000, sorted.length - 1, sorted.length])
      expect(rows.at(place)).toBe(place < 0 ? undefined : sorted[place]);
    expect(rows.page(2_000, 3)).toEqual(sorted.slice(2_000, 2_003));
    for (const bound of [-1, 0, 4_500, 11_999, 12_000])
      expect(rows.countWhile((row) => row <= bound)).toBe(
        sorted.filter((row) => row <= bound).length,
      );
    for (const row of sorted.slice(0, 5_000)) rows.remove(row);
    expect([...rows]).toEqual(sorted.slice(5_000));
    expect(rows.at(0)).toBe(sorted[5_000]);
  });
});
