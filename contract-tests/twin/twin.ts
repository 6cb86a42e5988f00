import { appendFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  addServingFlags,
  printLine,
  type ServingFlags,
  serveUntilStopped,
} from '../proxy/serving.ts';
import type { TwinSummary } from './report/report.ts';
import type { TwinSession } from './session.ts';

interface Flags extends ServingFlags {
  readonly serviceName: string;
  readonly out?: string;
  readonly html?: string;
  readonly emitProfile?: string;
  readonly showValues?: boolean;
}

const NOTES = `
Examples:
  billing-emulator twin --upstream https://billing.example
  billing-emulator twin --upstream https://billing.example --out differences.jsonl --html differences.html
  billing-emulator twin --upstream https://billing.example --emit-profile settings.yaml

Exit codes: 0 no difference, 11 differences, 12 nothing compared, 6 the service did not answer, 5 the port is taken`;

/** `billing-emulator twin`: answers as a service does, and asks an emulator the same beside it. */
export function addTwin(program: Command): void {
  addServingFlags(program.command('twin'), 24_102)
    .description('Pass requests on to a service until stopped: print where the emulator differs')
    .option('--service-name <name>', 'Name that forms the header names', 'Service')
    .option(
      '--out <file>',
      'Where the differences go, a line of JSON each (default: standard output)',
    )
    .option('--html <file>', 'Page of the differences by cause')
    .option(
      '--emit-profile <file>',
      'Settings under which the emulator does more of what the service did',
    )
    .option('--show-values', 'Show values of answers; keys and links never')
    .addHelpText('after', NOTES)
    .action(twin);
}

async function twin(flags: Flags): Promise<void> {
  const { createTrafficServer } = await import('../proxy/traffic.ts');
  const { openTwinSession } = await import('./session.ts');
  const { out, serviceName } = flags;
  if (out !== undefined) writeFileSync(out, '');
  const session = await openTwinSession({
    settings: { service_name: serviceName },
    showsValues: flags.showValues === true,
    isRecorded: flags.emitProfile !== undefined,
    print:
      out === undefined ? printLine : (line) => appendFileSync(out, `${JSON.stringify(line)}\n`),
    machine: Date.now,
  });
  await serveUntilStopped(createTrafficServer(new URL(flags.upstream), session), flags);
  process.exitCode = await conclude(session, flags);
}

/** Writes what was found; answers the exit code. */
async function conclude(session: TwinSession, flags: Flags): Promise<number> {
  const { verdictOf } = await import('./report/verdict.ts');
  const summary = await session.end();
  for (const { cause: _, first, ...counts } of summary.causes) {
    const { kind: what, ordinal, ...place } = first;
    printLine({ kind: 'cause', what, ...counts, first: ordinal, ...place });
  }
  if (flags.html !== undefined) await writePage(flags.html, summary, flags.upstream);
  if (flags.emitProfile !== undefined) await writeProfile(flags.emitProfile, session, summary);
  const { causes, coverage, ...counts } = summary;
  const { cells: _, ...shares } = coverage;
  const { code, sentence } = verdictOf(summary);
  printLine({ kind: 'end', ...counts, causes: causes.length, coverage: shares, verdict: sentence });
  return code;
}

async function writePage(file: string, summary: TwinSummary, upstream: string): Promise<void> {
  const { twinPage } = await import('./report/page.ts');
  writeFileSync(file, twinPage(summary, new URL(upstream).origin));
}

async function writeProfile(file: string, session: TwinSession, found: TwinSummary): Promise<void> {
  const { findProfile, profileText } = await import('./profile.ts');
  const profile = await findProfile(session.recorded, found);
  writeFileSync(file, profileText(profile));
  printLine({ kind: 'profile', settings: profile.settings, left: profile.left.length });
}
