import { expect, it } from 'vitest';
import { redactHeaders, redactText, replacingAll } from './redaction.ts';

it.each([
  ['https://a.example/x?token=abc&page=2', 'https://a.example/x?token=***&page=2'],
  [
    '{"url":"https://a.example/?access_token=a.b-c"}',
    '{"url":"https://a.example/?access_token=***"}',
  ],
  [
    'https://a.example/?q=1&X-Amz-Signature=ff00#top',
    'https://a.example/?q=1&X-Amz-Signature=***#top',
  ],
  ['https://a.example/#access_token=abc&state=1', 'https://a.example/#access_token=***&state=1'],
  ['https://a.example/?api_key=abc&apikey=def', 'https://a.example/?api_key=***&apikey=***'],
  [
    String.raw`"https://a.example/?a=1\u0026token=abc`,
    String.raw`"https://a.example/?a=1\u0026token=***`,
  ],
  ['amqp://me:pa55@host/queue', 'amqp://me:***@host/queue'],
  ['https://a.example/tokens?page=token', 'https://a.example/tokens?page=token'],
  ['see https://a.example:8080/@me', 'see https://a.example:8080/@me'],
  ['?key=key_test_acme', '?key=key_test_***'],
  ['/hosted/portal/abc-def whsec_12ab', '/hosted/portal/*** whsec_***'],
  ['/hosted/portal/visits/abc-def?notice=paid', '/hosted/portal/visits/***?notice=paid'],
])('redactText() returns for %s the text %s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

it('redactHeaders() redacts headers with secrets and no others', () => {
  const secret = {
    Authorization: 'a',
    'Proxy-Authorization': 'b',
    'X-Auth-Token': 'c',
    'x-token': 'd',
    'X-Acme-Api-Key': 'e',
    Cookie: 'f',
    'X-Emulator-Admin': 'g',
  };
  const open = { 'X-Request-Id': 'req_1', Accept: 'text/plain', 'X-Tokens-Used': '7' };

  expect(redactHeaders({ ...secret, ...open })).toEqual({
    ...Object.fromEntries(Object.keys(secret).map((name) => [name, '***'])),
    ...open,
  });
});

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
