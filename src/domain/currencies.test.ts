import { describe, expect, it } from 'vitest';
import { findCurrency } from './currencies.ts';

describe('findCurrency', () => {
  it.each([
    ['USD', 'US Dollar', 2],
    ['JPY', 'Yen', 0],
    ['KWD', 'Kuwaiti Dinar', 3],
    ['CLF', 'Unidad de Fomento', 4],
    ['KMF', 'Comorian Franc', 0],
    ['XCG', 'Caribbean Guilder', 2],
    ['XAD', 'Arab Accounting Dinar', 2],
  ])('returns the name and precision of %s', (code, name, precision) => {
    expect(findCurrency(code)).toEqual({ code, name, precision });
  });

  it.each(['', 'usd', 'US', 'USDT', 'CREDIT', 'constructor'])(
    'returns undefined for "%s"',
    (code) => {
      expect(findCurrency(code)).toBeUndefined();
    },
  );
});
