import { type Decimal, type DecimalText, decimal, format } from '../decimal.ts';

/** A number with more digits than a double holds. */
export interface LongNumber {
  readonly digits: DecimalText;
}

export type DataValue = string | number | boolean | LongNumber;

/** The facts about a usage event. */
export type EventData = Readonly<Record<string, DataValue>>;

/** A number with all its digits; undefined for any other value. @assumes A-303 */
export function numberOf(value: DataValue | undefined): Decimal | undefined {
  if (typeof value === 'number') return decimal(value);
  return typeof value === 'object' ? decimal(value.digits) : undefined;
}

/** A value as text, numbers in plain notation. */
export function textOfValue(value: DataValue): string {
  const number = numberOf(value);
  return number ? format(number) : String(value);
}

/** A value as messages show it: texts in quotes. */
export const quoted = (value: DataValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : textOfValue(value);
