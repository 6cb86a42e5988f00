import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server on a free loopback port. */
export async function onLoopback(served: RequestListener | Server | SecureServer) {
  const server = typeof served === 'function' ? createServer(served) : served;
  // Clients in this process could reuse a connection that was closed while the process was busy.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a trailing slash. */
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    /** Closes every connection and stops listening. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A target for tests of the kit, whose responses the test writes. */
export type FakeTarget = Awaited<ReturnType<typeof aFakeTarget>>;

export type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** Starts a target on a free port, until the test ends. `answer` receives the number of earlier requests. */
export async function aFakeTarget(answer: Answering) {
  /** The requests so far, as method and path. */
  const requests: string[] = [];
  const server = await onLoopback((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answer(request, response, requests.length - 1));
  });
  closedAfterTest(server);
  return {
    baseUrl: server.baseUrl,
    requests,
    /** Requests other than GET. */
    get writes() {
      return requests.filter((request) => !request.startsWith('GET '));
    },
  };
}

/** Sends a JSON response. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** For tests: what a test has opened, which is closed when the test has ended. */
export function closedAfterTest<T extends { close(): unknown }>(opened: T): T {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}
