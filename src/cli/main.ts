import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// Exits with 0 if the reader of the output closes it, as `head` does.
process.stdout.on('error', () => process.exit(0));

await createProgram().parseAsync(withVerb(process.argv)).catch(reportFailure);

/** A command line without a verb starts the emulator. */
function withVerb(line: readonly string[]): string[] {
  const [, , first] = line;
  const isHelp = ['-h', '--help', '-V', '--version'].includes(first ?? '');
  const hasVerb = first !== undefined && (isHelp || !first.startsWith('-'));
  return hasVerb ? [...line] : [...line.slice(0, 2), 'start', ...line.slice(2)];
}
