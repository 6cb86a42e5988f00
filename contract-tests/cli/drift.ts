import { writeFileSync } from 'node:fs';
import { printable } from 'billing-emulator/spec';
import { driftText, settingsObserved } from '../kit/report/drift.ts';
import { type Flags, readRunOptions } from '../kit/run/read-options.ts';
import { readRecord } from '../kit/run/record.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';
import { runShown } from './run.ts';

/**
 * Prints where a target differs from the assumptions, and writes settings that reproduce its behaviour. Returns the
 * exit code.
 */
export async function drift(flags: Flags): Promise<number> {
  const from = flags['from'] as string | undefined;
  const options = readRunOptions({ ...flags, assumptions: flags['assumptions'] ?? 'observe' });
  const record = from === undefined ? await runShown(options) : readRecord(from);
  process.stdout.write(printable(driftText(record)));
  const file = flags['emitProfile'] as string | undefined;
  if (file !== undefined) writeFileSync(file, settingsObserved(record));
  const isRun = from === undefined;
  if (isRun && record.exit.code !== 0) return record.exit.code;
  const isRefuted = record.assumptions.some(({ verdict }) => verdict === 'refuted');
  return isRefuted || record.drift.shapes.length > 0 ? EXIT_CODES.drift : EXIT_CODES.met;
}
