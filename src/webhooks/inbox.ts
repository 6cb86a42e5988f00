import type { Instant } from '../domain/instant.ts';
import type { HeaderTexts } from '../state/records.ts';

/** A request that arrived at an inbox, or would have. */
export interface InboxMessage {
  /** Place in the order of arrival, over all inboxes. */
  readonly number: number;
  readonly inbox: string;
  readonly received_at: Instant;
  /** Whether it came over the network, or was put there by the emulator itself. */
  readonly came_by: 'network' | 'emulator';
  readonly headers: HeaderTexts;
  readonly body: string;
}

export interface InboxQuery {
  /** Value of `type` in the envelope. */
  readonly topic?: string | undefined;
  /** Value of `id` in the envelope. */
  readonly id?: string | undefined;
  /** Text anywhere in the body. */
  readonly contains?: string | undefined;
  /** Only what arrived after this one. */
  readonly after?: number | undefined;
}

const MOST_INBOXES = 1_000;
const MOST_MESSAGES = 1_000;

/** What the name of an inbox looks like. */
const INBOX_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
export const isInboxName = (name: string): boolean => INBOX_NAME.test(name);

const INBOX_PATH = /^\/_emulator\/inbox\/([^/]+)\/?$/;

/** The inbox that a path leads to; undefined for any other path. */
export function inboxNameOf(path: string): string | undefined {
  const name = INBOX_PATH.exec(path)?.[1];
  return name !== undefined && isInboxName(name) ? name : undefined;
}

/**
 * Places that keep what is sent to them, for those who have no receiver. An inbox is there as soon as
 * something arrives; the oldest inboxes and messages give way when there are too many.
 */
export class Inboxes {
  #count = 0;
  readonly #messages = new Map<string, InboxMessage[]>();
  readonly #listeners = new Set<(message: InboxMessage) => void>();

  put(message: Omit<InboxMessage, 'number'>): InboxMessage {
    this.#count += 1;
    const kept = { ...message, number: this.#count };
    const messages = this.#messages.get(message.inbox) ?? [];
    messages.push(kept);
    if (messages.length > MOST_MESSAGES) messages.shift();
    this.#messages.delete(message.inbox);
    this.#messages.set(message.inbox, messages);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > MOST_INBOXES && oldest !== undefined) this.#messages.delete(oldest);
    for (const listener of this.#listeners) listener(kept);
    return kept;
  }

  /** What an inbox holds that fits, oldest first. */
  find(name: string, query: InboxQuery = {}): readonly InboxMessage[] {
    return (this.#messages.get(name) ?? []).filter((message) => fits(message, query));
  }

  names(): readonly string[] {
    return [...this.#messages.keys()];
  }

  clear(name: string): void {
    this.#messages.delete(name);
  }

  /** Calls a listener at every arrival; answers how to stop. */
  onArrival(listener: (message: InboxMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function fits({ body, number }: InboxMessage, { topic, id, contains, after }: InboxQuery): boolean {
  if (after !== undefined && number <= after) return false;
  if (contains !== undefined && !body.includes(contains)) return false;
  if (topic === undefined && id === undefined) return true;
  const envelope = envelopeOf(body);
  return (
    (topic === undefined || envelope?.['type'] === topic) &&
    (id === undefined || envelope?.['id'] === id)
  );
}

/** The JSON object of a body; undefined where it is none. */
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
