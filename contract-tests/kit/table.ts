import { firstLine } from './assuming.ts';
import { ContractFailure, isAssertion, SafetyStop, SpecifiedBreak } from './outcome.ts';
import { currentTrial } from './trial.ts';

/**
 * Runs every row of a table, also after one that fails.
 *
 * @throws ContractFailure naming the rows that the target failed, with the request of the first; otherwise the first
 *   error of a row
 */
export async function eachRow<Row>(
  rows: Readonly<Record<string, Row>>,
  body: (row: Row) => Promise<void>,
): Promise<void> {
  const trial = currentTrial();
  const failed: { readonly name: string; readonly error: Error; readonly latest: unknown }[] = [];
  for (const [name, row] of Object.entries(rows))
    try {
      await body(row);
    } catch (error) {
      if (error instanceof SafetyStop) throw error;
      failed.push({ name, error: error as Error, latest: trial?.latest });
    }
  const findings = failed.filter(({ error }) => isFinding(error));
  const [first] = findings.length > 0 ? findings : failed;
  if (!first) return;
  if (trial) trial.latest = first.latest as typeof trial.latest;
  if (!isFinding(first.error)) throw first.error;
  throw failureOf(findings, Object.keys(rows).length);
}

const isFinding = (error: unknown): boolean =>
  error instanceof ContractFailure || isAssertion(error);

function failureOf(
  findings: readonly { readonly name: string; readonly error: Error }[],
  count: number,
): ContractFailure {
  const differences = findings.flatMap(({ name, error }) => {
    const found = error instanceof ContractFailure ? error.differences : [firstLine(error.message)];
    return found.map((difference) => `${name}: ${difference}`);
  });
  const message = `${findings.length} of ${count} rows: ${differences[0]}`;
  const isSpecified = findings.some(({ error }) => error instanceof SpecifiedBreak);
  return new (isSpecified ? SpecifiedBreak : ContractFailure)(message, differences);
}
