import type { Logger } from '../../config/log.ts';

/** The header that says what is wrong with a request whose response has no body. */
export const HINT_HEADER = 'X-Emulator-Hint';

/** At most one hint a second is logged, as anyone can cause them. @units milliseconds */
const LOG_INTERVAL = 1_000;

const loggedAt = new WeakMap<Pick<Logger, 'info'>, number>();

/** The header with a hint. The hint is logged too. */
export function hinting(
  log: Pick<Logger, 'info'>,
  request: { readonly method: string; readonly path: string },
  hint: string,
): Readonly<Record<string, string>> {
  const now = performance.now();
  if (now - (loggedAt.get(log) ?? -Infinity) >= LOG_INTERVAL) {
    loggedAt.set(log, now);
    log.info(`${request.method} ${request.path}: ${hint}`);
  }
  return { [HINT_HEADER]: hint };
}
