import { type Command, Option } from 'commander';
import type { TrafficRecording } from './record.ts';
import {
  addServingFlags,
  EXIT,
  printLine,
  type ServingFlags,
  serveUntilStopped,
} from './serving.ts';
import type { Traffic } from './traffic.ts';

interface Flags extends ServingFlags {
  readonly closed?: boolean;
  readonly record?: string;
  readonly expect?: boolean;
  readonly redactCustomers?: boolean;
  readonly assumptions: 'observe' | 'insist';
}

/** `billing-emulator proxy`: forwards requests to a service and reports violations of the interface document. */
export function addProxy(program: Command): void {
  addServingFlags(program.command('proxy'), 24_101)
    .description(
      'Proxy requests to a service until stopped, and print what breaks its specification',
    )
    .option('--closed', 'Also report response fields that the OpenAPI document does not name')
    .addOption(
      new Option('--assumptions <mode>', 'Whether refuted assumptions fail the run')
        .choices(['observe', 'insist'])
        .default('observe'),
    )
    .option('--record <file>', 'Write the traffic as a fixture in YAML or JSON when stopped')
    .option('--expect', 'Let the fixture expect the stable parts of each response')
    .option(
      '--redact-customers',
      'Replace the names and e-mail addresses of customers in the fixture',
    )
    .action(proxy);
}

async function proxy(flags: Flags): Promise<void> {
  const { createTrafficServer } = await import('./traffic.ts');
  const { createProxyReport } = await import('./report.ts');
  const report = createProxyReport(flags.closed === true, printLine);
  const recording = await recordingFor(flags);
  const onTraffic = (traffic: Traffic): void => {
    recording?.onTraffic(traffic);
    report.onTraffic(traffic);
  };
  const server = createTrafficServer(new URL(flags.upstream), { ...report, onTraffic });
  await serveUntilStopped(server, flags);
  const counts = await report.end();
  const isSaved = recording === undefined || save(recording, flags);
  printLine({ kind: 'end', ...counts });
  process.exitCode = isSaved ? exitCodeOf(counts, flags) : EXIT.failure;
}

async function recordingFor(flags: Flags): Promise<TrafficRecording | undefined> {
  const { record: file, expect = false, redactCustomers = false } = flags;
  if (file === undefined) return undefined;
  const { recordTraffic } = await import('./record.ts');
  return recordTraffic({ file, expect, redactCustomers });
}

/** Returns whether the recording could be written completely. */
function save(recording: TrafficRecording, { record: file }: Flags): boolean {
  try {
    printLine({ kind: 'recorded', file, ...recording.save() });
    return true;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return false;
  }
}

function exitCodeOf(
  {
    violations,
    refuted,
    unreachable,
  }: Readonly<Record<'violations' | 'refuted' | 'unreachable', number>>,
  { assumptions }: Flags,
): number {
  if (violations > 0 || (assumptions === 'insist' && refuted > 0)) return EXIT.failure;
  return unreachable > 0 ? EXIT.unreachable : 0;
}
