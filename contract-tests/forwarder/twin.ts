import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ReportedCause } from './emulator/report.ts';
import {
  addServingFlags,
  emptyFiles,
  forward,
  printLine,
  type ServingFlags,
  type TrafficObserver,
} from './serving.ts';

interface Flags extends ServingFlags {
  readonly serviceName: string;
  readonly summary?: string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly showValues?: boolean;
}

const NOTES = `
Examples:
  billing-emulator twin --upstream https://billing.example
  billing-emulator twin --upstream https://billing.example --summary differences.md > differences.jsonl
  billing-emulator twin --upstream https://billing.example --baseline known.json

Exit codes: 0 no difference, or only those of the baseline, 11 differences, 12 nothing compared, 6 the service did not
respond, 5 the port is in use`;

/**
 * `billing-emulator twin`: forwards requests to a service, and sends the same requests to an emulator to compare the
 * responses.
 */
export function addTwin(program: Command): void {
  addServingFlags(program.command('twin'), 24_102)
    .description('Proxy requests to a service until stopped, and print where the emulator differs')
    .option('--service-name <name>', 'Name from which header names are made', 'Service')
    .option('--summary <file>', 'Write a summary of the differences by cause, in Markdown')
    .option('--baseline <file>', 'File of known differences; only others fail')
    .option('--update-baseline', 'Write the differences of this run as the baseline')
    .option('--show-values', 'Show values of responses, but never keys or links')
    .addHelpText('after', NOTES)
    .action(twin);
}

async function twin(flags: Flags): Promise<void> {
  await forward(flags, [await openTwinObserver(flags)]);
}

/** Compares the traffic with an emulator. @throws Error when a file of the flags cannot be read or written */
async function openTwinObserver(flags: Flags): Promise<TrafficObserver> {
  const { openTwinSession } = await import('./emulator/session.ts');
  const { twinMarkdown } = await import('./emulator/markdown.ts');
  const { verdictOf } = await import('./emulator/report.ts');
  const { readBaseline, writeBaseline } = await import('./emulator/baseline.ts');
  const { summary: file, baseline, updateBaseline, serviceName, upstream } = flags;
  const isRead = baseline !== undefined && updateBaseline !== true;
  const known = new Set(isRead ? readBaseline(baseline) : []);
  emptyFiles(file);
  const session = await openTwinSession({
    settings: { service_name: serviceName },
    showsValues: flags.showValues === true,
    print: printLine,
  });
  return {
    ...session,
    async end() {
      const summary = await session.end();
      const verdict = verdictOf(summary, known);
      for (const cause of verdict.causes) printLine(causeLine(cause));
      const names = summary.causes.map(({ cause }) => cause).sort();
      if (baseline !== undefined && !isRead) writeBaseline(names, baseline);
      if (file !== undefined)
        writeFileSync(file, twinMarkdown(summary, verdict, new URL(upstream).origin));
      const counts = { ...summary, causes: summary.causes.length };
      printLine({ kind: 'end', ...counts, verdict: verdict.sentence });
      return updateBaseline === true && summary.causes.length > 0 ? 0 : verdict.code;
    },
  };
}

function causeLine({ cause: _, first, isKnown, count, followers }: ReportedCause): object {
  const { kind: what, ordinal, ...place } = first;
  const known = isKnown && { known: true };
  return { kind: 'cause', what, ...known, count, followers, first: ordinal, ...place };
}
