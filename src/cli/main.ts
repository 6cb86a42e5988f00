import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// Exits with 0 if the reader of the output closes it, as `head` does. A full disk is a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  error.code === 'EPIPE' ? process.exit(0) : reportFailure(error),
);

// Whoever reads the log may be gone, or its disk full. The emulator does without a log then.
process.stderr.on('error', () => {});

// Node would print a line of the minified program first.
process.on('uncaughtException', reportFailure);

await createProgram().parseAsync();
