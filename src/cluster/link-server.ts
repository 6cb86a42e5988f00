import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { ForwardedRequest, type WholeResponse } from '../http/whole-response.ts';
import { type ForwardedHead, type Hop, wholeText } from './hop.ts';
import { type FrameReceiver, Link } from './link.ts';

/** How long requests in progress can take after the emulator has stopped listening. */
const PATIENCE_MS = 800;

/** Takes the links of other emulators, and handles the requests that they forward. */
export class LinkServer {
  readonly #links = new Set<Link>();
  #isClosing = false;

  constructor(
    private readonly hop: Hop,
    private readonly handle: RequestListener,
  ) {}

  /** Takes a link, if an emulator asks for it. Nothing else is tunnelled. */
  connect(request: IncomingMessage, socket: Socket, first: Buffer): void {
    socket.on('error', () => {});
    if (this.#isClosing || !this.hop.isFromEmulator(request)) {
      socket.destroy();
      return;
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const link: Link = new Link(
      () => this.#links.delete(link),
      (number) => new Arrived(link, number, this.handle, () => this.#endIdle()),
    );
    this.#links.add(link);
    link.connect(socket, first);
  }

  /** Ends the links, once nothing is in progress or after a while. */
  close(): void {
    this.#isClosing = true;
    this.#endIdle();
    setTimeout(() => {
      for (const link of this.#links) link.destroy();
    }, PATIENCE_MS).unref();
  }

  #endIdle(): void {
    if (this.#isClosing) for (const link of this.#links) if (link.isIdle) link.destroy();
  }
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * A forwarded request, handled as if it had arrived here. What it receives is the request. What is written to it, in place of
 * a socket, is the response: its head as text, as Node makes it, then its body.
 */
class Arrived extends Writable implements FrameReceiver {
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  #isHeadSent = false;
  #isOver = false;
  #isBodyPaused = false;
  #isPaused = false;
  #proceed: (() => void) | undefined;

  constructor(
    private readonly link: Link,
    private readonly number: number,
    private readonly handle: RequestListener,
    private readonly onEnd: () => void,
  ) {
    super({ decodeStrings: false });
  }

  /** Parsers of bodies ask the socket of a request whether more can come. */
  get readable(): boolean {
    return !this.destroyed;
  }

  head(payload: Buffer): void {
    const head: ForwardedHead = JSON.parse(payload.toString());
    const socket = this as unknown as Socket;
    const request = new ForwardedRequest(socket, head.isSecure, (answer) => this.#passBack(answer));
    request.method = head.method;
    request.url = head.url;
    request.headers = head.headers;
    request.httpVersion = '1.1';
    request.httpVersionMajor = 1;
    request.httpVersionMinor = 1;
    request._read = () => this.#readOn();
    this.#request = request;
    const response = new ServerResponse(request);
    // The end of a body is a frame of its own.
    response.useChunkedEncodingByDefault = false;
    response.assignSocket(socket);
    this.#response = response;
    if (!head.hasBody) this.done();
    this.handle(request, response);
  }

  body(bytes: Buffer): void {
    if (this.#request?.push(bytes) || this.#isBodyPaused) return;
    this.#isBodyPaused = true;
    this.link.send(this.number, 'pause');
  }

  done(): void {
    const request = this.#request as IncomingMessage;
    request.complete = true;
    request.push(null);
  }

  /** Only responses come whole. */
  whole(): void {}

  /** The client has left, or the emulator that has forwarded the request. */
  cancel(): void {
    this.#isOver = true;
    this.#close();
    this.#request?.destroy(new Error('aborted'));
    this.destroy();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const proceed = this.#proceed;
    this.#proceed = undefined;
    proceed?.();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, proceed: () => void): void {
    if (typeof chunk !== 'string') this.link.sendBody(this.number, chunk);
    else if (this.#isHeadSent) this.link.sendBody(this.number, Buffer.from(chunk, encoding));
    else this.#writeHead(chunk, encoding);
    this.#onceTaken(proceed);
  }

  override _final(proceed: () => void): void {
    this.#finish('done');
    proceed();
  }

  override _destroy(_error: unknown, proceed: (error: null) => void): void {
    this.#finish('cancel');
    proceed(null);
  }

  #passBack(answer: WholeResponse): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.link.send(this.number, 'whole', wholeText(answer));
    this.#close();
    this.destroy();
  }

  #readOn(): void {
    if (!this.#isBodyPaused) return;
    this.#isBodyPaused = false;
    this.link.send(this.number, 'resume');
  }

  /** A head, and what of the body comes with it. */
  #writeHead(text: string, encoding: BufferEncoding): void {
    const mark = text.indexOf(END_OF_HEAD);
    const body = text.slice(mark + END_OF_HEAD.length);
    this.#isHeadSent = true;
    this.#follow(this.#response as ServerResponse);
    this.link.send(this.number, 'head', text.slice(0, mark));
    if (body !== '') this.link.sendBody(this.number, Buffer.from(body, encoding));
  }

  /** Ends with a response that is written, and tells it when more can be. */
  #follow(response: ServerResponse): void {
    response.once('finish', () => this.end());
    this.on('drain', () => response.emit('drain'));
  }

  /** Goes on once the other emulator takes more. */
  #onceTaken(proceed: () => void): void {
    if (this.#isPaused) this.#proceed = proceed;
    else if (this.link.isFull) this.link.onceDrained(() => this.#onceTaken(proceed));
    else proceed();
  }

  #finish(how: 'done' | 'cancel'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.link.send(this.number, how);
    this.#close();
  }

  #close(): void {
    this.link.close(this.number);
    this.onEnd();
  }
}
