import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it('returns the closest name in any case, or undefined if none is close', () => {
    expect(nearest('Custmer_Id', ['customer_id', 'currency'])).toBe('customer_id');
    expect(nearest('weather', ['customer_id', 'currency'])).toBeUndefined();
    expect(nearest('name', [])).toBeUndefined();
  });
});
