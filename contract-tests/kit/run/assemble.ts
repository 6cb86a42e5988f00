import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CreatedObject } from '../created-objects.ts';
import { layers } from '../layers.ts';
import type { RunPlan } from '../plan.ts';
import type { WaitRecord } from '../target/patience.ts';
import type { CheckRecord } from '../trial.ts';
import { type Capabilities, exemptCells } from './capabilities.ts';
import { causesOf } from './causes.ts';
import { claimOf } from './claim.ts';
import { effectsOf } from './clean.ts';
import { matrixOf } from './matrix.ts';
import { narrownessOf } from './narrow.ts';
import type { Preflight } from './preflight.ts';
import type { RunOptions } from './read-options.ts';
import type { RunRecord } from './record.ts';
import {
  assumptionSummaries,
  driftOf,
  requirementRecords,
  totalsByLevel,
  totalsOf,
  waitsInWords,
} from './summarise.ts';
import { decideExit, type VerdictQuestion } from './verdict.ts';

interface Parts {
  readonly options: Pick<RunOptions, 'profile' | 'runId' | 'seed'> &
    Partial<Pick<RunOptions, 'gateCells'>>;
  readonly plan: RunPlan;
  readonly found: Preflight;
  readonly checks: readonly CheckRecord[];
  readonly capabilities: Capabilities;
  readonly crashes: readonly string[];
  readonly rounds: number;
  /** True when only some checks ran on purpose. */
  readonly isExcerpt?: boolean;
  readonly entries: readonly CreatedObject[];
  readonly leftovers: readonly string[];
  /** Waits outside of checks. */
  readonly waits: readonly WaitRecord[];
  readonly startedAt: Date;
  readonly endedBy: VerdictQuestion['endedBy'];
}

export function assemble(parts: Parts): RunRecord {
  const { options, checks, startedAt, leftovers } = parts;
  const { profile, runId, seed } = options;
  const matrix = matrixOf(
    checks,
    exemptCells(parts.capabilities, startedAt.toISOString().slice(0, 10)),
  );
  const requirements = requirementRecords(checks);
  const exit = exitOf(parts, matrix.asserted);
  const specVersion = String((layers().assumed.json['info'] as { version: string }).version);
  const plan = planRecordOf(parts);
  return {
    schema: 'billing-emulator/contract-run',
    schemaVersion: 1,
    kitVersion: kitVersion(),
    ...{ specVersion, runId, seed, profile },
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    target: targetRecordOf(parts),
    plan,
    exit,
    claim: claimOf({ profile, exit, matrix, requirements, plan, specVersion }),
    totals: totalsOf(checks),
    levels: totalsByLevel(checks),
    causes: causesOf(checks),
    checks,
    requirements,
    assumptions: assumptionSummaries(checks),
    matrix,
    drift: driftOf(checks),
    effects: effectsOf(parts.entries, exchangesOf(checks).length, leftovers),
    waits: waitsInWords([...parts.waits, ...checks.flatMap(({ waits }) => waits)]),
  };
}

const exchangesOf = (checks: readonly CheckRecord[]) =>
  checks.flatMap(({ exchanges }) => exchanges);

function exitOf(
  { options, plan, found, checks, leftovers, crashes, endedBy, isExcerpt }: Parts,
  assertedCells: number,
): RunRecord['exit'] {
  return decideExit({
    ...{ checks, found, leftovers, crashes, endedBy, assertedCells },
    narrow: narrownessOf({
      ...{ checks, plan, profile: options.profile },
      isCutShort: endedBy !== undefined || isExcerpt === true,
    }),
    gateCells: options.gateCells,
    successes: exchangesOf(checks).filter(({ status }) => status < 300).length,
  });
}

function planRecordOf({ plan, rounds }: Parts): RunRecord['plan'] {
  return {
    ceiling: plan.ceiling,
    selection: describeSelection(plan.selection),
    requestsPerSecond: Number.isFinite(plan.requestsPerSecond) ? plan.requestsPerSecond : null,
    workers: plan.workers,
    repeats: rounds,
  };
}

function targetRecordOf({ plan, found }: Parts): RunRecord['target'] {
  return {
    kind: plan.target.kind,
    origin: new URL(plan.target.baseUrl).origin,
    environment: found.environment,
    preflight: found.verdict,
    clockSkewMs: found.clockSkewMs,
  };
}

function describeSelection({ only, skip, operations, levels }: RunPlan['selection']): string {
  const words = [
    ...only.map((glob) => `only ${glob}`),
    ...skip.map((glob) => `without ${glob}`),
    ...operations.map((operation) => `about ${operation}`),
    ...levels,
  ];
  return words.join(', ') || 'all';
}

function kitVersion(): string {
  const file = createRequire(import.meta.url).resolve('billing-emulator-contract/package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
