import { DAY } from './history.ts';

/** A webhook destination. */
export interface Hook {
  readonly index: number;
  readonly createdAt: number;
  readonly answers: boolean;
  readonly topics: readonly string[];
  readonly connect: boolean;
  /** The instants at which it was disabled and enabled, in turn. */
  readonly toggles: number[];
  removedAt?: number;
}

/** An event of the webhook log, with the destinations that it matched. */
export interface LogEvent {
  readonly at: number;
  /** Whether it is an event of the connected account in the platform's log. */
  readonly isConnected?: boolean;
  readonly topic: string;
  readonly data: object;
  readonly matched: readonly Hook[];
}

export const TOPIC = 'subscription.activated';

export const isEnabled = ({ toggles }: Hook): boolean => toggles.length % 2 === 0;

/** The destinations that still exist. */
export const standing = (hooks: readonly Hook[]): Hook[] =>
  hooks.filter(({ removedAt }) => removedAt === undefined);

/** The destinations that an event matches. A named destination matches regardless of its topics. */
export const matchedBy = (hooks: readonly Hook[], named?: Hook, isConnected = false): Hook[] =>
  standing(hooks)
    .filter((hook) => isEnabled(hook) && hook.connect === isConnected)
    .filter((hook) =>
      named ? hook === named : hook.topics.some((topic) => topic === '*' || topic === TOPIC),
    );

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** The pauses between attempts. */
const RETRIES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20].map((hours) => hours * HOUR),
  DAY,
];

/** The result of the delivery of an event to a destination. */
export interface DeliveryOutcome {
  readonly attempts: readonly number[];
  /** The instant of success, or of the last failure. */
  readonly succeededAt?: number;
  readonly failedAt?: number;
}

/**
 * The attempts until an instant. A retry that is due while the destination is disabled counts as the last, failed
 * attempt. So does the removal of the destination while a retry is outstanding.
 */
export function outcomeOf({ at }: LogEvent, hook: Hook, now: number): DeliveryOutcome {
  if (hook.answers) return { attempts: [at], succeededAt: at };
  const attempts = [at];
  const { removedAt } = hook;
  let due = at;
  for (const pause of RETRIES) {
    due += pause;
    if (due > (removedAt ?? now)) {
      if (removedAt !== undefined) attempts.push(removedAt);
      break;
    }
    attempts.push(due);
    if (wasDisabled(hook, due)) break;
  }
  return { attempts, failedAt: attempts.at(-1) as number };
}

const wasDisabled = ({ toggles }: Hook, at: number): boolean =>
  toggles.filter((each) => each < at).length % 2 === 1;

/** The URL of a destination: one that acknowledges everything, or one where nothing listens. */
export const addressOf = ({ answers }: Hook, { origin }: { readonly origin: string }): string =>
  answers ? `${origin}/_emulator/inbox/hook` : 'https://127.0.0.1:9/hook';
