import type { IncomingHttpHeaders } from 'node:http';
import express, { type Response } from 'express';
import type { Settings } from '../config/settings.ts';
import { carriesToken } from '../http/credentials.ts';
import { BadRequest } from '../http/input.ts';
import { emptyResponse, problem } from '../http/message.ts';
import type { World } from '../store/world.ts';
import { onClose } from '../store/world-local.ts';
import { type RelayResponse, type Relays, relayNameOf } from '../webhooks/relays.ts';
import { refuseFailed, sendRaw } from './inbox.ts';

interface RelayOptions {
  readonly relays: Relays;
  readonly settings: Settings;
  /** @throws Unavailable where there is no room for the world of the key */
  readonly worldOf: (headers: IncomingHttpHeaders) => World | undefined;
  readonly closing: AbortSignal;
}

/** Keeps the connection open, because proxies close silent ones. @units milliseconds */
const HEARTBEAT = 25_000;

/**
 * Listeners under `/_emulator/relay/NAME`. GET is a stream of lines of JSON: first the URL to register as a destination,
 * then each delivery; empty lines keep it open. POST to the number of a delivery says what the receiver responded.
 *
 * @assumes A-1401
 */
export function createRelayRouter({ relays, settings, worldOf, closing }: RelayOptions) {
  const router = express.Router();
  router.use((request, response, next) => {
    const world = carriesToken(request, settings) ? worldOf(request.headers) : undefined;
    if (!world) return sendRaw(response, emptyResponse(401));
    response.locals['world'] = world;
    next();
  });
  router.param('name', (_request, _response, next, name: string) => {
    if (relayNameOf(`/_emulator/relay/${name}`) !== undefined) next();
    else next(new BadRequest('A name has 1 to 64 lower-case letters, digits and hyphens.'));
  });
  router.get('/:name', ({ params: { name }, socket, secure }, response) => {
    const { world } = response.locals as { world: World };
    const scheme = secure ? 'https' : 'http';
    const url = `${scheme}://127.0.0.1:${socket.localPort}/_emulator/relay/${name}`;
    const write = startStream(response, { closing, world });
    write({ url });
    response.on('close', relays.open(name, world, write));
  });
  router.post('/:name/:number', express.json({ limit: '1mb' }), (request, response) => {
    const { name, number } = request.params;
    const answer = readResponse(request.body);
    const { world } = response.locals as { world: World };
    if (relays.answer(name, world, Number(number), answer)) sendRaw(response, emptyResponse(204));
    else sendRaw(response, problem(404, 'No delivery of this number waits for a response.'));
  });
  router.use(refuseFailed(settings));
  return router;
}

/** Starts a response of lines of JSON, which ends with its world. Returns what writes a line. */
function startStream(
  response: Response,
  { closing, world }: { readonly closing: AbortSignal; readonly world: World },
): (line: object) => void {
  response.set({ 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  // nginx, and proxies like it, would keep lines until there are some kilobytes of them.
  response.set('X-Accel-Buffering', 'no');
  const end = (): void => void response.end();
  closing.addEventListener('abort', end);
  const forget = onClose(world, end);
  const heartbeat = setInterval(() => response.write('\n'), HEARTBEAT);
  heartbeat.unref();
  response.on('close', () => {
    closing.removeEventListener('abort', end);
    forget();
    clearInterval(heartbeat);
  });
  return (line) => response.write(`${JSON.stringify(line)}\n`);
}

/** @throws BadRequest saying all that is wrong */
function readResponse(body: unknown): RelayResponse {
  const { status_code, error = null, body: text = '' } = Object(body) as Partial<RelayResponse>;
  const isStatus = Number.isInteger(status_code) && /^[1-5]\d\d$/.test(String(status_code));
  const problems = [
    ...(status_code === null || isStatus ? [] : ['status_code: expected 100 to 599, or null.']),
    ...(error === null || typeof error === 'string' ? [] : ['error: expected text.']),
    ...(typeof text === 'string' ? [] : ['body: expected text.']),
  ];
  if (problems.length > 0) throw new BadRequest(problems.join(' '));
  return { status_code: status_code as number | null, error: error ?? 'No response.', body: text };
}
