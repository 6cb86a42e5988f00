import type { CheckRecord } from '../trial.ts';

/** The record of a check that passed, with changes. */
export function aRecord(changes: Partial<CheckRecord> = {}): CheckRecord {
  return {
    ids: ['WAL-03'],
    title: 'an adjustment',
    resource: 'wallets',
    level: 'MUST',
    effect: 'E3',
    requirements: ['R-WAL-28'],
    outcome: 'pass',
    reason: undefined,
    failure: undefined,
    milliseconds: 1,
    exchanges: [],
    assumptions: [],
    observations: [],
    shapes: [],
    notes: [],
    waits: [],
    ...changes,
  };
}

/** An exchange that a check insisted on. */
export function anExchange(
  operation = 'adjustWallet',
  status = 201,
): CheckRecord['exchanges'][number] {
  return {
    operation,
    status,
    asserted: true,
    milliseconds: 1,
    query: {},
    fields: [],
    request: undefined,
    response: undefined,
  };
}
