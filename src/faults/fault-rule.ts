import type { DeliveryFault } from '../state/records.ts';

/** How a connection ends instead of with an answer: refused before the request is carried out, or cut after. */
export type Ending = 'reset' | 'empty' | 'truncated';

/** What a fault does. At most one of its parts stands beside the latency of a request. */
export interface FaultEffect {
  /** Answers with this status; nothing is carried out. */
  readonly status?: number;
  /** Name of the document's example that is the body. */
  readonly example?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body in place of the document's. */
  readonly body?: unknown;
  /** A time, or the least and the most of one: `500ms`, `100ms..2s`. */
  readonly latency?: string;
  readonly connection?: Ending;
  readonly rate_limit?: RateLimit;
  /** Carries the request out and drops the answer. */
  readonly lost_response?: boolean;
  /** Happens to a webhook delivery instead of a request. */
  readonly delivery?: DeliveryFault;
  /** How much later a delayed delivery is, or how old a stale timestamp. */
  readonly seconds?: number;
}

export interface RateLimit {
  /** How many requests pass in a period; the rest are refused. */
  readonly limit: number;
  readonly period: string;
  /** Whose time the period is measured in: that of the machine unless told otherwise. */
  readonly clock?: 'machine' | 'world';
}

/** Which requests or which deliveries are meant; what is absent fits any. */
export interface FaultMatch {
  readonly operation?: string;
  readonly method?: string;
  /** A path; `*` stands for one segment, `**` for any number of them. */
  readonly path?: string;
  /** A customer, by id or external id. */
  readonly customer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly topic?: string;
  /** A webhook destination, by id. */
  readonly destination?: string;
}

/** What happens to which requests or deliveries, and when. */
export interface FaultRule extends FaultEffect {
  /** What it is called in the request log. */
  readonly name?: string;
  readonly match?: FaultMatch;
  /** How many of them pass before it begins. */
  readonly skip?: number;
  /** How many it is applied to at most. */
  readonly times?: number;
  /** It is applied to every nth of them. */
  readonly every?: number;
  /** How likely it is applied to each of them, from 0 to 1. */
  readonly probability?: number;
}

/** Parts of an effect that exclude each other. */
export const FAULT_OUTCOMES = [
  'status',
  'connection',
  'rate_limit',
  'lost_response',
  'delivery',
] as const;

/** Rules that a world may have at once. @assumes A-1411 */
export const MOST_RULES = 100;
