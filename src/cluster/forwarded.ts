import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { askForBody, isHoldingBody, sendWhole } from '../http/connection.ts';
import type { RemoteClaim } from '../store/storage/storage.ts';
import {
  type ForwardedHead,
  HOP_HEADER,
  headerIn,
  NOT_HELD,
  type ReturnedHead,
  readHead,
  readWhole,
} from './hop.ts';
import type { FrameKind, FrameReceiver, Link } from './link.ts';

/**
 * How an attempt to forward a request has ended: it is answered, or nobody waits for the answer; its world is not held there;
 * the other emulator was not reached; or it may have begun with the request, and is lost. It can be sent elsewhere unless it
 * is answered or lost.
 */
export type Outcome = 'answered' | 'moved' | 'unreached' | 'lost';

/** A request in progress in another emulator. What it receives is the response. */
export class Forwarded implements FrameReceiver {
  readonly outcome: Promise<Outcome>;
  #resolve: (outcome: Outcome) => void = () => {};
  readonly #number: number;
  /** How many frames had come when it began: none has since from an emulator that is cut off. */
  readonly #receivedBefore: number;
  #isBodyHeld = false;
  #isBodyAsked = false;
  /** Whether the client does not take the response as fast as it comes. */
  #isPaused = false;
  #isOver = false;
  #head: ReturnedHead | undefined;
  /** The body of a response that is only sent once all of it is there. */
  #gathered: Buffer[] | undefined;

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

  /** Sends the request, with its body unless that is held until it is asked for. */
  begin(headOf: (body: ForwardedHead['body']) => ForwardedHead): void {
    this.response.once('close', this.#leave);
    const bytes = arrivedBody(this.request);
    this.#isBodyHeld = !bytes && bodyIsComing(this.request);
    const body = this.#isBodyHeld ? 'held' : bytes ? 'follows' : 'none';
    this.#send('head', JSON.stringify(headOf(body)));
    if (!bytes) return;
    this.link.sendBody(this.#number, bytes);
    this.#send('done');
  }

  /** Stops waiting for an emulator that does not respond. */
  giveUp(): void {
    if (this.link.received === this.#receivedBefore) this.link.destroy();
    this.#send('cancel');
    this.cancel();
  }

  whole(payload: Buffer): void {
    const answer = readWhole(payload.toString());
    this.#finish('answered');
    const connection = isHoldingBody(this.request) ? CLOSING : {};
    const send = () =>
      sendWhole(this.response, { ...answer, headers: { ...answer.headers, ...connection } });
    if (this.#isUnread()) void this.#readToEnd().then(send);
    else {
      this.request.resume();
      send();
    }
  }

  head(payload: Buffer): void {
    const head = readHead(payload.toString());
    if (head.status === 100) this.#sendBody();
    else if (headerIn(head, HOP_HEADER) === NOT_HELD) this.#finish('moved');
    else this.#passBack(head);
  }

  body(bytes: Buffer): void {
    if (this.#gathered) this.#gathered.push(bytes);
    else if (!this.response.write(bytes) && !this.#isPaused) {
      this.#isPaused = true;
      this.#send('pause');
      this.response.once('drain', () => {
        this.#isPaused = false;
        this.#send('resume');
      });
    }
  }

  done(): void {
    this.#finish('answered');
    if (this.#gathered) void this.#sendGathered(Buffer.concat(this.#gathered));
    else this.response.end();
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
    if (this.#isBodyAsked) this.request.pause();
  }

  resume(): void {
    if (this.#isBodyAsked) this.request.resume();
  }

  #mayHaveBegun(): boolean {
    if (this.#isBodyHeld) return this.#isBodyAsked;
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
    this.#resolve(outcome);
  }

  #sendBody(): void {
    const { request, link } = this;
    this.#isBodyAsked = true;
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

  #passBack(head: ReturnedHead): void {
    const { request, response } = this;
    this.#head = head;
    if (isHoldingBody(request)) head.headers.push('Connection', CLOSING.Connection);
    if (this.#isUnread()) {
      this.#gathered = [];
      return;
    }
    request.resume();
    response.writeHead(head.status, head.reason, head.headers);
    if (headerIn(head, 'content-length') === undefined) response.flushHeaders();
  }

  /** Whether the body is still coming and nobody has asked for it. */
  #isUnread(): boolean {
    return !isHoldingBody(this.request) && !this.#isBodyAsked && !this.request.complete;
  }

  /** Many clients read no response before they have sent their body. */
  async #readToEnd(): Promise<void> {
    await finished(this.request.resume()).catch(() => {});
  }

  async #sendGathered(body: Buffer): Promise<void> {
    const { status, reason, headers } = this.#head as ReturnedHead;
    await this.#readToEnd();
    this.response.writeHead(status, reason, headers).end(body);
  }
}

/** For a client that waits with its body: it would send that of its next request for this one's. */
const CLOSING = { Connection: 'close' };

const bodyIsComing = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The body of a request, if all of it is here. It stays there, as it may be needed again. */
function arrivedBody(request: IncomingMessage): Buffer | undefined {
  if (!request.complete || request.readableLength === 0) return undefined;
  const body: Buffer = request.read();
  request.unshift(body);
  return body;
}
