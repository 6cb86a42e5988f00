import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlainly,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';

/** One request as it passed, and the answer to it. */
export interface Traffic {
  /** When it came and when its answer ended, in the order of all arrivals and ends. */
  readonly arrived: number;
  readonly ended: number;
  readonly method: string;
  /** Path and query as the client wrote them. */
  readonly target: string;
  readonly requestHeaders: IncomingMessage['headers'];
  /** Names and values in turn, as the client wrote them. */
  readonly rawRequestHeaders: readonly string[];
  /** Undefined where it was too long to be kept. */
  readonly requestBody: Buffer | undefined;
  readonly status: number;
  readonly responseHeaders: IncomingMessage['headers'];
  readonly responseBody: Buffer | undefined;
}

/** A request without an answer that could be looked at. */
export interface LostRequest
  extends Pick<Traffic, 'arrived' | 'method' | 'target' | 'requestHeaders'> {
  readonly requestBody: Buffer | undefined;
  readonly reason: string;
}

export interface TrafficListeners {
  /** A request has come. */
  readonly onArrival?: (arrived: number) => void;
  /** The client left before the end of its answer. */
  readonly onLeft?: (request: LostRequest) => void;
  /** An answer has passed to its end. */
  readonly onTraffic: (traffic: Traffic) => void;
  /** No answer came, or it broke off; `client` gets a 502 where it has none yet. */
  readonly onLost: (request: LostRequest) => void;
}

/** Longest body that is kept to be looked at; longer ones pass all the same. @units bytes */
export const MOST_KEPT = 8 * 1024 * 1024;

/** What belongs to a connection and not to what is sent over it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
]);

/**
 * A server that passes requests on, byte by byte, and answers with what came back. It follows no redirects,
 * unpacks nothing, and waits for no end before it passes on.
 */
export function createTrafficServer(upstream: URL, listeners: TrafficListeners): Server {
  let moment = 0;
  const next = () => ++moment;
  return createServer((request, response) => passOn(upstream, request, response, listeners, next));
}

function passOn(
  upstream: URL,
  request: IncomingMessage,
  response: ServerResponse,
  listeners: TrafficListeners,
  next: () => number,
): void {
  const outcome = outcomeOf(request, response, listeners, next);
  const open = upstream.protocol === 'https:' ? requestSecurely : requestPlainly;
  const onward = open(addressed(upstream, request));
  response.on('close', () => {
    if (!response.writableFinished) outcome.leave();
    onward.destroy();
  });
  onward.on('error', outcome.lose);
  onward.on('response', (answer) => {
    const responseBody = keep(answer);
    const { statusCode: status = 502, headers: responseHeaders } = answer;
    answer.on('error', outcome.lose);
    answer.on('end', () =>
      outcome.answer({ status, responseHeaders, responseBody: responseBody() }),
    );
    try {
      passHead(answer, response);
      answer.pipe(response);
    } catch (error) {
      outcome.lose(error as Error);
      onward.destroy();
    }
  });
  request.pipe(onward);
}

/** Tells what becomes of a request: once, whatever happens to its connections after that. */
function outcomeOf(
  request: IncomingMessage,
  response: ServerResponse,
  { onArrival, onLeft, onTraffic, onLost }: TrafficListeners,
  next: () => number,
) {
  const { method = 'GET', url: target = '/', headers: requestHeaders } = request;
  const requestBody = keep(request);
  const asked = { arrived: next(), method, target, requestHeaders };
  onArrival?.(asked.arrived);
  const lost = (reason: string): LostRequest => ({ ...asked, requestBody: requestBody(), reason });
  let isOver = false;
  const once = (tell: () => void): void => {
    if (isOver) return;
    isOver = true;
    tell();
  };
  return {
    lose: (error: NodeJS.ErrnoException) =>
      once(() => {
        onLost(lost(error.code ?? error.message));
        if (response.headersSent) response.destroy();
        else refuse(response);
      }),
    leave: () => once(() => onLeft?.(lost('the client left'))),
    answer: (answered: Pick<Traffic, 'status' | 'responseHeaders' | 'responseBody'>) =>
      once(() => {
        const sent = { rawRequestHeaders: request.rawHeaders, requestBody: requestBody() };
        onTraffic({ ...asked, ...sent, ...answered, ended: next() });
      }),
  };
}

/** Each request has a connection of its own, as one that is used again may just be closing. */
function addressed(upstream: URL, request: IncomingMessage): RequestOptions {
  const { protocol, hostname, port, host, pathname } = upstream;
  const passed = passable(request).filter(([name]) => name.toLowerCase() !== 'host');
  const headers = [...passed.flat(), 'Host', host, ...lengthOfNone(request)];
  return {
    ...{ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, agent: false },
    method: request.method,
    path: `${pathname.replace(/\/$/, '')}${request.url}`,
    headers: headers as unknown as Record<string, string>,
  };
}

/** Said where a body may be and is not, or Node would send it as chunked. */
function lengthOfNone({ method = '', headers }: IncomingMessage): readonly string[] {
  const isTold = 'content-length' in headers || 'transfer-encoding' in headers;
  return isTold || !/^(POST|PUT|PATCH)$/.test(method) ? [] : ['Content-Length', '0'];
}

type HeaderPair = readonly [name: string, value: string];

/** Headers as they came, without those of the connection. */
function passable({ rawHeaders, headers }: IncomingMessage): readonly HeaderPair[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return pairsOf(rawHeaders).filter(([name]) => {
    const plain = name.toLowerCase();
    return !OWN_HEADERS.has(plain) && !named.includes(plain);
  });
}

/** Names with their values, of which a list has one after the other. */
export function pairsOf(raw: readonly string[]): readonly HeaderPair[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] as string] as const] : [],
  );
}

/** Keeps what flows by; answers it, or undefined where it was too long. */
function keep(message: IncomingMessage): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MOST_KEPT) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (length > MOST_KEPT ? undefined : Buffer.concat(chunks));
}

/**
 * Passes status and headers on.
 *
 * @throws Error where they cannot be written, as Node reads more than it writes
 */
function passHead(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passable(answer).flat());
  response.flushHeaders();
}

function refuse(response: ServerResponse): void {
  const problem = { type: 'about:blank', title: 'Bad Gateway', status: 502 };
  const body = JSON.stringify({ ...problem, detail: 'The upstream of the proxy does not answer.' });
  // A reason that could not be written is kept as the preset of the next.
  response.writeHead(502, problem.title, { 'Content-Type': 'application/problem+json' }).end(body);
}
