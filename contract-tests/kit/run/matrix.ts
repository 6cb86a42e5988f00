import { specifiedStatuses } from '../layers.ts';
import { allOperations, requestOf } from '../operations.ts';
import type { CheckRecord } from '../trial.ts';
import type { Cell, Matrix } from './record.ts';

/** Cells that are unreachable from outside, with the reason. */
const BEYOND_REACH: Readonly<Record<string, string>> = {
  'getAccountContext 404': 'a valid key always belongs to an account',
};

/** The pairs of operation and status that a run covers. The total is always all specified pairs. */
export function matrixOf(
  checks: readonly CheckRecord[],
  exempt: ReadonlyMap<string, string> = new Map(),
): Matrix {
  const exchanges = checks.flatMap((check) => check.exchanges);
  const asserted = new Set<string>();
  const touched = new Set<string>();
  const parameters = new Set<string>();
  for (const { operation, status, asserted: isAsserted, query } of exchanges) {
    (isAsserted ? asserted : touched).add(`${operation} ${status}`);
    for (const name of Object.keys(query)) parameters.add(`${operation} ${name}`);
  }
  const cells = allOperations().flatMap((operation): Cell[] =>
    specifiedStatuses(operation).map((status) => {
      const name = `${operation.id} ${status}`;
      const reason = exempt.get(name) ?? BEYOND_REACH[name];
      const seen = asserted.has(name) ? 'asserted' : touched.has(name) ? 'touched' : undefined;
      const state = seen ?? (reason === undefined ? 'untouched' : 'exempt');
      return {
        operation: operation.id,
        request: requestOf(operation.id),
        status,
        state,
        reason: state === 'exempt' ? reason : undefined,
      };
    }),
  );
  return { cells, ...countsOf(cells), queryParameters: parameterCounts(parameters) };
}

function countsOf(
  cells: readonly Cell[],
): Pick<Matrix, 'asserted' | 'exempt' | 'total' | 'operations'> {
  const assertedCells = cells.filter(({ state }) => state === 'asserted');
  return {
    asserted: assertedCells.length,
    exempt: cells.filter(({ state }) => state === 'exempt').length,
    total: cells.length,
    operations: {
      asserted: new Set(assertedCells.map(({ operation }) => operation)).size,
      total: new Set(cells.map(({ operation }) => operation)).size,
    },
  };
}

function parameterCounts(used: ReadonlySet<string>): Matrix['queryParameters'] {
  const all = allOperations().flatMap(({ id, parameters }) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => `${id} ${name}`),
  );
  return { used: all.filter((name) => used.has(name)).length, total: all.length };
}
