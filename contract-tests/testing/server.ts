import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { onLoopback } from '../kit/loopback.ts';

/** A target for tests of the kit, whose responses the test writes. */
export type FakeTarget = Awaited<ReturnType<typeof aFakeTarget>>;

export type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** Starts a target on a free port. `answer` receives the number of earlier requests. */
export async function aFakeTarget(answer: Answering) {
  /** The requests so far, as method and path. */
  const requests: string[] = [];
  const server = await onLoopback((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answer(request, response, requests.length - 1));
  });
  return {
    ...server,
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
