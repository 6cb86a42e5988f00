import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';

const KEY = 'key_test_emulator';

let client: TestClient;
let before: string;

beforeAll(async () => {
  client = createTestClient({
    fixture: 'quickstart',
    limits: { MAX_BODY_BYTES: 2_000, MAX_IMPORT_BYTES: 100_000 },
  });
  await client.api('saveSnapshot', { body: { name: 'saved' } }, 201);
  await client.api('createSandbox', { body: { name: 'other' } }, 201);
  before = await everything();
});

/** All that the operations could change: both worlds, their snapshots, and the sandboxes. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const key of [KEY, 'key_test_other'])
    for (const path of ['export', 'snapshots', 'sandboxes', 'requests']) {
      const { text } = await client.http
        .get(`/_emulator/${path}`)
        .set('Authorization', `Bearer ${key}`);
      texts.push(text);
    }
  return texts.join('\n');
}

interface BadCall {
  readonly call: string;
  readonly key?: string;
  readonly body?: string | object;
  readonly type?: string;
  readonly status: number;
  /** Text that the response contains. */
  readonly names?: string;
}

const OPERATIONS = [
  'POST /_emulator/reset',
  'GET /_emulator/snapshots',
  'POST /_emulator/snapshots',
  'DELETE /_emulator/snapshots/saved',
  'GET /_emulator/export',
  'POST /_emulator/import',
  'GET /_emulator/sandboxes',
  'POST /_emulator/sandboxes',
  'DELETE /_emulator/sandboxes?name=other',
];
const WITH_BODY = ['reset', 'snapshots', 'import', 'sandboxes'].map(
  (name) => `POST /_emulator/${name}`,
);

const BAD: readonly BadCall[] = [
  ...OPERATIONS.map((call) => ({ call, key: 'nonsense', status: 401 })),
  ...WITH_BODY.flatMap((call) => [
    { call, body: '{"name": ', status: 400, names: 'valid JSON' },
    { call, body: '[1]', status: 400, names: 'JSON object' },
    { call, body: '{"name": "x"}', type: 'text/plain', status: 400, names: 'application/json' },
    { call, body: { name: 'x', colour: 'red' }, status: 422, names: 'colour' },
    { call, body: { [`x${'y'.repeat(110_000)}`]: 1 }, status: 413, names: 'bytes' },
    { call, body: '{"name": "a\\u0000b"}', status: 422, names: 'name' },
    { call, body: '['.repeat(100) + ']'.repeat(100), status: 400, names: 'nested' },
  ]),
  ...WITH_BODY.slice(1).map((call) => ({ call, body: '', status: 400, names: 'body is required' })),
  { call: 'GET /_emulator/snapshots?colour=red', status: 400, names: 'colour' },
  { call: 'GET /_emulator/export?colour=red', status: 400, names: 'colour' },
  { call: 'GET /_emulator/sandboxes?limit=0', status: 400, names: 'limit' },
  { call: 'GET /_emulator/sandboxes?offset=-1', status: 400, names: 'offset' },
  { call: 'DELETE /_emulator/sandboxes', status: 400, names: 'name' },
  {
    call: 'DELETE /_emulator/sandboxes?name=nowhere',
    status: 404,
    names: 'is named nowhere in world test/',
  },
  { call: 'DELETE /_emulator/sandboxes?name=Other', status: 404, names: 'the nearest is other.' },
  { call: 'DELETE /_emulator/snapshots/nowhere', status: 404 },
  { call: 'DELETE /_emulator/snapshots/%zz', status: 400, names: 'percent' },
  { call: 'POST /_emulator/snapshots', body: { name: null }, status: 422, names: 'name' },
  {
    call: 'POST /_emulator/sandboxes',
    body: { name: 'other' },
    status: 409,
    names: 'other already exists',
  },
  { call: 'POST /_emulator/sandboxes', body: { name: 'new', time_to_live: '-1h' }, status: 422 },
  { call: 'POST /_emulator/sandboxes', body: { name: 'new', time_to_live: 'PT0S' }, status: 422 },
  { call: 'POST /_emulator/sandboxes', body: { name: 'x'.repeat(64) }, status: 422, names: 'name' },
  { call: 'POST /_emulator/reset', body: { to: 7 }, status: 422, names: 'to' },
  { call: 'PUT /_emulator/reset', status: 405, names: 'POST' },
  { call: 'DELETE /_emulator/export', status: 405, names: 'GET' },
];

function send({ call, key = KEY, body, type = 'application/json' }: BadCall) {
  const [method, path] = call.split(' ') as [string, string];
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const request = client.http[verb](path).set('Authorization', `Bearer ${key}`);
  if (body === undefined) return request;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return request.set('Content-Type', type).send(text);
}

describe('invalid requests to operations that replace worlds', () => {
  it.each(BAD)('$call $body returns $status, names the error and changes nothing', async (bad) => {
    const { status, text } = await send(bad);

    expect([status, text]).toEqual([bad.status, expect.stringContaining(bad.names ?? '')]);
    expect(await everything()).toBe(before);
  });

  it('an import with numbers beyond every world is rejected and changes nothing', async () => {
    const world = (await client.api('exportWorld')) as AnyBody;
    const clock = { mode: 'offset', offset_ms: -1e300 };
    const body = { ...world, sequence: 1e300, requests: 2 ** 53, clock };
    const { errors } = await client.api('importWorld', { body }, 422);

    expect(Object.keys(errors)).toEqual(['clock.offset_ms', 'sequence', 'requests']);
    expect(await everything()).toBe(before);
  });

  it('an invalid import is rejected with all errors at once', async () => {
    const world = JSON.parse(
      (await client.http.get('/_emulator/export').set('Authorization', `Bearer ${KEY}`)).text,
    ) as AnyBody;
    const [customer] = world.tables.customers;
    const body = {
      ...world,
      environment: 'staging',
      sequence: -1,
      tables: { ...world.tables, customers: [{ ...customer, name: 7 }], colours: [] },
    };
    const { errors } = await client.api('importWorld', { body }, 422);

    expect(Object.keys(errors).sort()).toEqual([
      'environment',
      'sequence',
      'tables.colours',
      'tables.customers[0].name',
    ]);
    expect(await everything()).toBe(before);
  });
});
