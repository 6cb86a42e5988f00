import type { Ending, FaultEffect } from '../../faults/fault-rule.ts';
import { JSON_HEADERS, type RawResponse, TEXT_HEADERS } from '../problem.ts';
import { FAULT_HEADER } from './fault-directive.ts';
import type { MadeAnswer } from './forced-answer.ts';

/** A fault as one request meets it. */
export interface Fault {
  /** As the request log and the answer call it. */
  readonly name: string;
  readonly effect: FaultEffect;
  /** @units milliseconds */
  readonly latencyMs?: number;
  /** @units whole seconds */
  readonly retryAfter?: number;
  /** Makes the body up from the schema. */
  readonly seed?: string;
  /** The preferences that were followed. */
  readonly preference?: string;
}

/** No answer at all, before anything was carried out. Its status is 0. */
export function dropped(name: string, ending: Ending = 'empty'): RawResponse {
  return { status: 0, headers: {}, text: '', fault: { name, connection: ending } };
}

/** The answer of a request that was carried out, late, or cut on its way. */
export function touched(
  rawResponse: RawResponse,
  name: string,
  ending: Ending | undefined,
): RawResponse {
  return {
    ...rawResponse,
    headers: { ...rawResponse.headers, [FAULT_HEADER]: name },
    fault: { name, ...(ending && { connection: ending }) },
  };
}

/** An answer in place of the one that the request would have had. */
export function forced(
  { name, effect, retryAfter, preference }: Fault,
  status: number,
  { headers, text }: MadeAnswer,
): RawResponse {
  const own = {
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...effect.headers,
  };
  const replaced = new Set(Object.keys(own).map((header) => header.toLowerCase()));
  const kept = Object.entries(headers).filter(([header]) => !replaced.has(header.toLowerCase()));
  return {
    status,
    text,
    headers: {
      ...Object.fromEntries(kept),
      ...own,
      [FAULT_HEADER]: name,
      'X-Emulator-State': 'unchanged',
      ...(preference !== undefined && { 'Preference-Applied': preference }),
    },
    fault: { name },
  };
}

/** A body of the rule's own: text as it stands, anything else as JSON. */
export function ownBody(body: unknown): MadeAnswer {
  if (typeof body === 'string') return { headers: TEXT_HEADERS, text: body };
  return { headers: JSON_HEADERS, text: JSON.stringify(body) };
}
