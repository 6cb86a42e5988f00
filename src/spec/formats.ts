import type { Format } from 'ajv';
import { fastFormats } from 'ajv-formats/dist/formats.js';
import { decimal, decimalPlaces, magnitude, significantDigits } from '../domain/decimal.ts';
import { parseClockTime, parseDuration, parseInstant } from '../domain/instant.ts';

function whole(bits: number): Format {
  const beyond = 2 ** (bits - 1);
  // A double cannot tell the largest int64 from the number after it.
  const most = bits === 64 ? beyond : beyond - 1;
  const validate = (value: number) => Number.isInteger(value) && value >= -beyond && value <= most;
  return { type: 'number', validate };
}

export const FORMATS: Readonly<Record<string, Format>> = {
  email: fastFormats.email as Format,
  'uri-reference': fastFormats['uri-reference'] as Format,
  double: { type: 'number', validate: () => true },
  'decimal-input': { type: 'number', validate: isAcceptedDecimal },
  'inverse-input': { type: 'number', validate: isAcceptedInverse },
  int16: whole(16),
  int32: whole(32),
  int64: whole(64),
  date: isDate,
  'date-time': isDateTime,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  uri: isAbsoluteUrl,
  moment: isMoment,
};

const DATE_TIME =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined;
}

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && parseInstant(text) !== undefined;
}

function isAbsoluteUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(text) && URL.canParse(text);
}

/** Whether a text is an instant of a clock, or a duration, which can be negative. */
function isMoment(text: string): boolean {
  return parseClockTime(text) !== undefined || parseDuration(text.replace(/^-/, '')) !== undefined;
}

/** Whether a number in a request fits the digits that a double holds without loss. @assumes A-303 */
function isAcceptedDecimal(value: number): boolean {
  if (Number.isSafeInteger(value)) return Math.abs(value) < 1e15;
  const exact = decimal(value);
  return decimalPlaces(exact) <= 10 && significantDigits(exact) <= 15 && magnitude(exact) < 15;
}

/** Same for a rate given by its inverse, which can have more decimal places. @assumes A-402 */
function isAcceptedInverse(value: number): boolean {
  const exact = decimal(value);
  return significantDigits(exact) <= 15 && Math.abs(magnitude(exact)) < 15;
}
