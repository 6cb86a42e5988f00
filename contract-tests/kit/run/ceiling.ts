import type { Effect } from 'billing-emulator/spec';
import { exceeds } from '../effects.ts';
import { isLoopbackTarget } from '../plan.ts';
import type { Preflight } from './preflight.ts';
import { SafetyRefusal } from './read-options.ts';

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
      `${wanted} on a live account needs CONTRACT_ACCEPT_LIVE_WRITES with its id, or a yes at the terminal`,
    );
}
