import { printable } from 'billing-emulator/internals';
import { exceeds } from '../kit/effects.ts';
import { registry } from '../kit/registry.ts';
import { NO_CAPABILITIES } from '../kit/run/capabilities.ts';
import { isBeyondReach, preflight, sentenceOf } from '../kit/run/preflight.ts';
import { openTarget, planOf } from '../kit/run/run.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';
import { reasonNotSelected } from '../kit/selection.ts';
import { type Flags, readRunOptions } from './options.ts';

/**
 * Reads the target's identity with one request, and prints what a run with these flags would do. Returns the exit code.
 */
export async function doctor(flags: Flags): Promise<number> {
  const options = readRunOptions(flags);
  const { target, emulator } = await openTarget(options);
  const found = await preflight({ target, timeoutMs: 10_000 });
  await emulator?.close();
  const lines = [
    `Target       ${target.kind === 'ours' ? 'a fresh emulator' : target.baseUrl}`,
    `Answer       ${sentenceOf(found.verdict)} (${found.status ?? 'none'}, ${found.milliseconds} ms)`,
    `Account      ${found.accountId ?? 'unknown'}`,
    `Environment  ${found.environment}`,
    `Clock        ${found.clockSkewMs === 0 ? 'agrees' : `${Math.round(found.clockSkewMs / 1000)} s apart`}`,
  ];
  if (!isBeyondReach(found)) {
    const plan = planOf(options, target, found, NO_CAPABILITIES);
    const selected = [...registry().checks.values()].filter(
      (check) =>
        reasonNotSelected([check], plan.selection) === undefined &&
        check.effects.some((effect) => !exceeds(effect, plan.ceiling)),
    );
    lines.push(
      `Ceiling      ${plan.ceiling}`,
      `Checks       ${selected.length} of ${registry().checks.size}`,
    );
  }
  process.stdout.write(`${printable(lines.join('\n'))}\n`);
  return isBeyondReach(found) ? EXIT_CODES.unreachable : EXIT_CODES.met;
}
