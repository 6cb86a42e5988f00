import { findViolations } from '../invariants/violations.ts';
import type { Change } from '../store/row.ts';
import type { World } from '../store/world.ts';

/** A world of more records is verified when its test file ends: after each commit it would take longer and longer. */
const MAX_RECORDS = 300;

/**
 * For tests: verifies a world after a commit.
 *
 * @throws Error if an invariant is broken, which rolls back the commit and fails its request
 */
export function assertInvariants(changes: readonly Change[], { tables }: World): void {
  const rewritten = changes.find(({ table, before }) => table === 'transactions' && before);
  if (rewritten) throw new Error(`A commit changed the transaction ${rewritten.id}.`);
  const records = Object.values(tables).reduce((total, { size }) => total + size, 0);
  if (records > MAX_RECORDS) return;
  const violations = findViolations(tables);
  if (violations.length > 0)
    throw new Error(`A commit breaks the ledger: ${JSON.stringify(violations)}`);
}
