import { matrixOf } from '../kit/run/matrix.ts';
import type { Flags } from '../kit/run/read-options.ts';
import { readRecord } from '../kit/run/read-record.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

/** Prints the matrix of operations and statuses that the runs together cover. Returns the exit code. */
export async function coverage(files: readonly string[], flags: Flags): Promise<number> {
  const matrix = matrixOf(files.flatMap((file) => readRecord(file).checks));
  const shown = matrix.cells.filter(({ state }) => flags['all'] === true || state !== 'asserted');
  for (const { request, status, state, reason } of shown)
    process.stdout.write(
      `${state.padEnd(10)}${status}  ${request}${reason ? `: ${reason}` : ''}\n`,
    );
  const { asserted, exempt, total, operations } = matrix;
  process.stdout.write(
    `${asserted} of ${total} cells asserted, ${exempt} exempt; operations ${operations.asserted} of ${operations.total}\n`,
  );
  const gate = flags['gateCells'] as number | undefined;
  return gate !== undefined && asserted < gate ? EXIT_CODES.vacuous : EXIT_CODES.met;
}
