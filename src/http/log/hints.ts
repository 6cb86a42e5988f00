import type { Logger } from '../../config/log.ts';
import { machineTime } from '../../config/machine-time.ts';
import { redactText } from '../../text/redaction.ts';

/** The header that says what is wrong with a request whose response has no body. */
const HINT_HEADER = 'X-Emulator-Hint';

/** A request without a valid key, or to no path: it belongs to no world's requests or operation. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  readonly hint: string;
  /** The machine's time. @units milliseconds since 1970 */
  readonly at: number;
}

/** At most one hint a second is logged, as anyone can cause them. @units milliseconds */
const LOG_INTERVAL = 1_000;
/** For the same reason, only the latest are kept, and only the beginning of their paths. */
const MAX_REFUSED = 50;
const MAX_PATH = 200;

/** What was refused by the emulator of a log, the latest first. */
const refused = new WeakMap<Pick<Logger, 'info'>, readonly RefusedRequest[]>();
const loggedAt = new WeakMap<Pick<Logger, 'info'>, number>();

export const refusedRequests = (log: Pick<Logger, 'info'>): readonly RefusedRequest[] =>
  refused.get(log) ?? [];

/** The header with a hint. The hint is logged too, and kept for the list of refused requests. */
export function hinting(
  log: Pick<Logger, 'info'>,
  { method, path }: { readonly method: string; readonly path: string },
  hint: string,
): Readonly<Record<string, string>> {
  const at = machineTime();
  const entry = { method, path: redactText(path.slice(0, MAX_PATH)), hint, at };
  refused.set(log, [entry, ...refusedRequests(log).slice(0, MAX_REFUSED - 1)]);
  if (at - (loggedAt.get(log) ?? -Infinity) >= LOG_INTERVAL) {
    loggedAt.set(log, at);
    log.info(`${method} ${path}: ${hint}`);
  }
  return { [HINT_HEADER]: hint };
}
