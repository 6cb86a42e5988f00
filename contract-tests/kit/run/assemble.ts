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
import type { RunOptions } from './options.ts';
import { isBeyondReach, type Preflight, sentenceOf } from './preflight.ts';
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
  readonly options: Pick<RunOptions, 'profile' | 'workers' | 'runId' | 'seed'> &
    Partial<Pick<RunOptions, 'gateCells' | 'failsOnFlaky'>>;
  readonly plan: RunPlan;
  readonly found: Preflight;
  readonly checks: readonly CheckRecord[];
  readonly capabilities: Capabilities;
  readonly crashes: readonly string[];
  readonly rounds: number;
  /** Set where but some checks were taken on purpose. */
  readonly isExcerpt?: boolean;
  readonly entries: readonly CreatedObject[];
  readonly leftovers: readonly string[];
  /** What was waited for outside of checks. */
  readonly waits: readonly WaitRecord[];
  readonly startedAt: Date;
  readonly endedBy: VerdictQuestion['endedBy'];
}

/** Makes the record of a run from what its parts left. */
export function assemble(parts: Parts): RunRecord {
  const { options, plan, found, checks, startedAt, leftovers } = parts;
  const matrix = matrixOf(
    checks,
    exemptCells(parts.capabilities, startedAt.toISOString().slice(0, 10)),
  );
  const requirements = requirementRecords(checks);
  const drift = driftOf(checks);
  const exchanges = checks.flatMap((check) => check.exchanges);
  const exit = decideExit({
    ...{ checks, leftovers, crashes: parts.crashes, endedBy: parts.endedBy },
    narrow: narrownessOf({
      ...{ checks, plan, profile: options.profile },
      isCutShort: parts.endedBy !== undefined || parts.isExcerpt === true,
    }),
    isBeyondReach: isBeyondReach(found),
    preflightSentence: sentenceOf(found.verdict),
    assertedCells: matrix.asserted,
    gateCells: options.gateCells,
    successes: exchanges.filter(({ status }) => status < 300).length,
    driftCounts: false,
    drift: drift.shapes.length,
    failsOnFlaky: options.failsOnFlaky ?? true,
  });
  const specVersion = String((layers().assumed.json['info'] as { version: string }).version);
  const planRecord = {
    ceiling: plan.ceiling,
    selection: describeSelection(plan.selection),
    requestsPerSecond: Number.isFinite(plan.requestsPerSecond) ? plan.requestsPerSecond : null,
    workers: plan.target.kind === 'ours' ? options.workers : 1,
    repeats: parts.rounds,
  };
  const claim = claimOf({
    profile: options.profile,
    exit,
    matrix,
    requirements,
    plan: planRecord,
    specVersion,
  });
  return {
    schema: 'billing-emulator/contract-run',
    schemaVersion: 1,
    kitVersion: kitVersion(),
    specVersion,
    runId: options.runId,
    seed: options.seed,
    profile: options.profile,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    target: {
      kind: plan.target.kind,
      origin: new URL(plan.target.baseUrl).origin,
      environment: found.environment,
      preflight: found.verdict,
      clockSkewMs: found.clockSkewMs,
    },
    plan: planRecord,
    exit,
    claim,
    totals: totalsOf(checks),
    levels: totalsByLevel(checks),
    causes: causesOf(checks),
    checks,
    requirements,
    assumptions: assumptionSummaries(checks),
    matrix,
    drift,
    effects: effectsOf(parts.entries, exchanges.length, leftovers),
    waits: waitsInWords([...parts.waits, ...checks.flatMap(({ waits }) => waits)]),
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
