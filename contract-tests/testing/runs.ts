import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatheredCheck } from '../kit/check.ts';
import { blankRecord, type CheckRecord } from '../kit/check-record.ts';
import { targetOf } from '../kit/plan.ts';
import type { CheckEntry } from '../kit/registry.ts';
import { openTarget, planOf } from '../kit/run/plan-run.ts';
import { isBeyondReach, type Preflight, preflight } from '../kit/run/preflight.ts';
import { type Flags, readRunOptions } from '../kit/run/read-options.ts';
import { assemble, type RunRecord } from '../kit/run/run.ts';
import { complete } from '../kit/run/whole-run.ts';
import { beginSession } from '../kit/target/session.ts';

const ENTRY: CheckEntry = {
  id: 'WAL-03',
  title: 'an adjustment',
  resource: 'wallets',
  level: 'MUST',
  effect: 'E3',
  requirements: ['R-WAL-28'],
  assumes: [],
  needs: [],
};

/** The record of a passed check, with changes. */
export const aRecord = (changes: Partial<CheckRecord> = {}): CheckRecord =>
  blankRecord(ENTRY, { milliseconds: 1, ...changes });

/** An exchange whose status and shape a check asserted. */
export const anExchange = (): CheckRecord['exchanges'][number] => ({
  operation: 'adjustWallet',
  status: 201,
  asserted: true,
  milliseconds: 1,
});

/** The record of a run with a failure, a refuted assumption and checks that did not run, whose texts are the given one. */
export function aRun(text: string): RunRecord {
  const options = readRunOptions({ runId: 'r1', color: false });
  const target = targetOf({ kind: 'external', baseUrl: 'https://api.example', key: 'key_x' });
  const found: Preflight = {
    verdict: 'answered',
    status: 200,
    accountId: 'acc_1',
    environment: 'test',
    clockSkewMs: 0,
  };
  const failure = {
    operation: 'adjustWallet',
    status: 500,
    differences: [text],
    curl: `curl -d '${text}'`,
  };
  const checks = complete([
    aRecord({ title: text, exchanges: [anExchange()], outcome: 'fail', failure }),
    aRecord({
      id: 'WAL-15',
      level: 'ASSUMED',
      outcome: 'refuted',
      assumptions: [{ id: 'A-703', verdict: 'refuted', detail: text }],
      observations: [{ name: 'overdraft', value: 'deny' }],
    }),
  ]);
  return assemble({
    options,
    found,
    checks,
    plan: planOf(options, target, found),
    entries: [],
    leftovers: [text],
    crashes: [],
    isInterrupted: false,
    startedAt: new Date(0),
  });
}

/** Runs some checks against an external service, as the `contract` command does, but in this process. */
export async function runInProcess(
  baseUrl: string,
  checks: readonly GatheredCheck[],
  flags: Flags,
): Promise<RunRecord> {
  const state = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    return await runChecks(checks, { ...flags, baseUrl, state });
  } finally {
    rmSync(state, { recursive: true });
  }
}

async function runChecks(checks: readonly GatheredCheck[], flags: Flags): Promise<RunRecord> {
  const startedAt = new Date();
  const given = readRunOptions(flags);
  const options = { ...given, key: `key_test_${given.runId}` };
  const { target } = await openTarget(options);
  const found = await preflight({ target, timeoutMs: options.timeoutMs });
  const plan = planOf(options, target, found);
  beginSession(plan);
  const records: CheckRecord[] = [];
  for (const check of isBeyondReach(found) ? [] : checks) records.push(await check.run());
  return assemble({
    options,
    plan,
    found,
    startedAt,
    checks: complete(records),
    crashes: [],
    entries: [],
    leftovers: [],
    isInterrupted: false,
  });
}

/** The short form of a table: one row of each `size` consecutive rows, always the same ones. */
export const sampled = <Row>(rows: readonly Row[], size: number): readonly Row[] =>
  rows.filter((_, place) => place % size === pick(Math.floor(place / size), size));

/** The position to take within a group. It varies, so that tables with a repeating pattern lose no column. */
const pick = (group: number, size: number): number =>
  (Math.imul(group + 1, 0x9e3779b1) >>> 16) % size;
