import { describe, expect, it } from 'vitest';
import type { InspectorRequest } from '../inspector-request.ts';
import { compileSearch, misunderstood, parseSearch } from './search.ts';

const request = { world: { now: '2026-01-15T12:30:00.000Z' } } as InspectorRequest;

const ABOUT = {
  at: () => '2026-01-15T12:00:00.000Z',
  fields: {
    customer: () => ['cust_1', 'Acme GmbH', 'acme', undefined],
    status: () => ['422'],
    amount: () => ['-12.50', '3'],
    topic: () => ['wallet.balance_changed'],
  },
  text: () => ['{"path":"/customers?x=(1)"}'],
};

const finds = (text: string): boolean =>
  compileSearch<object>(parseSearch(text), ABOUT, request)({});
/** Returns a function that tells whether a value of this field matches the search. */
const validateBy = (field: string, text: string) => {
  const fields = { [field]: ({ value }: { readonly value: string }) => [value] };
  const isMatch = compileSearch(parseSearch(text), { fields }, request);
  return (value: string) => isMatch({ value });
};

describe('a search', () => {
  it.each([
    [''],
    ['   '],
    ['customer:acme'],
    ['customer:"acme gmbh"'],
    ['CUSTOMER:Acme'],
    ['customer:gmbh status:422 topic:* before:2026-02-01'],
    ['status:4*'],
    ['topic:wallet.*'],
    ['topic:balance'],
    ['after:2026-01-15 before:2026-01-16'],
    ['after:2026-01-15T12:00:00.000Z'],
    ['customers?x=(1)'],
    ['"Acme G"'],
    ['-status:200 -refund'],
    ['status:>=422'],
    ['status:>=400 status:<500'],
    ['amount:<0'],
    ['amount:<=-12.5'],
    ['amount:>2.999999999999999999'],
    ['after:-1h'],
    ['after:-1d before:-10m'],
  ])('finds the row with %j', (text) => {
    expect(finds(text)).toBe(true);
  });

  it.each([
    ['customer:acm'],
    ['status:>422'],
    ['status:<422'],
    ['amount:>3'],
    ['customer:>1'],
    ['after:-10m'],
    ['before:-1h'],
    ['status:42'],
    ['status:5*'],
    ['customer:acme status:200'],
    ['before:2026-01-15'],
    ['after:2026-01-16'],
    ['topic:wallet*debt'],
    ['refund'],
    ['-acme'],
    ['-status:422'],
    ['colour:red'],
    ['toString:*'],
    ['topic:walletXbalance*'],
  ])('does not find the row with %j', (text) => {
    expect(finds(text)).toBe(false);
  });

  it('takes characters of regular expressions literally', () => {
    expect(finds('status:(422')).toBe(false);
    expect(finds('status:[4]*')).toBe(false);
    expect(validateBy('a', 'a:x.+*')('x.+y')).toBe(true);
  });

  it('takes a URL as a word, not as a field', () => {
    expect(validateBy('url', 'https://example.com/*')('https://example.com/*')).toBe(true);
  });

  it('by before or after does not find rows without a time', () => {
    expect(validateBy('a', 'before:2030')('')).toBe(false);
    expect(validateBy('a', 'after:2000')('')).toBe(false);
  });

  it('is fast for a pattern with many stars', () => {
    expect(validateBy('a', `a:${'*a'.repeat(12)}*b`)('a'.repeat(60))).toBe(false);
  });

  it('reports each term that a list does not understand, and what it expected', () => {
    const search = parseSearch('after:yesterday before:-7d colour:red status:>=x -status: word');

    expect(misunderstood(search, ['status', 'amount'])).toEqual([
      'after:yesterday is not understood: expected a date such as 2026-01-31 or a relative time such as -7d.',
      'colour:red is not understood: this list has no field colour, but status, amount, before, after.',
      'status:>=x is not understood: expected a number, such as status:>=10.',
      '-status: is not understood: a value follows the colon, such as status:x.',
    ]);
    expect(misunderstood(parseSearch('amuont:3'), ['status', 'amount'])).toEqual([
      'amuont:3 is not understood: this list has no field amuont; did you mean amount.',
    ]);
  });
});
