import type { IncomingMessage, ServerResponse } from 'node:http';
import { onLoopback } from '../loopback.ts';

/** A target for tests of the kit that answers whatever a test wants. */
export type FakeTarget = Awaited<ReturnType<typeof aFakeTarget>>;

export type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** Starts a target on a free port; `answer` is told how many requests came before. */
export async function aFakeTarget(answer: Answering) {
  /** So far, as method and path. */
  const requests: string[] = [];
  const server = await onLoopback((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answer(request, response, requests.length - 1));
  });
  return {
    ...server,
    requests,
    /** Requests that may have changed something. */
    get writes() {
      return requests.filter((request) => !request.startsWith('GET '));
    },
  };
}

/** Answers JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
