import type { IncomingMessage, ServerResponse } from 'node:http';
import { askForBody, sendWhole } from '../http/connection.ts';
import type { RemoteClaim } from '../store/storage/storage.ts';
import {
  forwardedHead,
  HOP_HEADER,
  type Hop,
  handOverHead,
  headerIn,
  NOT_HELD,
  readHead,
  readWhole,
} from './hop.ts';
import type { FrameKind, FrameReceiver, Link } from './link.ts';

/** How often forwarded requests are looked at, whose emulator may have been suspended. */
const LOOK_MS = 1_000;
/** How long forwarded requests may go on when this emulator closes. */
const PATIENCE_MS = 300;

/** Forwards requests to the emulators that hold their worlds, and passes back what these respond. */
export class Forwarder {
  /** By the address that they lead to. */
  readonly #links = new Map<string, Link>();
  readonly #looking: NodeJS.Timeout;

  constructor(
    private readonly hop: Hop,
    closing: AbortSignal,
  ) {
    this.#looking = setInterval(() => this.#endOver(), LOOK_MS).unref();
    closing.addEventListener('abort', () => setTimeout(() => this.#end(), PATIENCE_MS));
  }

  /** Forwards a request, unless its client has left meanwhile. */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    claim: RemoteClaim,
  ): Promise<Outcome> | Outcome {
    if (response.destroyed) return 'answered';
    const forwarded = new Forwarded(request, response, claim, this.#linkTo(claim.url));
    forwarded.begin();
    return forwarded.outcome;
  }

  /** Has another emulator give a world back, which this one needs. Whether it did shows when the world is claimed. */
  handOver({ url, key }: RemoteClaim): Promise<void> {
    const link = this.#linkTo(url);
    return new Promise((resolve) => {
      const ignore = () => {};
      const end = () => {
        link.close(number);
        resolve();
      };
      const number = link.open({
        whole: end,
        head: ignore,
        body: ignore,
        pause: ignore,
        resume: ignore,
        done: end,
        cancel: end,
      });
      link.send(number, 'head', JSON.stringify(handOverHead(key)));
    });
  }

  #linkTo(url: string): Link {
    const known = this.#links.get(url);
    if (known) return known;
    const link = this.hop.connect(url, () => {
      if (this.#links.get(url) === link) this.#links.delete(url);
    });
    this.#links.set(url, link);
    return link;
  }

  /** Ends what waits for an emulator that has lost its claim, as one that is suspended. */
  #endOver(): void {
    const receivers = [...this.#links.values()].flatMap((link) => link.receivers);
    for (const one of receivers) if (one instanceof Forwarded && one.claim.isOver) one.giveUp();
  }

  #end(): void {
    clearInterval(this.#looking);
    for (const link of this.#links.values()) link.destroy();
  }
}

/**
 * How an attempt to forward a request has ended: it is answered, or nobody waits for the answer; its world is not held there;
 * the other emulator was not reached; neither of them, but its body is on its way and cannot be sent again; or the other
 * emulator may have begun with the request, and is lost. It can be sent elsewhere if it is moved or unreached.
 */
export type Outcome = 'answered' | 'moved' | 'unreached' | 'spent' | 'lost';

/** A request in progress in another emulator. What it receives is the response. */
class Forwarded implements FrameReceiver {
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
    askForBody(request, this.response);
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
