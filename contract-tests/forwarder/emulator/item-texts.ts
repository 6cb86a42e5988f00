import { Rational } from '../../kit/rational.ts';
import { Digits, type ExactValue, isList, isObject } from './exact-value.ts';
import { type IdMap, isInstant } from './id-map.ts';
import { formOf } from './match-texts.ts';

/** Fields that identify an item within its list. */
const KEYS = new Set([
  ...['id', 'code', 'external_id', 'usage_id', 'customer_id', 'subscription_id', 'price_id'],
  ...['provider', 'provider_id', 'asset', 'source', 'version', 'event_type', 'destination_id'],
]);

export type TwinSide = 'upstream' | 'emulator';
/** An item of a list, with the texts by which a counterpart is searched. */
export interface DescribedItem {
  readonly value: ExactValue;
  /** Texts to compare with the other side: the natural key, the whole item, and the item without numbers. */
  readonly key: string | undefined;
  readonly whole: string;
  readonly words: string;
  readonly moments: string;
}

function comparedPart(item: ExactValue, isCompared: (field: string) => boolean): ExactValue {
  if (!isObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([field]) => isCompared(field)));
}

/** @param isCompared whether a field of an item is compared; others do not count */
export function describeItem(
  value: ExactValue,
  side: TwinSide,
  ids: IdMap,
  isCompared: (field: string) => boolean,
): DescribedItem {
  const compared = comparedPart(value, isCompared);
  const moments: string[] = [];
  const text = (given: string): string => {
    if (isInstant(given)) {
      moments.push(given);
      return '@';
    }
    const known = side === 'upstream' ? ids.counterpart(given) : given;
    if (known !== undefined && (side === 'upstream' || ids.original(given) !== undefined))
      return known;
    return formOf(given) === undefined || ids.isGiven(given) ? given : '#';
  };
  const put = (inner: ExactValue, number: (digits: Digits) => unknown): unknown => {
    if (typeof inner === 'string') return text(inner);
    if (inner instanceof Digits) return number(inner);
    if (isList(inner)) return inner.map((each) => JSON.stringify(put(each, number))).sort();
    if (!isObject(inner)) return inner;
    const names = Object.keys(inner).sort();
    return names.map((name) => [name, put(inner[name] as ExactValue, number)]);
  };
  const whole = JSON.stringify(put(compared, ({ text: digits }) => worth(digits)));
  const words = JSON.stringify(put(compared, () => 0));
  return { value, whole, words, key: keyOf(value, text), moments: moments.sort().join() };
}

function keyOf(value: ExactValue, text: (given: string) => string): string | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value)
    .filter(([name]) => KEYS.has(name))
    .map(([name, inner]) => [name, typeof inner === 'string' ? text(inner) : worthOf(inner)]);
  const isTelling = parts.some(([, inner]) => inner !== '#' && inner !== '');
  return isTelling ? JSON.stringify(parts.sort()) : undefined;
}

const worthOf = (value: ExactValue): string => (value instanceof Digits ? worth(value.text) : '');

function worth(digits: string): string {
  const { numerator, denominator } = Rational.of(digits);
  return `${numerator}/${denominator}`;
}
