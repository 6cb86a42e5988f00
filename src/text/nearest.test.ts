import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it('returns the closest name in any case, or undefined if none is close', () => {
    expect(nearest('Custmer_Id', ['customer_id', 'currency'])).toBe('customer_id');
    expect(nearest('weather', ['customer_id', 'currency'])).toBeUndefined();
    expect(nearest('name', [])).toBeUndefined();
  });

  it('returns a longer name that begins with it', () => {
    expect(nearest('timeout', ['count', 'timeout_seconds'])).toBe('timeout_seconds');
    expect(nearest('tim', ['count', 'timeout_seconds'])).toBeUndefined();
  });
});
