import type { Command } from 'commander';
import { nearest } from '../text/wording.ts';
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

const program = createProgram();
await program.parseAsync(withCommand(program, process.argv));

/** A command line without a command starts the emulator. */
function withCommand(program: Command, line: readonly string[]): string[] {
  const [, , first] = line;
  const hasCommand = first !== undefined && (!first.startsWith('-') || isOfProgram(program, first));
  return hasCommand ? [...line] : [...line.slice(0, 2), 'start', ...line.slice(2)];
}

/** Whether an option is the program's own, or more like one of those than like one of `start`. */
function isOfProgram({ commands }: Command, option: string): boolean {
  const own = ['--help', '--version'];
  const start = commands.find((each) => each.name() === 'start')?.options ?? [];
  const [name = ''] = option.split('=');
  const near = nearest(name, [...own, ...start.map(({ long }) => long ?? '')]) ?? '';
  return [...own, '-h', '-V'].includes(option) || own.includes(near);
}
