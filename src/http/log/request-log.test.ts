import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import type { World } from '../../store/world.ts';
import { createTestClient } from '../../testing/client.ts';
import { anEmptyWorld, imageOf, restoreWorld } from '../../testing/worlds.ts';
import type { Exchange } from './exchange.ts';
import { RequestLog } from './request-log.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const at = instant('2026-01-15T12:00:00Z');

function anExchange(world: World): Exchange {
  return {
    ordinal: 1,
    isMove: false,
    world,
    at,
    requestId: 'req_1',
    receivedAt: 0,
    took: 0,
    rawRequest: { method: 'GET', path: '/', search: '', headers: {} },
    requestBody: Buffer.alloc(0),
    rawResponse: { status: 204, headers: {}, text: '' },
    changes: [],
    operation: undefined,
    path: {},
    owner: world.accountId,
  };
}

/** Returns the number of exchanges that are still in memory. */
async function countHeld(exchanges: readonly WeakRef<Exchange>[]): Promise<number> {
  await turn();
  collectGarbage();
  return exchanges.filter((exchange) => exchange.deref()).length;
}

it('frees exchanges of a replaced world or above the limit, and no others', async () => {
  const log = new RequestLog({ MAX_LOGGED_REQUESTS: 30, MAX_LOG_BYTES: 1_000_000 });
  const [world, other] = [anEmptyWorld({ sandbox: 'one' }), anEmptyWorld({ sandbox: 'two' })];
  const add = (to: World) =>
    Array.from({ length: 50 }, () => {
      const exchange = anExchange(to);
      log.record(exchange);
      return new WeakRef(exchange);
    });
  const [mine, theirs] = [add(world), add(other)];

  expect(await countHeld(mine)).toBe(30);
  restoreWorld(world, imageOf(world));
  expect(await countHeld(mine)).toBe(0);
  expect(await countHeld(theirs)).toBe(30);
  expect(log.list(other)).toHaveLength(30);
});

const text = { type: 'string' };
const number = { type: 'number' };
const closed = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const pair = closed({ name: text, value: text });
const message = { httpVersion: text, cookies: list({}), headers: list(pair) };
const sizes = { headersSize: { type: 'integer' }, bodySize: { type: 'integer' } };

/** The schema of HAR 1.2, without the fields that the emulator does not write. */
const HAR = closed({
  log: closed({
    version: { const: '1.2' },
    creator: closed({ name: text, version: text }),
    entries: list(
      closed({
        startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
        time: { type: 'number', minimum: 0 },
        request: closed(
          {
            method: text,
            url: { type: 'string', pattern: '^http://' },
            ...message,
            queryString: list(pair),
            ...sizes,
            postData: closed({ mimeType: text, text }),
          },
          ['postData'],
        ),
        response: closed({
          status: { type: 'integer' },
          statusText: text,
          ...message,
          redirectURL: text,
          content: closed({ size: number, mimeType: text, text }),
          ...sizes,
        }),
        cache: closed({}),
        timings: closed({ send: number, wait: number, receive: number }),
        comment: text,
      }),
    ),
  }),
});

it('exports requests as HAR 1.2, oldest first, without secrets', async () => {
  const client = createTestClient();
  const headers = { 'X-Api-Key': 'canary', Cookie: 'session=canary' };
  const url = 'https://hooks.example/?token=canary';
  await client.send('createWebhook', { headers, body: { url } });
  await client.api('advanceClock', { body: { by: 'P1D' } });
  await client.api('listEvents', { query: { subject: 'a b', limit: 1 } });

  const har = await client.api('exportRequests', { query: { format: 'har' } });
  const validate = new Ajv({ allErrors: true }).compile(HAR);

  expect(validate(har) ? [] : validate.errors).toEqual([]);
  const { name, version } = createRequire(import.meta.url)('../../../package.json');
  expect(har.log.creator).toEqual({ name, version });
  expect(har.log.entries.map(({ request }: { request: object }) => request)).toMatchObject([
    { method: 'POST', postData: { text: '{"url":"https://hooks.example/?token=***"}' } },
    {
      method: 'GET',
      url: expect.stringMatching(/\/events\?subject=a\+b&limit=1$/),
      queryString: [
        { name: 'subject', value: 'a b' },
        { name: 'limit', value: '1' },
      ],
    },
  ]);
  expect(JSON.stringify(har)).not.toMatch(/canary|whsec_\w{9}|key_test_e/);
});
