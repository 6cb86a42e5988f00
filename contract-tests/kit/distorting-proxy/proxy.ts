import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { routerOf } from 'billing-emulator/internals';
import { loadDocument } from 'billing-emulator/spec';
import { onLoopback } from '../loopback.ts';
import { JSON_TYPE, type ProxiedAnswer } from './answer.ts';
import type { Obstacle } from './obstacles.ts';
import type { WrongResponse } from './wrong-responses.ts';

export type DistortingProxy = Awaited<ReturnType<typeof startDistortingProxy>>;

/**
 * Starts a proxy in front of a correct service. The proxy delays or rejects requests, or changes the responses of one
 * operation.
 */
export async function startDistortingProxy(upstream: string) {
  const find = routerOf(loadDocument('openapi')).find;
  let pass: Passing = async (_, response, answer) => send(response, await answer());
  let touched = 0;
  const server = await onLoopback((request, response) => {
    void pass(request, response, () => forward(upstream, request)).catch(() => response.destroy());
  });
  return {
    ...server,
    /** The number of responses that the proxy changed or held up. */
    get touched() {
      return touched;
    },
    become(shape: WrongResponse | Obstacle) {
      touched = 0;
      const note = (): void => {
        touched += 1;
      };
      pass = 'on' in shape ? spoiling(shape, find, note) : hindering(shape, note);
    },
  };
}

type Passing = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => Promise<ProxiedAnswer>,
) => Promise<void>;

/** Changes the responses of one operation that have status 200. */
function spoiling(
  { on, change, write }: WrongResponse,
  find: ReturnType<typeof routerOf>['find'],
  note: () => void,
): Passing {
  return async (request, response, forwarded) => {
    const answer = await forwarded();
    const route = find(request.method ?? '', (request.url ?? '').split('?')[0] as string);
    const isMeant = route.kind === 'operation' && route.operation.id === on;
    if (!isMeant || answer.status !== 200) return send(response, answer);
    note();
    if (write) write(request.socket, answer);
    else send(response, change ? change(answer) : answer);
  };
}

function hindering(obstacle: Obstacle, note: () => void): Passing {
  const { every, refuse, readsOnly, change, pieces, delayMs = 0, lagMs } = obstacle;
  const lag = lagMs === undefined ? undefined : createLag(lagMs);
  let count = 0;
  return async (request, response, forwarded) => {
    const isRead = request.method === 'GET';
    if (isRead || !readsOnly) count += 1;
    const isRefused = every !== undefined && count % every === 0 && (isRead || !readsOnly);
    if (isRefused) {
      note();
      request.resume();
      if (refuse === 'reset') return void request.socket.resetAndDestroy();
      if (refuse) return send(response, refuse({ status: 500, headers: {}, body: Buffer.of() }));
    }
    const answer = lag ? await lag(request, forwarded, note) : await forwarded();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    send(response, change ? change(answer) : answer, pieces);
  };
}

const PLACELESS = /^\/accounts\/self/;

/** After each write, reads return the earlier state for a while. A rejected write has no effect. */
function createLag(lagMs: number) {
  const seen = new Map<string, ProxiedAnswer>();
  let lastWrite = 0;
  return async (
    { method, url = '', headers }: IncomingMessage,
    forwarded: () => Promise<ProxiedAnswer>,
    note: () => void,
  ): Promise<ProxiedAnswer> => {
    const answer = await forwarded();
    if (method !== 'GET') {
      if (answer.status < 300) lastWrite = Date.now();
      return answer;
    }
    if (PLACELESS.test(url)) return answer;
    const key = `${url} ${JSON.stringify(headers)}`;
    if (Date.now() - lastWrite >= lagMs) seen.set(key, answer);
    else note();
    return seen.get(key) ?? unseen(answer);
  };
}

/** The response to a read that does not yet see any object. */
function unseen(answer: ProxiedAnswer): ProxiedAnswer {
  const body = answer.status === 200 ? JSON.parse(answer.body.toString()) : {};
  if (answer.status !== 200 || (body.items && !body.total_count)) return answer;
  if (!body.items) return { status: 404, headers: {}, body: Buffer.of() };
  const empty = JSON.stringify({ ...body, items: [], total_count: 0 });
  return { ...answer, headers: JSON_TYPE, body: Buffer.from(empty) };
}

/** Headers that belong to one connection. */
const HOPS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];

function forward(upstream: string, request: IncomingMessage): Promise<ProxiedAnswer> {
  const { method, url, headers } = request;
  return new Promise((resolve, reject) => {
    const onward = ask(`${upstream}${url}`, { method, headers }, (response) => {
      const kept = Object.entries(response.headers).filter(([name]) => !HOPS.includes(name));
      const answered = {
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(kept) as ProxiedAnswer['headers'],
      };
      buffer(response).then((body) => resolve({ ...answered, body }), reject);
    });
    onward.on('error', reject);
    request.pipe(onward);
  });
}

function send(response: ServerResponse, answer: ProxiedAnswer, pieces?: number): void {
  const { status, headers, body } = answer;
  response.writeHead(status, headers as Record<string, string | string[]>);
  if (status === 204) return void response.end();
  for (let start = 0; pieces !== undefined && start < body.length; start += pieces)
    response.write(body.subarray(start, start + pieces));
  response.end(pieces === undefined ? body : undefined);
}
