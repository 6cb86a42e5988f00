import { findCurrency } from '../domain/currencies.ts';
import {
  absolute,
  CURRENCY_PLACES,
  type Decimal,
  type DecimalText,
  decimal,
  format,
  isNegative,
  isZero,
  multiply,
  round,
} from '../domain/decimal.ts';
import type { Day, Instant, Interval } from '../domain/instant.ts';
import type { Profitability } from '../domain/profitability.ts';
import type { Cycle } from '../domain/spans.ts';
import { findAsset } from '../resources/assets/asset-lookup.ts';
import type { Context } from '../resources/context.ts';

/** The locale of amounts. It is always English, so that tests give the same result on every machine. */
const LOCALE = 'en';

/** Returns a billing cycle as text, such as `each month` or `every 3 months`. */
export function cycleText(
  cycle: Cycle | { readonly interval: Interval; readonly interval_count?: number },
): string {
  const { interval, interval_count = 1 } = typeof cycle === 'string' ? { interval: cycle } : cycle;
  return interval_count === 1 ? `each ${interval}` : `every ${interval_count} ${interval}s`;
}

/**
 * Formats an amount of a currency, such as `$12.50`, `¥500` or `BHD 1.000`.
 *
 * @units major units; at least the places of the currency, and every further digit there is
 * @assumes A-401 the places are those of ISO 4217, not those of the runtime
 */
export function money(amount: DecimalText, currency: string): string {
  const places = findCurrency(currency)?.precision ?? 0;
  const text = numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: Math.max(places, CURRENCY_PLACES),
  }).format(amount as Intl.StringNumericLiteral);
  return withMinus(text);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats are cached, because creating one takes far longer than using it. */
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = JSON.stringify(options);
  const format = formats.get(name) ?? new Intl.NumberFormat(LOCALE, options);
  formats.set(name, format);
  return format;
}

/** Replaces the hyphen with a minus sign, which is as wide as a plus sign. */
const withMinus = (text: string): string => text.replace('-', '−');

/** Formats an amount of any asset: a currency as money, a custom asset with its label. */
export function quantity(context: Context | undefined, amount: DecimalText, code: string): string {
  if (findCurrency(code)) return money(amount, code);
  const label = (context && findAsset(context, code)?.label) ?? code;
  return `${numberText(amount)} ${label}`;
}

/** Formats a round amount for an axis, such as `$1.5K`. The precision of a double is enough here. */
export function shortQuantity(amount: number, code: string): string {
  const style = findCurrency(code) ? ({ style: 'currency', currency: code } as const) : {};
  const format = numberFormat({
    ...style,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumSignificantDigits: 15,
  });
  return withMinus(format.format(amount));
}

/** Formats a number with thousands separators and all of its digits, such as `1,234.5`, with at least so many decimals. */
export function numberText(value: number | DecimalText, minimumFractionDigits = 0): string {
  const format = numberFormat({ minimumFractionDigits, maximumFractionDigits: 20 });
  return withMinus(format.format(value as number | Intl.StringNumericLiteral));
}

const HUNDRED = decimal(100);

/** Formats a share as a percentage, such as `71.1 %`. */
const percent = (share: Decimal): string =>
  `${numberText(format(round(multiply(share, HUNDRED), 1)), 1)} %`;

/** A margin in percent; without revenue there is none. @assumes A-902 */
export const marginText = ({ gross_revenue, margin }: Profitability): string =>
  isZero(gross_revenue) ? '–' : percent(margin);

/** Lists names with their values, such as `model: large, region: eu`. */
export function pairsText(pairs: Readonly<Record<string, unknown>> | null | undefined): string {
  return Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

/** Formats an amount with its sign: `+$5.00`, `−$4.17`. */
export function signed(context: Context | undefined, amount: DecimalText, code: string): string {
  const value = decimal(amount);
  const size = quantity(context, format(absolute(value)), code);
  return `${isNegative(value) ? '−' : '+'}${size}`;
}

/** Returns a function that writes a date in a way. */
function dateWriter(options: Intl.DateTimeFormatOptions): (day: Day | Instant) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (day) => format.format(Date.parse(day));
}

const fullDayText = dateWriter({ dateStyle: 'full' });

/** A day such as `15 Jan 2026`. */
export const dayText = dateWriter({ dateStyle: 'medium' });
/** A day for a heading, such as `Thursday 15 January 2026`; some runtimes write a comma. */
export const longDayText = (day: Day): string => fullDayText(day).replace(',', '');
/** A day without its year, such as `15 Jan`. */
export const shortDayText = dateWriter({ day: 'numeric', month: 'short' });
export const monthText = dateWriter({ month: 'long', year: 'numeric' });

/** The name of a field or a table in words. */
export const fieldWord = (name: string): string =>
  capitalized(
    name
      .replace(/(?<!external)_id$/, '')
      .replace(/url$/, 'URL')
      .replaceAll(/[._]/g, ' '),
  );

/** The beginning of a name, which customers may have of any length and in any script, for a sentence. */
export function shortName(name: string): string {
  const text = visibleText([...name].slice(0, MAX_NAME).join(''));
  return BEYOND_LATIN.test(text) ? `${ISOLATE}${text}${END_OF_ISOLATE}` : text;
}

const MAX_NAME = 60;
const BEYOND_LATIN = /[^\u0020-\u024f]/;
/** What is between these characters does not change the direction of the sentence around it. */
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** A text; words for one of which nothing would be seen, and which nobody could click. */
export const visibleText = (text: string): string => (VISIBLE.test(text) ? text : '(blank)');

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
