import { expect, it } from 'vitest';
import { replacingAll } from './replace-all.ts';

const replace = replacingAll(
  new Map([
    ['Ada "A" Möller', 'Customer 1'],
    ['Ada', 'Customer 2'],
    ['s3cret+/=', '***'],
  ]),
);

it.each([
  ['Ask Ada, not Adam', 'Ask Customer 2, not Adam'],
  ['Ada "A" Möller and Ada', 'Customer 1 and Customer 2'],
  ['/customers?name=Ada%20%22A%22%20M%C3%B6ller', '/customers?name=Customer%201'],
  ['/customers?name=Ada+%22A%22+M%C3%B6ller&a=1', '/customers?name=Customer+1&a=1'],
  [String.raw`{"name":"Ada \"A\" Möller"}`, '{"name":"Customer 1"}'],
  ['?key=s3cret%2B%2F%3D', '?key=***'],
  // `s3cret+/=` in base64 is czNjcmV0Ky89, with a colon after it czNjcmV0Ky89Og==; `***` is Kioq and KioqOg==.
  ['Basic czNjcmV0Ky89Og==', 'Basic KioqOg=='],
  ['czNjcmV0Ky89', 'Kioq'],
])('replacingAll() replaces whole values, also encoded ones, in %s', (text, expected) => {
  expect(replace(text)).toBe(expected);
});
