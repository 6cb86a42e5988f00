import type { Effect } from 'billing-emulator/spec';
import { createdFileIn } from '../created-objects.ts';
import {
  defaultPlan,
  exceeds,
  isLoopbackTarget,
  OFFERS_OF_OURS,
  type RunPlan,
  targetOf,
} from '../plan.ts';
import { matchesNothing } from '../selection.ts';
import { type StartedEmulator, startTarget } from '../target/session.ts';
import type { Preflight } from './preflight.ts';
import { ConfigurationError, type RunOptions, runFolder, SafetyRefusal } from './read-options.ts';

/** Opens the target: the given URL, or a fresh emulator. @throws ConfigurationError for a URL without a key */
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

/** Default limits on targets of others. A whole run sends some 12,300 requests (2026-11-29). */
const BUDGETS = {
  cautious: { requests: 10_000, creates: 500 },
  whole: { requests: 60_000, creates: 10_000 },
};

/** The default number of workers. Some checks wait for due work; others run meanwhile. */
const USUAL_WORKERS = 4;

/**
 * Builds the plan of a run from the options and the target's identity.
 *
 * @throws ConfigurationError when a pattern of the selection names nothing
 * @throws SafetyRefusal as `decideCeiling`
 */
export function planOf(options: RunOptions, target: RunPlan['target'], found: Preflight): RunPlan {
  const unknown = matchesNothing(options.selection);
  if (unknown.length > 0)
    throw new ConfigurationError(`No check or resource is called ${unknown.join(', ')}`);
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
      runId,
      timeoutMs,
      consistencyMs,
      selection,
      paymentHook,
      ceiling,
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

/** The facts that decide the highest effect class of a run. */
export interface CeilingQuestion {
  readonly isOurs: boolean;
  readonly baseUrl: string;
  readonly found: Pick<Preflight, 'environment' | 'accountId'>;
  /** The class that was asked for. */
  readonly effects: Effect | undefined;
  readonly confirmAccount: string | undefined;
  readonly acceptsLiveWritesOf: string | undefined;
  readonly isUnattended: boolean;
}

/**
 * The highest effect class that a run is allowed to use. A loopback address is trusted only if the environment is test,
 * because a tunnel to a live service has a loopback address too.
 *
 * @throws SafetyRefusal when the requested class exceeds what was confirmed
 */
export function decideCeiling(question: CeilingQuestion): Effect {
  const preset = presetCeiling(question);
  const { effects } = question;
  if (effects !== undefined && exceeds(effects, preset)) confirm(question, effects);
  return effects ?? preset;
}

function presetCeiling({ isOurs, baseUrl, found }: CeilingQuestion): Effect {
  if (isOurs) return 'E4';
  if (found.environment !== 'test') return 'E0';
  return isLoopbackTarget(baseUrl) ? 'E4' : 'E2';
}

function confirm(question: CeilingQuestion, wanted: Effect): void {
  const { found, confirmAccount, acceptsLiveWritesOf, isUnattended } = question;
  const { environment, accountId } = found;
  if (accountId === undefined)
    throw new SafetyRefusal(
      `${wanted} is not allowed: the target does not say which account it is`,
    );
  if (confirmAccount !== accountId)
    throw new SafetyRefusal(
      confirmAccount === undefined
        ? `${wanted} needs --confirm-account with the id of the target's account`
        : `${wanted} is not allowed: --confirm-account names another account than the target`,
    );
  if (environment === 'test' || !exceeds(wanted, 'E2')) return;
  if (wanted === 'E4' && isUnattended)
    throw new SafetyRefusal('E4 on a live account is not allowed in unattended runs');
  if (acceptsLiveWritesOf !== accountId)
    throw new SafetyRefusal(
      `${wanted} on a live account needs CONTRACT_ACCEPT_LIVE_WRITES with its id`,
    );
}
