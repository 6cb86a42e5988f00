import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it('answers the closest name, whatever its case, and none for a name far from all', () => {
    expect(nearest('Custmer_Id', ['customer_id', 'currency'])).toBe('customer_id');
    expect(nearest('weather', ['customer_id', 'currency'])).toBeUndefined();
    expect(nearest('name', [])).toBeUndefined();
  });
});
