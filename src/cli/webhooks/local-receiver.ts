import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOn } from '../../http/server.ts';
import { postToReceiver, type ReceiverAnswer } from '../../webhooks/receiver/receiver-request.ts';

export interface LocalReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** Where each delivery is forwarded to; undefined to acknowledge it here. */
  readonly forwardTo: string | undefined;
  readonly onDelivery: (delivery: LocalDelivery) => void;
}

/** A delivery as it arrived, and what the receiver behind answered. */
export interface LocalDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined where it is forwarded to none. */
  readonly answer: ReceiverAnswer | undefined;
  /** Status that the delivery was answered with. */
  readonly answered: number;
}

/** Starts a receiver on this machine that forwards the bytes as they came. */
export function startLocalReceiver(options: LocalReceiverOptions): Promise<ListeningServer> {
  return listenOn((request, response) => {
    receive(request, options).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  }, options);
}

async function receive(
  request: IncomingMessage,
  { forwardTo, onDelivery }: LocalReceiverOptions,
): Promise<number> {
  const { headers } = request;
  const body = await buffer(request);
  const answer = forwardTo === undefined ? undefined : await forward(forwardTo, headers, body);
  const answered = answer ? (answer.status_code ?? UNREACHED) : NO_CONTENT;
  onDelivery({ headers, body, answer, answered });
  return answered;
}

function forward(url: string, headers: IncomingHttpHeaders, body: Buffer): Promise<ReceiverAnswer> {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  const texts = Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
  return postToReceiver({ url, headers: texts, body, timeout: TIMEOUT });
}

const NO_CONTENT = 204;
const UNREACHED = 502;

/** A little less than deliveries wait, so that they learn why. @units milliseconds */
const TIMEOUT = 14_000;

/** Headers that belong to a connection and not to what is sent over it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]);
