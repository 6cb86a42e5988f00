import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { startServer, type TestServer } from '../server.ts';
import { headersFor } from './fleet.ts';
import { postBatch } from './writers.ts';

/** Number of worlds, which are reused so that their contents stay about the same. */
const SANDBOXES = 8;

/** How many worlds a flood opens. */
const FLOODED_WORLDS = 80;

/** The admin token during the soak; a flood guesses at it. */
export const TOKEN = 'of-the-soak';

/** The tools of a part of the load. */
export interface Load {
  readonly url: string;
  /** Returns a whole number below a bound, chosen by the seed. */
  readonly pick: (below: number) => number;
  /** Grows with every use. */
  readonly count: () => number;
  /** Records a response to a path. Returns its text. */
  readonly record: (path: string, reply: { status: number; text: string }) => string;
  readonly receivers: Receivers;
}

/** Webhook receivers: one that responds, one that never does, one that hangs up, one that responds byte by byte. */
type Receivers = Readonly<Record<'prompt' | 'hanging' | 'resetting' | 'dripping', TestServer>>;

export async function openReceivers(): Promise<Receivers> {
  const [prompt, hanging, resetting, dripping] = await Promise.all([
    startServer(async (request, response) => {
      await text(request);
      response.writeHead(204).end();
    }),
    startServer(() => {}),
    startServer(({ socket }) => void socket.resetAndDestroy()),
    startServer((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 500);
      response.on('close', () => clearInterval(drip));
    }),
  ]);
  return { prompt, hanging, resetting, dripping };
}

const keyOf = (sandbox: number): string => `key_test_soak-${sandbox}`;
/** Closes the connection after each response: the server may close an idle one just as it is used again. */
const CLOSING = { 'X-Emulator-Admin': TOKEN, Connection: 'close' };

