import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target for tests of the kit that answers whatever a test wants. */
export interface FakeTarget {
  readonly baseUrl: string;
  /** Requests so far, as method and path. */
  readonly requests: readonly string[];
  /** Requests that may have changed something. */
  readonly writes: readonly string[];
  close(): Promise<void>;
}

export type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** Starts a target on a free port; `answer` is told how many requests came before. */
export async function aFakeTarget(answer: Answering): Promise<FakeTarget> {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answer(request, response, requests.length - 1));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    get writes() {
      return requests.filter((request) => !request.startsWith('GET '));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
