import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { startServer } from '../server.ts';

const LOOK_MS = 100;

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A load balancer that gives each request to another emulator, on a connection of its own. It leaves out those that are not
 * ready, and tries the next one if nobody listens. A connection that is cut is cut for its client too.
 */
export async function startBalancer(urls: () => readonly string[]): Promise<Balancer> {
  const unready = new Set<string>();
  let turn = 0;
  const look = async (url: string) => {
    const signal = AbortSignal.timeout(1_000);
    const isReady = await fetch(`${url}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) unready.delete(url);
    else unready.add(url);
  };
  const looking = setInterval(() => void urls().map(look), LOOK_MS);
  const server = createServer((request, response) => {
    const ready = urls().filter((url) => !unready.has(url));
    turn += 1;
    pass(
      request,
      response,
      ready.map((_, place) => ready[(turn + place) % ready.length] as string),
    );
  });
  const { url, close } = await startServer(server);
  return {
    url,
    close() {
      clearInterval(looking);
      return close();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, urls: readonly string[]): void {
  const [url, ...others] = urls;
  if (url === undefined) {
    response.writeHead(503, { 'Retry-After': '1' }).end();
    return;
  }
  const { hostname, port } = new URL(url);
  const { method, rawHeaders: headers } = request;
  const upstream = httpRequest({
    hostname,
    port,
    method,
    path: request.url,
    headers,
    agent: false,
  });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode as number, answer.rawHeaders);
    response.flushHeaders();
    pipeline(answer, response, () => {});
  });
  upstream.on('error', ({ code }: NodeJS.ErrnoException) => {
    request.unpipe(upstream);
    if (code === 'ECONNREFUSED') pass(request, response, others);
    else response.socket?.resetAndDestroy();
  });
  response.on('close', () => upstream.destroy());
  // What is refused has taken nothing of the body yet.
  upstream.on('socket', (socket) => socket.once('connect', () => request.pipe(upstream)));
}
