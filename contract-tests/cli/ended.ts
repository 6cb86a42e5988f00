import { printable } from 'billing-emulator/spec';
import { ConfigurationError, SafetyRefusal } from '../kit/run/read-options.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

/** Ends the process with the exit code that `work` returns, or with the code for the error that it throws. */
export async function ended(work: () => Promise<number>): Promise<never> {
  try {
    process.exit(await work());
  } catch (error) {
    const code = codeOf(error);
    const { message, stack } = error as Error;
    process.stderr.write(`${printable(`${code === EXIT_CODES.harness ? stack : message}`)}\n`);
    process.exit(code);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof ConfigurationError) return EXIT_CODES.configuration;
  return error instanceof SafetyRefusal ? EXIT_CODES.safety : EXIT_CODES.harness;
}
