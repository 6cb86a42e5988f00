import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { postToReceiver, type ReceiverAnswer } from '../../webhooks/receiver/receiver-request.ts';

export interface LocalReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** Where each delivery is sent on to; undefined to acknowledge it here. */
  readonly forwardTo: string | undefined;
  readonly onDelivery: (delivery: LocalDelivery) => void;
}

/** A delivery as it arrived, and what the receiver behind answered. */
export interface LocalDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined where it is sent on to none. */
  readonly answer: ReceiverAnswer | undefined;
  /** Status that the delivery was answered with. */
  readonly answered: number;
}

/** A receiver on this machine that passes on the bytes as they came. */
export class LocalReceiver {
  readonly #server: Server;

  constructor(private readonly options: LocalReceiverOptions) {
    this.#server = createServer((request, response) => {
      void this.#receive(request).then((status) => response.writeHead(status).end());
    });
  }

  /** Answers the address that it listens at. */
  listen(): Promise<string> {
    const { host, port } = this.options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        const { port: taken } = this.#server.address() as AddressInfo;
        resolve(`http://${host.includes(':') ? `[${host}]` : host}:${taken}/`);
      });
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const answer = await this.#forward(headers, body);
    const answered = answer ? (answer.status_code ?? UNREACHED) : NO_CONTENT;
    this.options.onDelivery({ headers, body, answer, answered });
    return answered;
  }

  #forward(headers: IncomingHttpHeaders, body: Buffer): Promise<ReceiverAnswer | undefined> {
    const { forwardTo: url } = this.options;
    if (url === undefined) return Promise.resolve(undefined);
    const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
    return postToReceiver({
      url,
      method: 'POST',
      headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      body,
      slowly: false,
      timeout: TIMEOUT,
    });
  }
}

const NO_CONTENT = 204;
const UNREACHED = 502;

/** A little less than deliveries wait, so that they are told why. @units milliseconds */
const TIMEOUT = 14_000;

/** Headers that belong to a connection and not to what is sent over it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]);
