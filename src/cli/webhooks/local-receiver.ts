import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOn } from '../../http/server.ts';

export interface LocalReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** The URL each delivery is forwarded to. Undefined acknowledges it here. */
  readonly forwardTo: string | undefined;
  readonly onDelivery: (delivery: LocalDelivery) => void;
}

/** The outcome of a forwarded delivery: a response, or the reason there is none. */
export interface ForwardedAnswer {
  readonly status_code: number | null;
  readonly text: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** A delivery as received, and the response of the receiver it was forwarded to. */
export interface LocalDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined if the delivery is not forwarded. */
  readonly answer: ForwardedAnswer | undefined;
  /** Status of the response to the delivery. */
  readonly answered: number;
}

/** Starts a receiver on this machine that forwards the received bytes unchanged. */
export function startLocalReceiver(options: LocalReceiverOptions): Promise<ListeningServer> {
  const { forwardTo, onDelivery } = options;
  const receive = async (request: IncomingMessage): Promise<number> => {
    const { headers } = request;
    const body = await buffer(request);
    const answer = forwardTo === undefined ? undefined : await forward(forwardTo, headers, body);
    const answered = answer ? (answer.status_code ?? UNREACHED) : NO_CONTENT;
    onDelivery({ headers, body, answer, answered });
    return answered;
  };
  return listenOn((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  }, options);
}

async function forward(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<ForwardedAnswer> {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  const start = performance.now();
  const ended = (answer: Omit<ForwardedAnswer, 'duration_ms'>): ForwardedAnswer => ({
    ...answer,
    duration_ms: Math.round(performance.now() - start),
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: passed.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return ended({ status_code: response.status, text: await response.text(), error: null });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return ended({ status_code: null, text: '', error: reason });
  }
}

const NO_CONTENT = 204;
const UNREACHED = 502;

/** Shorter than the timeout of deliveries, so that they receive the reason. @units milliseconds */
const TIMEOUT = 14_000;

/** Headers of the connection, which are not forwarded. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]);
