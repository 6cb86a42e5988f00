import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendWhole } from '../http/whole-response.ts';
import type { RemoteClaim } from '../store/storage/storage.ts';
import { forwardedHead, HOP_HEADER, headerIn, NOT_HELD, readHead, readWhole } from './hop.ts';
import type { FrameKind, FrameReceiver, Link } from './link.ts';

/**
 * How an attempt to forward a request has ended: it is answered, or nobody waits for the answer; its world is not held there;
 * the other emulator was not reached; neither of them, but its body is on its way and cannot be sent again; or the other
 * emulator may have begun with the request, and is lost. It can be sent elsewhere if it is moved or unreached.
 */
export type Outcome = 'answered' | 'moved' | 'unreached' | 'spent' | 'lost';

/** A request in progress in another emulator. What it receives is the response. */
export class Forwarded implements FrameReceiver {
  readonly outcome: Promise<Outcome>;
  #resolve: (outcome: Outcome) => void = () => {};
  readonly #number: number;
  /** How many frames had come when it began: none has since from an emulator that is cut off. */
  readonly #receivedBefore: number;
  /** Whether its body is sent as it comes. */
  #isStreaming = false;
  /** Whether the client does not take the response as fast as it comes. */
  #isPaused = false;
  #isOver = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly claim: RemoteClaim,
    private readonly link: Link,
  ) {
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#number = link.open(this);
    this.#receivedBefore = link.received;
  }

  /** Sends the request, with its body, or as much of it as there is. */
  begin(): void {
    const { request, response, link } = this;
    response.once('close', this.#leave);
    const bytes = arrivedBody(request);
    this.#isStreaming = !bytes && bodyIsComing(request);
    const hasBody = this.#isStreaming || bytes !== undefined;
    this.#send('head', JSON.stringify(forwardedHead(request, hasBody)));
    if (this.#isStreaming) this.#stream();
    if (!bytes) return;
    link.sendBody(this.#number, bytes);
    this.#send('done');
  }

  /** Stops waiting for an emulator that does not respond. */
  giveUp(): void {
    if (this.link.received === this.#receivedBefore) this.link.destroy();
    this.#send('cancel');
    this.cancel();
  }

  whole(payload: Buffer): void {
    this.#finish('answered');
    this.request.resume();
    sendWhole(this.response, readWhole(payload.toString()));
  }

  head(payload: Buffer): void {
    const head = readHead(payload.toString());
    if (headerIn(head, HOP_HEADER) === NOT_HELD) {
      this.#finish('moved');
      return;
    }
    this.request.resume();
    this.response.writeHead(head.status, head.reason, head.headers);
    if (headerIn(head, 'content-length') === undefined) this.response.flushHeaders();
  }

  body(bytes: Buffer): void {
    if (this.response.write(bytes) || this.#isPaused) return;
    this.#isPaused = true;
    this.#send('pause');
    this.response.once('drain', () => {
      this.#isPaused = false;
      this.#send('resume');
    });
  }

  done(): void {
    this.#finish('answered');
    this.response.end();
  }

  cancel(): void {
    if (this.#isOver) return;
    if (!this.response.headersSent) {
      this.#finish(this.#mayHaveBegun() ? 'lost' : 'unreached');
      return;
    }
    this.#finish('answered');
    this.response.destroy();
  }

  pause(): void {
    if (this.#isStreaming) this.request.pause();
  }

  resume(): void {
    if (this.#isStreaming) this.request.resume();
  }

  #mayHaveBegun(): boolean {
    // Reading again changes nothing.
    const isRead = this.request.method === 'GET' || this.request.method === 'HEAD';
    return !isRead && this.link.isConnected;
  }

  /** A client that leaves. */
  readonly #leave = () => {
    this.#send('cancel');
    this.#finish('answered');
  };

  #send(kind: FrameKind, payload?: string): void {
    if (!this.#isOver) this.link.send(this.#number, kind, payload);
  }

  #finish(outcome: Outcome): void {
    this.#isOver = true;
    this.link.close(this.#number);
    this.response.off('close', this.#leave);
    const isRepeated = outcome === 'moved' || outcome === 'unreached';
    this.#resolve(isRepeated && this.#isStreaming ? 'spent' : outcome);
  }

  /** Sends the body as it comes. What comes after the response is dropped. */
  #stream(): void {
    const { request, link } = this;
    request.on('data', (bytes: Buffer) => {
      if (this.#isOver) return;
      link.sendBody(this.#number, bytes);
      if (!link.isFull) return;
      request.pause();
      link.onceDrained(() => request.resume());
    });
    request.on('end', () => this.#send('done'));
  }
}

const bodyIsComing = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The body of a request, if all of it is here. It stays there, as it may be needed again. */
function arrivedBody(request: IncomingMessage): Buffer | undefined {
  if (!request.complete || request.readableLength === 0) return undefined;
  const body: Buffer = request.read();
  request.unshift(body);
  return body;
}
