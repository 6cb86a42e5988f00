import { createdFileIn } from '../created-objects.ts';
import { exceeds } from '../effects.ts';
import { defaultPlan, isLoopbackTarget, OFFERS_OF_OURS, type RunPlan, targetOf } from '../plan.ts';
import { type StartedEmulator, startTarget } from '../target/own-emulator.ts';
import { decideCeiling } from './ceiling.ts';
import type { Preflight } from './preflight.ts';
import { ConfigurationError, type RunOptions } from './read-options.ts';
import { runFolder } from './record.ts';

/** Opens the target: the given URL, or a fresh emulator. */
export async function openTarget(
  options: RunOptions,
): Promise<{ readonly target: RunPlan['target']; readonly emulator?: StartedEmulator }> {
  const { baseUrl, key, serviceName, keyPlace } = options;
  if (baseUrl === undefined) {
    const emulator = await startTarget();
    const { close: _, ...known } = emulator;
    return { emulator, target: targetOf({ ...known, kind: 'ours' }) };
  }
  if (key === undefined)
    throw new ConfigurationError('A base URL needs a key: name its variable with --key-env');
  return { target: targetOf({ kind: 'external', baseUrl, key, serviceName, keyPlace }) };
}

/** Default limits on targets of others. A whole run sends some 41,000 requests, 6,600 of which create something. */
const BUDGETS = {
  cautious: { requests: 10_000, creates: 500 },
  whole: { requests: 60_000, creates: 10_000 },
};

/** The default number of workers. Some checks wait for due work; others run meanwhile. */
const USUAL_WORKERS = 4;

/** Builds the plan of a run from the options and the target's identity. */
export function planOf(options: RunOptions, target: RunPlan['target'], found: Preflight): RunPlan {
  const { environment, accountId, clockSkewMs } = found;
  const isOurs = target.kind === 'ours';
  const ceiling = decideCeiling({ ...options, isOurs, baseUrl: target.baseUrl, found });
  const budget = exceeds(ceiling, 'E2') ? BUDGETS.whole : BUDGETS.cautious;
  const unlimited =
    isOurs || isLoopbackTarget(target.baseUrl) ? Number.POSITIVE_INFINITY : undefined;
  const { runId, timeoutMs, consistencyMs, selection, paymentHook, webhookUrl } = options;
  return defaultPlan(
    { ...target, environment, accountId, clockSkewMs },
    {
      ...{ runId, timeoutMs, consistencyMs, selection, paymentHook, ceiling },
      insistOnAssumptions: options.insistsOnAssumptions ?? isOurs,
      workers: isOurs ? (options.workers ?? USUAL_WORKERS) : 1,
      requestsPerSecond: options.requestsPerSecond ?? unlimited ?? 5,
      maxRequests: options.maxRequests ?? unlimited ?? budget.requests,
      maxCreates: options.maxCreates ?? unlimited ?? budget.creates,
      // What an emulator of the run holds ends with it.
      createdFile: isOurs ? undefined : createdFileIn(runFolder(options)),
      offers: isOurs ? OFFERS_OF_OURS : offersOf(options),
      ...(webhookUrl !== undefined && {
        receiver: { publicUrl: webhookUrl, port: options.webhookPort ?? 0 },
      }),
    },
  );
}

const offersOf = ({ paymentHook, offers }: RunOptions): readonly string[] =>
  paymentHook === undefined ? offers : [...offers, 'payment.completable'];
