import { expect, it } from 'vitest';
import { compareExpected, compareHeaders } from './expectations.ts';

const messages = (found: readonly { readonly message: string }[]) =>
  found.map(({ message }) => message);

const ANSWER = { items: [{ id: 'a', secret: 'b', note: null }], total: 1 };

it.each([
  [{ items: [{ id: 'a' }] }, false, []],
  [{ items: [{ id: 'a', secret: 'b' }], total: 1 }, true, []],
  [{ items: [{ id: 'a' }], total: 1 }, true, ['secret: expected null, got "b"']],
  [{ items: [{ id: 'a', secret: 'b' }] }, true, ['total: expected null, got 1']],
  [
    { items: [] },
    false,
    ['items: expected 0 entries, got 1: [{"id":"a","secret":"b","note":null}]'],
  ],
])('compareExpected compares a body with %j, exactly: %s', (expected, isExact, problems) => {
  expect(messages(compareExpected(expected, ANSWER, [], isExact))).toEqual(problems);
});

const HEADERS = { location: 'https://a.example/customers/c1?x=1', 'retry-after': '2' };

it.each([
  [{ Location: '/customers/c1?x=1', 'Retry-After': '2' }, []],
  [{ Location: 'https://a.example/customers/c1?x=1' }, []],
  [
    { Location: '/customers/c2?x=1' },
    ['Location: expected "/customers/c2?x=1", got "/customers/c1?x=1"'],
  ],
  [{ ETag: '"1"' }, ['ETag: expected "\\"1\\"", got nothing']],
])('compareHeaders compares headers with %j', (expected, problems) => {
  expect(messages(compareHeaders(expected, HEADERS, []))).toEqual(problems);
});
