import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request as requestPlainly,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';

/** One forwarded request and its response. */
export interface Traffic {
  /** The positions of its arrival and of the end of its response in the sequence of all such events. */
  readonly arrived: number;
  readonly ended: number;
  readonly method: string;
  /** Path and query, unchanged. */
  readonly target: string;
  readonly requestHeaders: IncomingMessage['headers'];
  /** Names and values in turn, unchanged. */
  readonly rawRequestHeaders: readonly string[];
  /** Undefined when the body was too long to keep. */
  readonly requestBody: Buffer | undefined;
  readonly status: number;
  readonly responseHeaders: IncomingMessage['headers'];
  readonly responseBody: Buffer | undefined;
}

/** A request without a complete response. */
export interface LostRequest
  extends Pick<Traffic, 'arrived' | 'method' | 'target' | 'requestHeaders'> {
  readonly requestBody: Buffer | undefined;
  readonly reason: string;
  /** Whether its client disconnected before the end of the response. */
  readonly isOfClient: boolean;
}

/** What looks at traffic. */
export interface TrafficListeners {
  onArrival?(arrived: number): void;
  /** Receives a request whose response has been forwarded completely. */
  onTraffic(traffic: Traffic): void;
  /** Receives a request without a complete response. The client gets a 502 if it has no response yet. */
  onLost?(request: LostRequest): void;
}

/** The longest body that is kept for validation; longer ones are still forwarded. @units bytes */
export const MAX_KEPT = 8 * 1024 * 1024;

/** Hop-by-hop headers, which are not forwarded. */
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
 * A server that forwards requests and responses byte by byte. It follows no redirects, decompresses nothing, and
 * streams without buffering.
 */
export function createTrafficServer(upstream: URL, listeners: TrafficListeners): Server {
  let moment = 0;
  const next = () => ++moment;
  const pass: RequestListener = (request, response) =>
    passOn(upstream, request, response, listeners, next);
  // A client that was busy for long would send its next request on a connection that was closed meanwhile.
  return createServer({ keepAliveTimeout: 0 }, pass);
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
    // The rest of a body that the service did not read, which many clients send before they read a response.
    request.unpipe(onward).resume();
    onward.destroy();
  });
  onward.on('error', outcome.lose);
  onward.on('upgrade', (_answer, socket) => {
    socket.destroy();
    outcome.lose(new Error('it switched to another protocol'));
  });
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

/** Reports the result of a request to the listeners, exactly once. */
function outcomeOf(
  request: IncomingMessage,
  response: ServerResponse,
  { onArrival, onTraffic, onLost }: TrafficListeners,
  next: () => number,
) {
  const { method = 'GET', url: target = '/', headers: requestHeaders } = request;
  const requestBody = keep(request);
  const asked = { arrived: next(), method, target, requestHeaders };
  onArrival?.(asked.arrived);
  const lose = (reason: string, isOfClient: boolean): void =>
    onLost?.({ ...asked, requestBody: requestBody(), reason, isOfClient });
  let isOver = false;
  const once = (notify: () => void): void => {
    if (isOver) return;
    isOver = true;
    notify();
  };
  return {
    lose: (error: NodeJS.ErrnoException) =>
      once(() => {
        lose(error.code ?? error.message, false);
        if (response.headersSent) response.destroy();
        else refuse(response);
      }),
    leave: () => once(() => lose('the client left', true)),
    answer: (answered: Pick<Traffic, 'status' | 'responseHeaders' | 'responseBody'>) =>
      once(() => {
        const sent = { rawRequestHeaders: request.rawHeaders, requestBody: requestBody() };
        onTraffic({ ...asked, ...sent, ...answered, ended: next() });
      }),
  };
}

/** Uses a new connection for each request, because a reused one can be closing. */
function addressed(upstream: URL, request: IncomingMessage): RequestOptions {
  const { protocol, hostname, port, host, pathname } = upstream;
  const passed = passable(request).filter(([name]) => name.toLowerCase() !== 'host');
  const headers = [...passed.flat(), 'Host', host, ...lengthOfNone(request)];
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    agent: false,
    method: request.method,
    path: `${pathname.replace(/\/$/, '')}${request.url}`,
    headers: headers as unknown as Record<string, string>,
  };
}

/** Sets `Content-Length: 0` when a body is allowed but absent; without it Node sends the request as chunked. */
function lengthOfNone({ method = '', headers }: IncomingMessage): readonly string[] {
  const isTold = 'content-length' in headers || 'transfer-encoding' in headers;
  return isTold || !/^(POST|PUT|PATCH)$/.test(method) ? [] : ['Content-Length', '0'];
}

type HeaderPair = readonly [name: string, value: string];

/** The headers unchanged, without hop-by-hop headers. */
function passable({ rawHeaders, headers }: IncomingMessage): readonly HeaderPair[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return pairsOf(rawHeaders).filter(([name]) => {
    const plain = name.toLowerCase();
    return !OWN_HEADERS.has(plain) && !named.includes(plain);
  });
}

/** Pairs of name and value from a raw header list. */
export function pairsOf(raw: readonly string[]): readonly HeaderPair[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] as string] as const] : [],
  );
}

/** Buffers a message while it is streamed. The result returns the bytes, or undefined when they were too long. */
function keep(message: IncomingMessage): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MAX_KEPT) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (length > MAX_KEPT ? undefined : Buffer.concat(chunks));
}

/** Forwards status and headers. @throws Error where they cannot be written, as Node reads more than it writes */
function passHead(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passable(answer).flat());
  response.flushHeaders();
}

function refuse(response: ServerResponse): void {
  const problem = { type: 'about:blank', title: 'Bad Gateway', status: 502 };
  const body = JSON.stringify({ ...problem, detail: 'The service does not respond.' });
  // Node keeps a reason phrase that it failed to write, so the 502 sets its own.
  response.writeHead(502, problem.title, { 'Content-Type': 'application/problem+json' }).end(body);
}
