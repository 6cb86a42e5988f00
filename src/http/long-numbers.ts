import { decimal, format } from '../domain/decimal.ts';
import type { LongNumber } from '../domain/pricing/event-data.ts';
import type { Json } from '../spec/document.ts';
import { hasLongNumbers, markedDigits, parseExact } from '../text/exact-json.ts';

type Facts = Record<string, unknown> | null | undefined;

interface SentEvent {
  readonly data?: Facts;
  readonly costs?: readonly { readonly metadata?: Facts }[] | null;
}

/**
 * Puts numbers that a double cannot hold back into the facts of a valid body's usage events and costs, with all
 * their digits.
 *
 * @assumes A-303
 */
export function keepDigits(body: Json, bytes: Buffer): void {
  const { events } = body as { events?: readonly SentEvent[] };
  if (!Array.isArray(events)) return;
  const text = bytes.toString();
  if (!hasLongNumbers(text)) return;
  const exact = (parseExact(text) as { events: readonly SentEvent[] }).events;
  for (const [place, event] of events.entries()) {
    restore(event.data, exact[place]?.data);
    for (const [index, cost] of (event.costs ?? []).entries())
      restore(cost.metadata, exact[place]?.costs?.[index]?.metadata);
  }
}

function restore(facts: Facts, exact: Facts): void {
  for (const [name, value] of Object.entries(facts ?? {})) {
    const digits = markedDigits(exact?.[name]);
    if (typeof value !== 'number' || digits === undefined) continue;
    const plain = format(decimal(digits));
    const number: LongNumber = { digits: plain };
    if (plain !== format(decimal(value))) (facts as Record<string, unknown>)[name] = number;
  }
}
