import type { Socket } from 'node:net';
import type { OperationId } from '../operations.ts';
import {
  type Change,
  gzipped,
  type ProxiedAnswer,
  remade,
  renamed,
  retold,
  saying,
  withHeaders,
  withItems,
  withMembers,
  withStatus,
} from './answer.ts';

/** One way in which a service answers an operation wrongly. */
export interface SickShape {
  readonly about: string;
  readonly on: OperationId;
  readonly change?: Change;
  /** Writes to the connection itself, for what no server of HTTP can be made to answer. */
  readonly write?: (socket: Socket, answer: ProxiedAnswer) => void;
  /** Whether the answer never ends, so that all there is to do is to give up. */
  readonly isEndless?: boolean;
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const answers = (about: string, change: Change, on: OperationId = 'getAsset') => ({
  about,
  on,
  change,
});
const lists = (about: string, change: Change) => answers(about, change, 'listAssets');
const raw = (about: string, text: (body: string) => string, keepsOpen = false): SickShape => ({
  about,
  on: 'getAsset',
  isEndless: keepsOpen,
  write(socket, { body }) {
    socket.write(text(body.toString()));
    if (!keepsOpen) socket.end();
  },
});
const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const MANY = 100_000;

/** Wrong answers, each of which has to turn a run red with one finding. */
export const SICK_SHAPES: readonly SickShape[] = [
  answers('null instead of an object', saying('null')),
  answers(
    'an array instead of an object',
    remade((body) => [body]),
  ),
  answers('a text instead of an object', saying('"fine"')),
  answers('a number instead of an object', saying('42')),
  answers('an empty object', saying('{}')),
  answers('an empty body', saying('')),
  answers('a page of HTML', saying('<!doctype html><p>Hello', { 'content-type': 'text/html' })),
  answers('JSON that is called plain text', withHeaders({ 'content-type': 'text/plain' })),
  answers(
    'truncated JSON',
    retold((text) => text.slice(0, text.length / 2)),
  ),
  answers(
    'two documents in one body',
    retold((text) => text + text),
  ),
  answers(
    'JSON behind a byte order mark',
    retold((text) => `\uFEFF${text}`),
  ),
  answers(
    'JSON within a text',
    retold((text) => JSON.stringify(text)),
  ),
  answers(
    'NaN, which is no JSON',
    retold((text) => text.replace(/"precision":\d+/, '"precision":NaN')),
  ),
  answers('bytes that are no UTF-8', saying(Buffer.from([0xc3, 0x28, 0xff, 0xfe]))),
  answers('brackets within brackets', saying('['.repeat(MANY) + ']'.repeat(MANY))),
  answers(
    'a body of 17 MiB',
    retold((text) => text + ' '.repeat(17 * 2 ** 20)),
  ),
  answers('202 instead of 200', withStatus(202)),
  answers('500 instead of 200', withStatus(500)),
  answers('404 instead of 200', withStatus(404)),
  answers('204 without a body', (answer) => withStatus(204)(saying('', {})(answer))),
  answers('a redirect to itself', withStatus(302, { location: '/assets' })),
  answers('429 for ever', withStatus(429, { 'retry-after': '0' })),
  answers('503 for ever', withStatus(503, { 'retry-after': '0' })),
  answers('an error with status 200', saying('{"message":"no","validations":[]}')),
  answers(
    'no code',
    withMembers(() => ({ code: undefined })),
  ),
  answers(
    'a name of null',
    withMembers(() => ({ name: null })),
  ),
  answers(
    'a code that is a number',
    withMembers(() => ({ code: 5 })),
  ),
  answers(
    'a number that is a text',
    withMembers(({ precision }) => ({ precision: `${precision}` })),
  ),
  answers(
    'an instant in Unix seconds',
    withMembers(() => ({ created_at: 1_767_604_350 })),
  ),
  answers(
    'an instant without a zone',
    withMembers(() => ({ created_at: '2026-01-05 10:00' })),
  ),
  answers(
    'an object where a list belongs',
    withMembers(() => ({ rates: {} })),
  ),
  answers(
    'another object than was asked for',
    withMembers(() => ({ code: 'OTHER' })),
  ),
  answers(
    'the object within an envelope',
    remade((data) => ({ data })),
  ),
  answers(
    'names in camel case',
    remade((body) => renamed(body, camel)),
  ),
  lists(
    'an object where its items belong',
    withItems(() => ({})),
  ),
  lists(
    'a list without its page',
    remade(({ items }) => items),
  ),
  lists(
    'nulls as items',
    withItems((items) => items.map(() => null)),
  ),
  lists(
    'no items whatever there is',
    withItems(() => []),
  ),
  lists(
    'its items backwards',
    withItems((items) => items.toReversed()),
  ),
  lists(
    'numbers that are texts',
    retold((text) => text.replaceAll(/":(\d+)/g, '":"$1"')),
  ),
  lists(
    'a negative count',
    withMembers(() => ({ total_count: -1 })),
  ),
  raw('no HTTP at all', () => 'hello\r\n\r\n'),
  raw('nothing but the end of the connection', () => ''),
  raw('nothing but 100 Continue', () => 'HTTP/1.1 100 Continue\r\n\r\n'),
  raw(
    'two lengths of one body',
    (body) => `${HEAD}content-length: 2\r\ncontent-length: 9\r\n\r\n${body}`,
  ),
  raw('a body shorter than its length', (body) => `${HEAD}content-length: 99999\r\n\r\n${body}`),
  raw('chunks of no size', (body) => `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n${body}`),
  raw(
    'chunks without an end',
    (body) => `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\n${body.slice(0, 4)}\r\n`,
  ),
  raw('headers of 100 kB', (body) => `${HEAD}x-much: ${'x'.repeat(MANY)}\r\n\r\n${body}`),
  raw('no answer at all', () => '', true),
  raw('a drip that never ends', (body) => `${HEAD}content-length: 99999\r\n\r\n${body}`, true),
  answers('plain bytes that are called gzip', withHeaders({ 'content-encoding': 'gzip' })),
  answers('gzip without its end', (answer) => {
    const { body, ...rest } = gzipped(answer);
    return { ...rest, body: body.subarray(0, body.length / 2) };
  }),
];
