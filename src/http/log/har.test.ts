import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';

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
            ...{ method: text, url: { type: 'string', pattern: '^http://' } },
            ...{ ...message, queryString: list(pair), ...sizes },
            postData: closed({ mimeType: text, text }),
          },
          ['postData'],
        ),
        response: closed({
          ...{ status: { type: 'integer' }, statusText: text, ...message, redirectURL: text },
          ...{ content: closed({ size: number, mimeType: text, text }), ...sizes },
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
  await client.control('advanceClock', { body: { by: 'P1D' } }, 200);
  await client.api('listEvents', { query: { subject: 'a b', limit: 1 } }, 200);

  const har = await client.control('exportRequests', { query: { format: 'har' } }, 200);
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
