import type { Instant } from '../domain/instant.ts';
import type { HeaderTexts } from '../store/records.ts';
import type { World } from '../store/world.ts';

/** A request that an inbox received, over the network or directly. */
export interface InboxMessage {
  /** Number in order of arrival, over all inboxes. */
  readonly number: number;
  readonly inbox: string;
  /** The world that it belongs to. It is deleted with this world. Undefined if the sender named none. */
  readonly world?: World | undefined;
  readonly received_at: Instant;
  /** Whether it came over the network or directly from the emulator. */
  readonly came_by: 'network' | 'emulator';
  readonly headers: HeaderTexts;
  readonly body: string;
  /** What a query can look for in the envelope. */
  readonly head: Head;
}

interface Head {
  readonly type: string | undefined;
  readonly id: string | undefined;
}

export interface InboxQuery {
  /** Only messages of this world; null for those of none. */
  readonly world?: World | null | undefined;
  /** Value of `type` in the envelope. */
  readonly topic?: string | undefined;
  /** Value of `id` in the envelope. */
  readonly id?: string | undefined;
  /** Text to find anywhere in the body. */
  readonly contains?: string | undefined;
  /** Only messages with a higher number. */
  readonly after?: number | undefined;
}

const MAX_INBOXES = 1_000;
const MAX_MESSAGES = 1_000;

/** Maximum size of all inboxes, because anyone can send to them. @units as of `sizeOf` */
const MAX_SIZE = 64 * 1024 * 1024;

/** What a message and each of its headers take in memory besides their text. @units bytes */
const MESSAGE_OVERHEAD = 512;
const HEADER_OVERHEAD = 128;

/** What the name of an inbox looks like. */
const INBOX_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
export const isInboxName = (name: string): boolean => INBOX_NAME.test(name);

const INBOX_PATH = /^\/_emulator\/inbox\/([^/]+)\/?$/;

/** The name of the inbox at a path, or undefined for any other path. */
export function inboxNameOf(path: string): string | undefined {
  const name = INBOX_PATH.exec(path)?.[1];
  return name !== undefined && isInboxName(name) ? name : undefined;
}

/**
 * Stores requests for users without a receiver. An inbox exists once something arrives. The oldest inboxes and
 * messages are deleted when there are too many.
 */
export class Inboxes {
  #count = 0;
  #size = 0;
  /** Messages by inbox name. The inbox with the latest message is last. */
  readonly #messages = new Map<string, InboxMessage[]>();
  readonly #listeners = new Set<(message: InboxMessage) => void>();

  put(message: Omit<InboxMessage, 'number' | 'head'>): InboxMessage {
    this.#count += 1;
    const kept = { ...message, number: this.#count, head: headOf(message.body) };
    const messages = this.#messages.get(message.inbox) ?? [];
    messages.push(kept);
    this.#size += sizeOf(kept);
    this.#messages.delete(message.inbox);
    this.#messages.set(message.inbox, messages);
    if (messages.length > MAX_MESSAGES) this.#forgetOldest(message.inbox, messages);
    this.#makeRoom();
    for (const listener of this.#listeners) listener(kept);
    return kept;
  }

  /** The messages of an inbox that match, oldest first. */
  find(name: string, query: InboxQuery = {}): readonly InboxMessage[] {
    return (this.#messages.get(name) ?? []).filter(
      (message) => differencesOf(message, query).length === 0,
    );
  }

  /** Deletes the messages of a world, or those of none, in one inbox or in all. */
  forget(world: World | null, inbox?: string): void {
    for (const name of inbox === undefined ? this.names() : [inbox])
      this.#drop(name, (message) => (message.world ?? null) === world);
  }

  names(): readonly string[] {
    return [...this.#messages.keys()];
  }

  #drop(name: string, isDropped: (message: InboxMessage) => boolean): void {
    const kept: InboxMessage[] = [];
    for (const message of this.#messages.get(name) ?? [])
      if (isDropped(message)) this.#size -= sizeOf(message);
      else kept.push(message);
    if (kept.length > 0) this.#messages.set(name, kept);
    else this.#messages.delete(name);
  }

  /** Deletes the inboxes with the oldest messages first. The latest message always stays. */
  #makeRoom(): void {
    for (const [name, messages] of this.#messages) {
      if (this.#messages.size > MAX_INBOXES) this.#drop(name, () => true);
      else
        while (this.#size > MAX_SIZE && messages.length > 0 && !this.#isAlone(messages))
          this.#forgetOldest(name, messages);
      if (this.#size <= MAX_SIZE) return;
    }
  }

  #isAlone(messages: readonly InboxMessage[]): boolean {
    return messages.length === 1 && this.#messages.size === 1;
  }

  #forgetOldest(name: string, messages: InboxMessage[]): void {
    const oldest = messages.shift();
    if (oldest) this.#size -= sizeOf(oldest);
    if (messages.length === 0) this.#messages.delete(name);
  }

  /** Calls a listener on every message. Returns a function that removes it. */
  onArrival(listener: (message: InboxMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What a message takes in memory: the characters of its body and its headers, and a fixed size for each. */
function sizeOf({ headers, body }: InboxMessage): number {
  let size = MESSAGE_OVERHEAD + body.length;
  for (const [name, value] of Object.entries(headers))
    size += HEADER_OVERHEAD + name.length + value.length;
  return size;
}

/** The criteria of a query that a message fails. */
export function differencesOf(message: InboxMessage, query: InboxQuery): string[] {
  const { body, number, head } = message;
  const { topic, id, contains, after } = query;
  const misses: string[] = [];
  if (query.world !== undefined && (message.world ?? null) !== query.world) misses.push('world');
  if (after !== undefined && number <= after) misses.push('after');
  if (contains !== undefined && !body.includes(contains)) misses.push('contains');
  if (topic !== undefined && head.type !== topic) misses.push('topic');
  if (id !== undefined && head.id !== id) misses.push('id');
  return misses;
}

function headOf(body: string): Head {
  const { type, id } = envelopeOf(body) ?? {};
  return { type: shortText(type), id: shortText(id) };
}

/** A value that a query can match. Any other could take more memory than the message itself. */
const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 1_000 ? value : undefined;

/** Parses a body as a JSON object. Returns undefined if it is none. */
export function envelopeOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
