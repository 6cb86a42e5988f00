import { type Decimal, isEqual, ONE } from '../decimal.ts';
import type { DecimalRow } from './groups.ts';
import type { Term } from './reckoning.ts';

/** What a row asks for a quantity by one of its amounts; nothing where it has no such amount. */
export function rowTerms(
  row: DecimalRow,
  amount: 'unitPrice' | 'volumeRate',
  quantity: Decimal | null,
  size: Decimal = amount === 'volumeRate' ? row.packageSize : ONE,
): Term[] {
  const rate = row[amount];
  if (!rate || !quantity) return [];
  const isUnit = amount === 'unitPrice' && isEqual(quantity, ONE);
  return [{ quantity: isUnit ? undefined : quantity, rate, size, row }];
}
