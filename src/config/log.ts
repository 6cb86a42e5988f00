import { printable, shortenLiveKeys } from '../text/wording.ts';
import type { Settings } from './settings.ts';

/** Logs the emulator's own work. Requests go to the request log instead. */
export interface Logger {
  error(message: string, cause?: unknown, fields?: LogFields): void;
  info(message: string): void;
  /** Details that help to find one request among many. */
  debug(message: string, fields: LogFields): void;
}

/** Further fields of a log line. They never contain credentials. */
type LogFields = Readonly<Record<string, string | number | undefined>>;

export type LogOptions = Pick<Settings, 'log_level'>;

const RANK = { silent: 0, error: 1, info: 2, debug: 3 };

/** Creates a logger that writes lines with `write`, default standard error. Keys of live worlds are shortened. */
export function createLogger(
  { log_level }: LogOptions,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Logger {
  const emit = (
    level: 'error' | 'info' | 'debug',
    message: string,
    fields: LogFields = {},
    cause?: unknown,
  ): void => {
    if (RANK[level] > RANK[log_level]) return;
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    const lines = [textOf(message, fields), stack].filter(Boolean);
    write(`${printable(shortenLiveKeys(lines.join('\n')))}\n`);
  };
  return {
    error: (message, cause, fields) => emit('error', message, fields, cause),
    info: (message) => emit('info', message),
    debug: (message, fields) => emit('debug', message, fields),
  };
}

function textOf(message: string, fields: LogFields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [message, ...given.map(([name, value]) => `${name}=${value}`)].join(' ');
}
