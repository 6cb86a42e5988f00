import { blankRecord, type CheckRecord } from '../kit/check-run.ts';
import type { CheckEntry } from '../kit/registry.ts';

const ENTRY: CheckEntry = {
  ...{ id: 'WAL-03', title: 'an adjustment', resource: 'wallets', level: 'MUST', effect: 'E3' },
  ...{ requirements: ['R-WAL-28'], assumes: [], needs: [] },
};

/** The record of a passed check, with changes. */
export const aRecord = (changes: Partial<CheckRecord> = {}): CheckRecord =>
  blankRecord(ENTRY, { milliseconds: 1, ...changes });

/** An exchange whose status and shape a check asserted. */
export function anExchange(
  operation = 'adjustWallet',
  status = 201,
): CheckRecord['exchanges'][number] {
  return { operation, status, asserted: true, milliseconds: 1 };
}