/** Sends a request, with a body as text or as JSON, by default to one of the worlds. Returns the text of the response. */
async function call(
  load: Load,
  method: string,
  path: string,
  body?: string | object,
  more: { readonly key?: string; readonly headers?: object; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const { key = keyOf(load.pick(SANDBOXES)), headers, signal } = more;
  return exchange(load, path, {
    method,
    headers: { ...headersFor(key), ...CLOSING, ...headers },
    ...(signal && { signal }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function exchange(load: Load, path: string, sent: RequestInit): Promise<string> {
  const answer = await fetch(load.url + path, sent);
  return load.record(path, { status: answer.status, text: await answer.text() });
}

/** Deletes the snapshots of every world, and resets it until its former generations are empty too. */
export async function resetAll(load: Load): Promise<void> {
  for (let sandbox = 0; sandbox < SANDBOXES; sandbox += 1) {
    const key = keyOf(sandbox);
    for (const name of SNAPSHOTS)
      await call(load, 'DELETE', `/_emulator/snapshots/${name}`, undefined, { key });
    for (let times = 0; times <= KEPT_STATES; times += 1)
      await call(load, 'POST', '/_emulator/reset', {}, { key });
  }
}

const SNAPSHOTS = ['saved-0', 'saved-1', 'saved-2'] as const;

/** Number of generations that all worlds together keep for undo. */
const KEPT_STATES = 10;

async function reportUsage(load: Load): Promise<void> {
  const batch = { writer: load.pick(2 ** 31), count: load.count(), size: 100 };
  const where = { url: load.url, key: keyOf(load.pick(SANDBOXES)) };
  load.record('/events', await postBatch(where, batch, { headers: CLOSING }));
  await call(load, 'GET', '/events?limit=200');
}

async function sendWebhooks(load: Load): Promise<void> {
  for (const { url } of Object.values(load.receivers))
    await call(load, 'POST', '/webhooks', { url, topics: ['*'] });
  await call(load, 'POST', '/webhooks/events/test/subscription.activated', {});
  await advanceImpatiently(load);
}

/** Advances a clock, and disconnects before the hanging deliveries that the advance waits for end. */
async function advanceImpatiently(load: Load): Promise<void> {
  const signal = AbortSignal.timeout(200);
  try {
    await call(load, 'POST', '/_emulator/clock/advance', { by: 'PT1H' }, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Replaces the contents of worlds by reset, import, restore and undo. */
async function replaceWorlds(load: Load): Promise<void> {
  const name = SNAPSHOTS[load.pick(SNAPSHOTS.length)];
  await call(load, 'POST', '/_emulator/snapshots', { name });
  await call(load, 'POST', '/_emulator/reset', { to: 'fixture', name: 'quickstart' });
  const exported = await call(load, 'GET', '/_emulator/export');
  await call(load, 'POST', '/_emulator/import', exported);
  await call(load, 'POST', '/_emulator/reset', { to: 'snapshot', name });
  await call(load, 'DELETE', `/_emulator/snapshots/${name}`);
  await call(load, 'POST', '/_emulator/reset', { to: 'previous' });
}

/** Opens many worlds at once, and deletes them again. */
async function floodWithKeys(load: Load): Promise<void> {
  const open = async (_: unknown, number: number) => {
    const key = `key_test_flood-${number}`;
    await call(load, 'GET', '/customers', undefined, { key });
    await call(load, 'DELETE', `/_emulator/sandboxes?name=flood-${number}`);
  };
  await Promise.all(Array.from({ length: FLOODED_WORLDS }, open));
}

async function floodWithRubbish(load: Load): Promise<void> {
  const key = keyOf(load.pick(SANDBOXES));
  const post = (path: string, body: string, headers = {}) =>
    call(load, 'POST', path, body, { key, headers });
  await Promise.all([
    post('/customers', 'x'.repeat(2 ** 21)),
    post('/customers', '['.repeat(10_000)),
    post('/_emulator/import', '{"format":'),
    post('/_emulator/inbox/soak', 'x'.repeat(2 ** 20)),
    post('/_emulator/import', `{"tables":{"customers":[${'{"id":"a"},'.repeat(300_000)}`),
    post('/_emulator/import', `{"format":"${'x'.repeat(2 ** 22)}"}`),
    post('/customers', '{"name":"x"}', { Origin: 'http://evil.example' }),
    ...Array.from({ length: 50 }, () => call(load, 'GET', `/events/${load.count()}`)),
  ]);
}

/** Sends requests that fill memory: to inboxes, with long headers, and guesses of tokens and links. */
async function floodWithHeaders(load: Load): Promise<void> {
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    exchange(load, path, { method, headers: { Connection: 'close', ...headers } });
  const long = { 'X-Long': 'x'.repeat(15_000) };
  const wrong = { 'X-Emulator-Admin': `guess-${load.count()}` };
  await Promise.all([
    ...Array.from({ length: 40 }, () => ask('POST', `/_emulator/inbox/n${load.pick(2_000)}`, long)),
    ask('GET', '/_emulator/clock', { ...wrong, Authorization: `Bearer ${keyOf(0)}` }),
    ask('GET', '/_emulator/inbox/soak', {}),
    ask('GET', `/hosted/checkout/guess-${load.count()}`, {}),
    ask('POST', '/_emulator/ui/populate', { 'Service-Signature': 't=1,v0=00' }),
  ]);
}

/** Opens connections that do not read the response, send half a request or nothing. Cuts them after a while. */
async function stopReading(load: Load): Promise<void> {
  const head = `Host: localhost\r\nAuthorization: Bearer ${keyOf(load.pick(SANDBOXES))}\r\nX-Emulator-Admin: ${TOKEN}\r\n`;
  const begun = [
    `GET /_emulator/export HTTP/1.1\r\n${head}\r\n`.repeat(20),
    `GET /events?limit=1000 HTTP/1.1\r\n${head}\r\n`.repeat(50),
    `GET /_emulator/ui/changes HTTP/1.1\r\n${head}\r\n`,
    `POST /events HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{`,
    'GET /customers HTT',
    '',
  ];
  const port = Number(new URL(load.url).port);
  const sockets = await Promise.all(begun.map((bytes) => openSilent(port, bytes)));
  await reportUsage(load);
  for (const [place, socket] of sockets.entries())
    if (place % 2 === load.pick(2)) socket.resetAndDestroy();
    else socket.destroy();
}

const openSilent = (port: number, bytes: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause().write(bytes);
      resolve(socket);
    });
    socket.on('error', () => socket.destroy());
  });

/** All parts of the load. Each runs once per round. */
export const LOADS: readonly ((load: Load) => Promise<void>)[] = [
  reportUsage,
  sendWebhooks,
  replaceWorlds,
  floodWithKeys,
  floodWithRubbish,
  floodWithHeaders,
  stopReading,
];
