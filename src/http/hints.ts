import type { Logger } from '../config/log.ts';
import { machineTime } from '../config/machine-time.ts';
import { HINT_HEADER } from '../spec/header-names.ts';
import { keyOf } from '../store/worlds.ts';
import { redactText } from '../text/redaction.ts';
import type { Caller } from './credentials.ts';
import type { RawRequest } from './message.ts';

/** A request without a valid key, or to no path: it belongs to no operation. */
interface RefusedRequest {
  /** The key of its world; undefined if its own key is not valid, so that it has none. */
  readonly worldKey: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly hint: string;
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

interface Hinted {
  readonly rawRequest: RawRequest;
  readonly caller?: Caller | undefined;
}

/** The header with a hint. The hint is logged too, and kept for the list of refused requests. */
export function hinting(
  log: Pick<Logger, 'info'>,
  { rawRequest: { method, path }, caller }: Hinted,
  hint: string,
): Readonly<Record<string, string>> {
  const at = machineTime();
  const worldKey = caller && keyOf(caller.world);
  const entry = { worldKey, method, path: redactText(path.slice(0, MAX_PATH)), hint };
  refused.set(log, [entry, ...refusedRequests(log).slice(0, MAX_REFUSED - 1)]);
  if (at - (loggedAt.get(log) ?? -Infinity) >= LOG_INTERVAL) {
    loggedAt.set(log, at);
    log.info(`${method} ${entry.path}: ${hint}`);
  }
  return { [HINT_HEADER]: hint };
}
