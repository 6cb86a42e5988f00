import type { Socket } from 'node:net';

/** The kinds of frames: a whole request or response, its head, a part of its body, its end, and signals to its sender. */
const KINDS = ['whole', 'head', 'body', 'done', 'cancel', 'pause', 'resume'] as const;

export type FrameKind = (typeof KINDS)[number];

/** Receives the frames of one request: its response where it was forwarded, the request itself where it is handled. */
export type FrameReceiver = Readonly<Record<FrameKind, (payload: Buffer) => void>>;

interface Frame {
  readonly number: number;
  readonly kind: FrameKind;
  readonly payload: string | Uint8Array;
  /** @units bytes */
  readonly length: number;
}

/** A frame begins with the length of its payload, the number of its request and its kind. */
const LENGTH_AT = 0;
const NUMBER_AT = 4;
const KIND_AT = 8;
const PREFIX_BYTES = 9;
/** How many requests have numbers, before they begin again. */
const NUMBERS = 2 ** 32;

/** How much of a body is in one frame, so that those of other requests get between. */
const MAX_BODY_BYTES = 65_536;

/** After how much silence the system asks whether the other emulator's machine is still there. */
const SILENCE_MS = 10_000;

const NOTHING = Buffer.alloc(0);

/**
 * A connection between two emulators, which carries many requests at once. Frames that are sent in the same turn of the event
 * loop leave together, as most of the cost of a forwarded request would be that of its own reads and writes.
 */
export class Link {
  /** Number of received frames. */
  received = 0;
  /**
   * By the number of the request. Not a Map: its old tables refer to newer ones, and so kept requests alive that had ended
   * long before. 28 % of new objects survived a collection, instead of 6 % (2026-11-29).
   */
  #receivers: Record<number, FrameReceiver> = {};
  #latest = 0;
  #socket: Socket | undefined;
  #isLost = false;
  #unsent: Frame[] = [];
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  /** How many bytes the next frame has, as far as that is known. */
  #neededBytes = PREFIX_BYTES;
  #onDrain: (() => void)[] = [];

  /**
   * @param onEnd called when the connection has ended
   * @param accept returns the receiver of a request that the other emulator has begun
   */
  constructor(
    private readonly onEnd: () => void,
    private readonly accept?: (number: number) => FrameReceiver,
  ) {}

  /** Whether it has a connection, so that the other emulator may have got what was sent. */
  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether nothing is in progress. */
  get isIdle(): boolean {
    return this.receivers.length === 0;
  }

  /** The receivers of all requests in progress. */
  get receivers(): readonly FrameReceiver[] {
    return Object.values(this.#receivers);
  }

  /** Whether more is sent than the connection takes; also while there is no connection yet. */
  get isFull(): boolean {
    return this.#socket?.writableNeedDrain !== false;
  }

  /** Begins with a connection, and what has already been read from it. */
  connect(socket: Socket, first: Buffer = NOTHING): void {
    if (this.#isLost) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.setNoDelay().setKeepAlive(true, SILENCE_MS);
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('drain', () => this.#drain());
    socket.on('error', () => {}).on('close', () => this.destroy());
    this.#read(first);
    this.#flush();
    if (!this.isFull) this.#drain();
  }

  /** Ends everything that is in progress. */
  destroy(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#socket?.destroy();
    this.onEnd();
    for (const receiver of this.receivers) receiver.cancel(NOTHING);
    this.#receivers = {};
    this.#drain();
  }

  /** Begins a request. @returns its number */
  open(receiver: FrameReceiver): number {
    this.#latest = (this.#latest + 1) % NUMBERS;
    this.#receivers[this.#latest] = receiver;
    return this.#latest;
  }

  /** Ends a request: whatever still comes of it is dropped. */
  close(number: number): void {
    delete this.#receivers[number];
  }

  /** Sends a frame. */
  send(number: number, kind: FrameKind, payload: string | Uint8Array = NOTHING): void {
    if (this.#isLost) return;
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
    if (this.#unsent.push({ number, kind, payload, length }) === 1)
      setImmediate(() => this.#flush());
  }

  sendBody(number: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_BODY_BYTES)
      this.send(number, 'body', bytes.subarray(at, at + MAX_BODY_BYTES));
  }

  /** Calls back once the connection takes more. */
  onceDrained(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  #flush(): void {
    if (!this.#socket || this.#unsent.length === 0) return;
    const frames = this.#unsent;
    this.#unsent = [];
    const bytes = frames.reduce((sum, { length }) => sum + PREFIX_BYTES + length, 0);
    const buffer = Buffer.allocUnsafe(bytes);
    let at = 0;
    for (const { number, kind, payload, length } of frames) {
      buffer.writeUInt32BE(length, at + LENGTH_AT);
      buffer.writeUInt32BE(number, at + NUMBER_AT);
      buffer.writeUInt8(KINDS.indexOf(kind), at + KIND_AT);
      if (typeof payload === 'string') buffer.write(payload, at + PREFIX_BYTES);
      else buffer.set(payload, at + PREFIX_BYTES);
      at += PREFIX_BYTES + length;
    }
    this.#socket.write(buffer);
  }

  #drain(): void {
    const listeners = this.#onDrain;
    this.#onDrain = [];
    for (const listener of listeners) listener();
  }

  #read(bytes: Buffer): void {
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.length;
    if (this.#unreadBytes < this.#neededBytes) return;
    const unread = this.#unread.length === 1 ? bytes : Buffer.concat(this.#unread);
    let at = 0;
    this.#neededBytes = PREFIX_BYTES;
    while (unread.length - at >= PREFIX_BYTES) {
      const payloadAt = at + PREFIX_BYTES;
      const end = payloadAt + unread.readUInt32BE(at + LENGTH_AT);
      if (end > unread.length) {
        this.#neededBytes = end - at;
        break;
      }
      const kind = KINDS[unread.readUInt8(at + KIND_AT)] as FrameKind;
      this.#receive(unread.readUInt32BE(at + NUMBER_AT), kind, unread.subarray(payloadAt, end));
      at = end;
    }
    this.#unread = at === unread.length ? [] : [unread.subarray(at)];
    this.#unreadBytes = unread.length - at;
  }

  #receive(number: number, kind: FrameKind, payload: Buffer): void {
    this.received += 1;
    let receiver = this.#receivers[number];
    if (!receiver && kind === 'head' && this.accept) {
      receiver = this.accept(number);
      this.#receivers[number] = receiver;
    }
    receiver?.[kind](payload);
  }
}
