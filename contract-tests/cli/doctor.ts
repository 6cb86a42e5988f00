import { printable } from 'billing-emulator/spec';
import { gatherCases } from '../kit/check.ts';
import { blankRecord, type CheckRecord } from '../kit/check-record.ts';
import type { RunPlan } from '../kit/plan.ts';
import { registry } from '../kit/registry.ts';
import { notRunInWords } from '../kit/report/terminal.ts';
import { openTarget, planOf } from '../kit/run/plan-run.ts';
import { isBeyondReach, preflight, sentenceOf } from '../kit/run/preflight.ts';
import { type Flags, readRunOptions } from '../kit/run/read-options.ts';
import { reasonNotRun } from '../kit/selection.ts';
// Adds the check of all responses.
import '../kit/run/whole-run.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';

/**
 * Reads the target's identity with one request, and prints what a run with these flags would do. Returns the exit code.
 */
export async function doctor(flags: Flags): Promise<number> {
  const options = readRunOptions(flags);
  await gatherCases();
  const { target, emulator } = await openTarget(options);
  const found = await preflight({ target, timeoutMs: 10_000 });
  await emulator?.close();
  const lines = [
    `Target       ${target.kind === 'ours' ? 'a fresh emulator' : target.baseUrl}`,
    `Response     ${sentenceOf(found.verdict)} (${found.status ?? 'no status'})`,
    `Account      ${found.accountId ?? 'unknown'}`,
    `Environment  ${found.environment}`,
    `Clock        ${found.clockSkewMs === 0 ? 'agrees' : `${Math.round(found.clockSkewMs / 1000)} s apart`}`,
  ];
  if (!isBeyondReach(found)) {
    const plan = planOf(options, target, found);
    const left = leftOut(plan);
    // What a check has to make first, only its run shows.
    const most = plan.ceiling === 'E4' ? '' : 'at most ';
    lines.push(
      `Ceiling      ${plan.ceiling}`,
      `Checks       ${most}${registry().checks.size - left.length} of ${registry().checks.size}`,
      ...notRunInWords(left).map((reason) => `Not run      ${reason}`),
    );
  }
  process.stdout.write(`${printable(lines.join('\n'))}\n`);
  return isBeyondReach(found) ? EXIT_CODES.unreachable : EXIT_CODES.met;
}

/** The checks that the plan leaves out before they begin. */
function leftOut(plan: RunPlan): readonly CheckRecord[] {
  return [...registry().checks.values()].flatMap((entry) => {
    const reason = reasonNotRun(entry, plan);
    return reason === undefined ? [] : blankRecord(entry, { outcome: 'not_selected', reason });
  });
}
