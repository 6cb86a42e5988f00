import { expect, it } from 'vitest';
import { redactHeaders, redactText } from './redaction.ts';

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
