import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOn } from '../../http/server.ts';
import { postToReceiver, type ReceiverAnswer } from '../../webhooks/receiver/receiver-request.ts';

export interface LocalReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** The URL each delivery is forwarded to. Undefined acknowledges it here. */
  readonly forwardTo: string | undefined;
  readonly onDelivery: (delivery: LocalDelivery) => void;
}

/** A delivery as received, and the response of the receiver it was forwarded to. */
export interface LocalDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined if the delivery is not forwarded. */
  readonly answer: ReceiverAnswer | undefined;
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

function forward(url: string, headers: IncomingHttpHeaders, body: Buffer): Promise<ReceiverAnswer> {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  const texts = Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
  return postToReceiver({ url, headers: texts, body, timeout: TIMEOUT });
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
