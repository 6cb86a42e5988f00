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

/** One way in which a service returns a wrong response for an operation. */
export interface WrongResponse {
  readonly about: string;
  readonly on: OperationId;
  readonly change?: Change;
  /** Writes to the socket directly, for responses that an HTTP server cannot produce. */
  readonly write?: (socket: Socket, answer: ProxiedAnswer) => void;
  /** Whether the response never ends, so that the client can only give up. */
  readonly isEndless?: boolean;
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** Changes to the responses of an operation, by a description of the error. */
const answers = (on: OperationId, changes: Readonly<Record<string, Change>>): WrongResponse[] =>
  Object.entries(changes).map(([about, change]) => ({ about, on, change }));

type Written = Readonly<Record<string, (body: string) => string>>;

/** Raw text in place of the response. The connection ends after it, unless it is endless. */
const raw = (texts: Written, isEndless = false): WrongResponse[] =>
  Object.entries(texts).map(([about, text]) => ({
    ...{ about, on: 'getAsset', isEndless },
    write(socket, { body }) {
      socket.write(text(body.toString()));
      if (!isEndless) socket.end();
    },
  }));
const endless = (texts: Written) => raw(texts, true);

const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const MANY = 100_000;

/** Wrong responses. Each must fail a run with one finding. */
export const WRONG_RESPONSES: readonly WrongResponse[] = [
  ...answers('getAsset', {
    'null instead of an object': saying('null'),
    'an array instead of an object': remade((body) => [body]),
    'a text instead of an object': saying('"fine"'),
    'a number instead of an object': saying('42'),
    'an empty object': saying('{}'),
    'an empty body': saying(''),
    'a page of HTML': saying('<!doctype html><p>Hello', { 'content-type': 'text/html' }),
    'JSON that is called plain text': withHeaders({ 'content-type': 'text/plain' }),
    'truncated JSON': retold((text) => text.slice(0, text.length / 2)),
    'two documents in one body': retold((text) => text + text),
    'JSON behind a byte order mark': retold((text) => `\uFEFF${text}`),
    'JSON within a text': retold((text) => JSON.stringify(text)),
    'NaN, which is no JSON': retold((text) => text.replace(/"precision":\d+/, '"precision":NaN')),
    'bytes that are no UTF-8': saying(Buffer.from([0xc3, 0x28, 0xff, 0xfe])),
    'brackets within brackets': saying('['.repeat(MANY) + ']'.repeat(MANY)),
    'a body of 17 MiB': retold((text) => text + ' '.repeat(17 * 2 ** 20)),
    '202 instead of 200': withStatus(202),
    '500 instead of 200': withStatus(500),
    '404 instead of 200': withStatus(404),
    '204 without a body': (answer) => withStatus(204)(saying('', {})(answer)),
    'a redirect to itself': withStatus(302, { location: '/assets' }),
    '429 for ever': withStatus(429, { 'retry-after': '0' }),
    '503 for ever': withStatus(503, { 'retry-after': '0' }),
    'an error with status 200': saying('{"message":"no","validations":[]}'),
    'no code': withMembers(() => ({ code: undefined })),
    'a name of null': withMembers(() => ({ name: null })),
    'a code that is a number': withMembers(() => ({ code: 5 })),
    'a number that is a text': withMembers(({ precision }) => ({ precision: `${precision}` })),
    'an instant in Unix seconds': withMembers(() => ({ created_at: 1_767_604_350 })),
    'an instant without a zone': withMembers(() => ({ created_at: '2026-01-05 10:00' })),
    'an object where a list belongs': withMembers(() => ({ rates: {} })),
    'another object than was asked for': withMembers(() => ({ code: 'OTHER' })),
    'the object within an envelope': remade((data) => ({ data })),
    'names in camel case': remade((body) => renamed(body, camel)),
  }),
  ...answers('listAssets', {
    'an object where its items belong': withItems(() => ({})),
    'a list without its page': remade(({ items }) => items),
    'nulls as items': withItems((items) => items.map(() => null)),
    'no items whatever there is': withItems(() => []),
    'its items backwards': withItems((items) => items.toReversed()),
    'numbers that are texts': retold((text) => text.replaceAll(/":(\d+)/g, '":"$1"')),
    'a negative count': withMembers(() => ({ total_count: -1 })),
  }),
  ...raw({
    'no HTTP at all': () => 'hello\r\n\r\n',
    'nothing but the end of the connection': () => '',
    'nothing but 100 Continue': () => 'HTTP/1.1 100 Continue\r\n\r\n',
    'two lengths of one body': (body) =>
      `${HEAD}content-length: 2\r\ncontent-length: 9\r\n\r\n${body}`,
    'a body shorter than its length': (body) => `${HEAD}content-length: 99999\r\n\r\n${body}`,
    'chunks of no size': (body) => `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n${body}`,
    'chunks without an end': (body) =>
      `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\n${body.slice(0, 4)}\r\n`,
    'headers of 100 kB': (body) => `${HEAD}x-much: ${'x'.repeat(MANY)}\r\n\r\n${body}`,
  }),
  ...endless({
    'no answer at all': () => '',
    'a drip that never ends': (body) => `${HEAD}content-length: 99999\r\n\r\n${body}`,
  }),
  ...answers('getAsset', {
    'plain bytes that are called gzip': withHeaders({ 'content-encoding': 'gzip' }),
    'gzip without its end': (answer) => {
      const { body, ...rest } = gzipped(answer);
      return { ...rest, body: body.subarray(0, body.length / 2) };
    },
  }),
];
