import { type Command, InvalidArgumentError } from 'commander';
import type { ProxyCounts } from './report.ts';
import {
  addServingFlags,
  EXIT,
  printLine,
  type ServingFlags,
  serveUntilStopped,
} from './serving.ts';

interface Flags extends ServingFlags {
  readonly closed?: boolean;
  readonly assumptions: 'observe' | 'insist';
}

/** `billing-emulator proxy`: stands before a service and reports what breaks the interface document. */
export function addProxy(program: Command): void {
  addServingFlags(program.command('proxy'), 24_101)
    .description('Pass requests on to a service until stopped: print what breaks its specification')
    .option('--closed', 'Report fields of answers that the document does not name')
    .option(
      '--assumptions <mode>',
      'Whether refuted assumptions fail: observe or insist',
      mode,
      'observe',
    )
    .action(proxy);
}

async function proxy(flags: Flags): Promise<void> {
  const { createTrafficServer } = await import('./traffic.ts');
  const { createProxyReport } = await import('./report.ts');
  const report = createProxyReport({ isClosed: flags.closed === true, print: printLine });
  await serveUntilStopped(createTrafficServer(new URL(flags.upstream), report), flags);
  const counts = await report.end();
  printLine({ kind: 'end', ...counts });
  process.exitCode = exitCodeOf(counts, flags);
}

function exitCodeOf(
  { violations, refuted, unreachable }: ProxyCounts,
  { assumptions }: Flags,
): number {
  if (violations > 0 || (assumptions === 'insist' && refuted > 0)) return EXIT.failure;
  return unreachable > 0 ? EXIT.unreachable : 0;
}

function mode(text: string): string {
  if (text === 'observe' || text === 'insist') return text;
  throw new InvalidArgumentError('Expected observe or insist.');
}
