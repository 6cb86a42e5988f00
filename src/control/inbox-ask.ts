import { BadRequest } from '../http/input.ts';
import type { InboxQuery } from '../webhooks/inbox.ts';

export interface InboxAsk extends InboxQuery {
  readonly limit: number;
  readonly offset: number;
  /** How many messages to wait for. */
  readonly count: number;
  readonly timeout_seconds: number;
}

const TEXTS = ['topic', 'id', 'contains'] as const;

/** Whole numbers by name: preset, least, most. */
const NUMBERS = {
  after: [0, 0, Number.MAX_SAFE_INTEGER],
  limit: [100, 1, 1000],
  offset: [0, 0, Number.MAX_SAFE_INTEGER],
  count: [1, 1, 1000],
  timeout_seconds: [10, 0, 60],
} as const;

type NumberName = keyof typeof NUMBERS;

/** Reads the query of a request. @throws BadRequest saying what is wrong with it */
export function readInboxAsk(query: Readonly<Record<string, unknown>>): InboxAsk {
  const ask: Record<string, unknown> = {};
  for (const [name, [preset]] of Object.entries(NUMBERS)) ask[name] = preset;
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new BadRequest(`${name}: expected one value.`);
    if (isNumberName(name)) {
      const [, least, most] = NUMBERS[name];
      const number = Number(value);
      if (!/^\d{1,16}$/.test(value) || number < least || number > most)
        throw new BadRequest(`${name}: expected a whole number from ${least} to ${most}.`);
      ask[name] = number;
    } else if ((TEXTS as readonly string[]).includes(name)) ask[name] = value;
    else throw new BadRequest(`${name}: there is no such parameter.`);
  }
  return ask as unknown as InboxAsk;
}

const isNumberName = (name: string): name is NumberName => Object.hasOwn(NUMBERS, name);
