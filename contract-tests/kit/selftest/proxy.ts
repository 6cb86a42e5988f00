import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { allOperations } from '../operations.ts';
import type { ShapeMutant } from './shape-mutants.ts';

/** A proxy that spoils the answers of one operation. */
export interface SpoilingProxy {
  readonly baseUrl: string;
  /** How many answers were spoiled since the mutant was set. */
  readonly spoiled: number;
  set(mutant: ShapeMutant | undefined): void;
  close(): Promise<void>;
}

/** Stands in front of a target. It keeps no connection, so that nothing of one answer meets another. */
export async function startProxy(target: string): Promise<SpoilingProxy> {
  let current: ShapeMutant | undefined;
  let spoiled = 0;

  const server = createServer((request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    const rawResponse = send(`${target}${url}`, { method, headers }, async (answer) => {
      const text = await readText(answer);
      const wanted =
        current &&
        answer.statusCode === current.status &&
        operationAt(method, url) === current.operation.id
          ? current.change({ status: current.status, body: parse(text) })
          : undefined;
      if (!wanted) return relay(response, answer, answer.statusCode ?? 502, text);
      spoiled += 1;
      relay(
        response,
        answer,
        wanted.status,
        wanted.body === undefined ? '' : JSON.stringify(wanted.body),
      );
    });
    rawResponse.on('error', () => response.writeHead(502).end());
    request.pipe(rawResponse);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get spoiled() {
      return spoiled;
    },
    set(mutant) {
      current = mutant;
      spoiled = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function relay(
  response: ServerResponse,
  answer: IncomingMessage,
  status: number,
  text: string,
): void {
  const { 'content-length': _length, connection: _connection, ...headers } = answer.headers;
  const type =
    text !== '' && !headers['content-type'] ? { 'content-type': 'application/json' } : {};
  response.writeHead(status, { ...headers, ...type });
  response.end(status === 204 ? undefined : text);
}

async function readText(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

/** Routes by the document: of several templates that fit, the one that is literal where they first differ. */
const ROUTES = allOperations()
  .map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    rank: path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '1' : '0'))
      .join(''),
  }))
  .sort((left, right) => left.rank.localeCompare(right.rank));

function operationAt(method: string, url: string): string | undefined {
  const path = url.split('?')[0] as string;
  return ROUTES.find((route) => route.method === method && route.pattern.test(path))?.id;
}
