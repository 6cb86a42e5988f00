import { describe, expect, it } from 'vitest';
import {
  after,
  before,
  dayOf,
  duration,
  endOfDay,
  fromMillis,
  type Instant,
  instant,
  LAST_INSTANT,
  laterBy,
  monthStart,
  nearestInstant,
  parseDuration,
  parseInstant,
  startOfDay,
  toMillis,
  toUnixSeconds,
} from './instant.ts';

const at = (text: string): Instant => instant(text);

describe('parseInstant', () => {
  it.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31t10:00:00z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['2026-01-01T00:30:00+05:45', '2025-12-31T18:45:00.000Z'],
    ['2026-02-28T23:30:00-01:00', '2026-03-01T00:30:00.000Z'],
    ['2026-01-31T10:00:00-00:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5Z', '2026-01-31T10:00:00.500Z'],
    ['2026-01-31T10:00:00.123999999Z', '2026-01-31T10:00:00.123Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
    ['2026-04-30T00:00:00.000Z', '2026-04-30T00:00:00.000Z'],
    ['2026-12-31T00:00:00.000Z', '2026-12-31T00:00:00.000Z'],
    ['9999-12-31T23:00:00-00:30', '9999-12-31T23:30:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('parses %s as %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it('keeps each of 1,000 milliseconds', () => {
    for (let millis = 0; millis < 1_000; millis += 1) {
      const text = `2026-01-31T10:00:00.${String(millis).padStart(3, '0')}Z`;
      expect(parseInstant(text)).toBe(text);
    }
  });

  it.each([
    '2016-12-31T23:59:60Z', // A real leap second.
    '2026-02-29T10:00:00Z',
    '2026-04-31T10:00:00Z',
    '2026-06-31T10:00:00Z',
    '2026-09-31T10:00:00Z',
    '2026-11-31T10:00:00Z',
    '2028-02-30T10:00:00Z',
    '2028-02-31T10:00:00Z',
    '2100-02-29T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T10:60:00Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'soon',
    '',
  ])('returns undefined for "%s", and instant() throws', (text) => {
    expect(parseInstant(text)).toBeUndefined();
    expect(() => instant(text)).toThrow(RangeError);
  });

  it('returns texts that sort in the order of time', () => {
    const texts = [
      '2026-01-31T23:00:00-05:00',
      '2026-02-01T00:00:00Z',
      '2026-01-31T09:00:00+14:00',
    ];

    expect(texts.map(at).toSorted()).toEqual([
      '2026-01-30T19:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
      '2026-02-01T04:00:00.000Z',
    ]);
  });
});

describe('after and before', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00Z', 'P1M', '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 'PT24H', '2026-02-01T10:00:00.000Z'],
    ['2026-03-29T00:30:00Z', 'P1D', '2026-03-30T00:30:00.000Z'],
    ['2026-01-31T10:00:00Z', '34d', '2026-03-06T10:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '1ms', '2027-01-01T00:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 'PT0S', '2026-01-31T10:00:00.000Z'],
    ['9999-11-30T10:00:00Z', 'P1M', '9999-12-30T10:00:00.000Z'],
    ['9999-12-31T23:59:59.998Z', '1ms', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999Z', '1ms', '9999-12-31T23:59:59.999Z'],
    ['9999-12-15T00:00:00Z', 'P1M', '9999-12-31T23:59:59.999Z'],
    ['2026-01-31T10:00:00Z', 'P-3000Y', '0000-01-01T00:00:00.000Z'],
  ])('%s and %s later is %s', (moment, span, expected) => {
    expect(after(at(moment), span)).toBe(expected);
  });

  it.each([
    ['2026-03-31T10:00:00Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2026-01-15T12:00:00Z', 'P34D', '2025-12-12T12:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 'PT5M', '2025-12-31T23:55:00.000Z'],
    ['1970-01-02T00:00:00Z', 'P1D', '1970-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', 'P1D', '1969-12-31T00:00:00.000Z'],
    ['2028-02-29T00:00:00Z', 'P1Y', '2027-02-28T00:00:00.000Z'],
    ['0000-01-02T00:00:00Z', 'P1D', '0000-01-01T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', 'PT1S', '0000-01-01T00:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 'P3000Y', '0000-01-01T00:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 'P999999999Y', '0000-01-01T00:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 'P-9000Y', '9999-12-31T23:59:59.999Z'],
  ])('%s and %s earlier is %s', (moment, span, expected) => {
    expect([span, duration(span)].map((length) => before(at(moment), length))).toEqual([
      expected,
      expected,
    ]);
  });
});

describe('laterBy', () => {
  it('returns undefined beyond LAST_INSTANT', () => {
    expect(laterBy(LAST_INSTANT, duration('1ms'))).toBeUndefined();
    expect(laterBy(LAST_INSTANT, duration('P1M'))).toBeUndefined();
    expect(laterBy(at('9999-12-31T23:59:59.998Z'), duration('1ms'))).toBe(LAST_INSTANT);
  });
});

describe('parseDuration', () => {
  it.each([
    ['30d', 'P30D'],
    ['15m', 'PT15M'],
    ['1mo', 'P1M'],
    ['2w', 'P2W'],
    ['1y', 'P1Y'],
    ['P1Y2M3DT4H5M6S', 'P1Y2M3DT4H5M6S'],
    ['PT5M', 'PT5M'],
  ])('parses %s as %s', (text, expected) => {
    expect(parseDuration(text)?.toISO()).toBe(expected);
  });

  it.each(['', '5', 'd', '1.5d', 'tomorrow', '5 d', 'P', 'PT', 'P1DT'])(
    'returns undefined for "%s", and duration() throws',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
      expect(() => duration(text)).toThrow(RangeError);
    },
  );
});

describe('instants as days and as numbers', () => {
  it('convert to the day, its first and last instant, and the first day of its month', () => {
    const moment = at('2026-03-31T23:59:59.999Z');

    expect(dayOf(moment)).toBe('2026-03-31');
    expect(monthStart(moment)).toBe('2026-03-01');
    expect(startOfDay(dayOf(moment))).toBe('2026-03-31T00:00:00.000Z');
    expect(endOfDay(dayOf(moment))).toBe('2026-03-31T23:59:59.999Z');
  });

  it('convert to milliseconds and seconds since 1970, and back', () => {
    expect(toMillis(at('1970-01-02T00:00:00.001Z'))).toBe(86_400_001);
    expect(fromMillis(86_400_001)).toBe('1970-01-02T00:00:00.001Z');
    expect(toUnixSeconds(at('2026-01-15T12:00:00.999Z'))).toBe(1_768_478_400);
  });
});

describe('nearestInstant', () => {
  it.each([
    [1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
    [253_402_300_800_000, '9999-12-31T23:59:59.999Z'],
    [1e300, '9999-12-31T23:59:59.999Z'],
    [-1, '1970-01-01T00:00:00.000Z'],
    [-1e300, '1970-01-01T00:00:00.000Z'],
  ])('of %s ms is from 1970 to 9999', (millis, expected) => {
    expect(nearestInstant(millis)).toBe(expected);
  });
});
