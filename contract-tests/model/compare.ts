import { Rational } from '../kit/rational.ts';
import { available } from './account.ts';
import type { Outcome } from './act.ts';
import type { Stage } from './aspects/aspect.ts';
import { instant } from './calls.ts';
import { DAY, type Step } from './history.ts';
import type { ExpectedFee } from './records.ts';
import type { Subscription } from './subscription.ts';
import { storedEvent, subscriptionOf } from './views.ts';
import { pendingIn } from './world.ts';

/** Whether a response contains all expected values, exact numbers as the nearest double. Other fields are allowed. */
function matches(found: unknown, wanted: unknown, slack: number): boolean {
  if (wanted instanceof Rational) return isNear(found, wanted.toNumber(), slack);
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each, index) => matches(found[index], each, slack))
    );
  if (!isObject(wanted)) return found === wanted;
  if (!isObject(found)) return false;
  return Object.entries(wanted).every(
    ([key, each]) =>
      matches(found[key as never], each, slackOf(key, each, slack)) &&
      (!MAPS.includes(key) || sizeOf(found[key as never]) === sizeOf(each)),
  );
}

/** Amounts that shares of fees go into. */
const SHARED = ['gross_revenue', 'net_revenue', 'margin'];

const slackOf = (key: string, wanted: unknown, slack: number): number =>
  wanted instanceof Rational && !SHARED.includes(key) ? 0 : slack;

const isNear = (found: unknown, wanted: number, slack: number): boolean =>
  found === wanted ||
  (typeof found === 'number' && Math.abs(found - wanted) <= slack * Math.max(1, Math.abs(wanted)));

/** Fields whose keys are the caller's own, so that none may be added. */
const MAPS = ['data', 'dimensions', 'metadata'];

const sizeOf = (value: unknown): number => Object.keys(value ?? {}).length;

/** The places where a response differs from the expected values. */
export function differences(
  place: string,
  found: unknown,
  wanted: unknown,
  slack: number,
): string[] {
  if (matches(found, wanted, slack)) return [];
  const isInside =
    isObject(found) &&
    isObject(wanted) &&
    !(wanted instanceof Rational) &&
    (!Array.isArray(wanted) || (found as object[]).length === wanted.length);
  if (!isInside) return [`${place}\n  emulator ${shown(found)}\n  model    ${shown(wanted)}`];
  return Object.entries(wanted).flatMap(([key, each]) =>
    differences(`${place} ${key}`, found[key as never], each, slackOf(key, each, slack)),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (each instanceof Rational ? each.toNumber() : each)) ??
  'absent';

/** The expected response to a step. */
export function expectedAnswer(outcome: Outcome, step: Step, { ids, world }: Stage): object {
  const { events, simulated, account, subscription } = outcome;
  const kind = step.action.do;
  return {
    ...(kind === 'subscribe' && {
      subscription: subscriptionOf(world.subscriptions[subscription ?? -1] as Subscription, ids),
    }),
    ...(kind === 'top_up' && {
      topUp: {
        status: 'initiated',
        created_at: instant(world.now),
        expires_at: instant(world.now + DAY),
      },
    }),
    ...(account && {
      account: {
        available: available(account),
        pending_in: pendingIn(world, step.customer, account),
      },
    }),
    ...(events && { events: events.map((record) => storedEvent(record, ids)) }),
    ...(simulated && { simulated: simulated.map((fees) => fees.map(simulatedFee)) }),
  };
}

/** A simulation omits fields that do not apply; a stored fee has null. */
const simulatedFee = ({ product: _, version: __, ...fee }: ExpectedFee) =>
  Object.fromEntries(Object.entries(fee).map(([key, value]) => [key, value ?? undefined]));
