import { appendFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  addServingFlags,
  emptyFiles,
  printLine,
  type ServingFlags,
  serveUntilStopped,
} from '../proxy/serving.ts';
import type { TwinCause } from './report/causes.ts';
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

Exit codes: 0 no difference, 11 differences, 12 nothing compared, 6 the service did not respond, 5 the port is in use`;

/**
 * `billing-emulator twin`: forwards requests to a service, and sends the same requests to an emulator to compare the
 * responses.
 */
export function addTwin(program: Command): void {
  addServingFlags(program.command('twin'), 24_102)
    .description('Proxy requests to a service until stopped, and print where the emulator differs')
    .option('--service-name <name>', 'Name from which header names are made', 'Service')
    .option(
      '--out <file>',
      'File for the differences, one JSON object per line (default: standard output)',
    )
    .option('--html <file>', 'Write an HTML page of the differences by cause')
    .option(
      '--emit-profile <file>',
      'Write settings that make the emulator behave more like the service',
    )
    .option('--show-values', 'Show values of responses, but never keys or links')
    .addHelpText('after', NOTES)
    .action(twin);
}

async function twin(flags: Flags): Promise<void> {
  const { createTrafficServer } = await import('../proxy/traffic.ts');
  const { openTwinSession } = await import('./session.ts');
  const { out, serviceName } = flags;
  emptyFiles(out, flags.html, flags.emitProfile);
  const session = await openTwinSession({
    settings: { service_name: serviceName },
    showsValues: flags.showValues === true,
    isRecorded: flags.emitProfile !== undefined,
    print: out === undefined ? printLine : linesInto(out),
  });
  await serveUntilStopped(createTrafficServer(new URL(flags.upstream), session), flags);
  process.exitCode = await conclude(session, flags);
}

/** Writes lines to a file. If writing fails, clients still get their responses. */
function linesInto(file: string): (line: object) => void {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      isBroken = true;
      process.stderr.write(`Cannot write more differences: ${(error as Error).message}\n`);
    }
  };
}

/** Writes the results. Returns the exit code. */
async function conclude(session: TwinSession, flags: Flags): Promise<number> {
  const { verdictOf } = await import('./report/verdict.ts');
  const summary = await session.end();
  for (const cause of summary.causes) printLine(causeLine(cause));
  if (flags.html !== undefined) await writePage(flags.html, summary, flags.upstream);
  if (flags.emitProfile !== undefined) await writeProfile(flags.emitProfile, session);
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

function causeLine({ cause: _, first, also, ...counts }: TwinCause): object {
  const { kind: what, ordinal, ...place } = first;
  const names = also.map(({ name }) => name);
  return { kind: 'cause', what, ...counts, also: names, first: ordinal, ...place };
}

async function writeProfile(file: string, { recording }: TwinSession): Promise<void> {
  const { findProfile, profileText } = await import('./profile.ts');
  const { exchanges = [], leftOut = 0 } = recording ?? {};
  const profile = await findProfile(exchanges);
  writeFileSync(file, profileText(profile, leftOut));
  const { settings, left } = profile;
  printLine({ kind: 'profile', settings, left: left.length, leftOut });
}
