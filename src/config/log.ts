/** Where lines about the emulator's own work go; requests are kept in the request log instead. */
export interface Logger {
  error(message: string, cause?: unknown): void;
  info(message: string): void;
}

type Level = 'silent' | 'error' | 'info' | 'debug';
const RANK: Readonly<Record<Level, number>> = { silent: 0, error: 1, info: 2, debug: 3 };

export interface LogOptions {
  readonly log_level: Level;
  readonly log_format: 'text' | 'json';
}

/** A logger that writes lines to `write`, standard error as a rule. */
export function createLogger(
  { log_level, log_format }: LogOptions,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Logger {
  const emit = (level: 'error' | 'info', message: string, cause?: unknown): void => {
    if (RANK[level] > RANK[log_level]) return;
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    const line =
      log_format === 'json'
        ? JSON.stringify({ level, message, stack })
        : [message, stack].filter(Boolean).join('\n');
    write(`${line}\n`);
  };
  return {
    error: (message, cause) => emit('error', message, cause),
    info: (message) => emit('info', message),
  };
}
