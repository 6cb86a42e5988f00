import { DAY } from './history.ts';

/** A destination of webhooks. */
export interface Hook {
  readonly index: number;
  readonly createdAt: number;
  readonly answers: boolean;
  readonly topics: readonly string[];
  readonly connect: boolean;
  /** When it was disabled and enabled again, in turns. */
  readonly toggles: number[];
  removedAt?: number;
}

/** An event of the log, with the destinations that it went to. */
export interface LogEvent {
  readonly at: number;
  /** Whether it happened to the connected account and not to the platform, whose log this is. */
  readonly isBeside?: boolean;
  readonly topic: string;
  readonly data: object;
  readonly matched: readonly Hook[];
}

export const TOPIC = 'subscription.activated';

export const isEnabled = ({ toggles }: Hook): boolean => toggles.length % 2 === 0;

/** The destinations that still exist. */
export const standing = (hooks: readonly Hook[]): Hook[] =>
  hooks.filter(({ removedAt }) => removedAt === undefined);

/** The destinations that an event goes to; one that is named gets it whatever its topics. */
export const matchedBy = (hooks: readonly Hook[], named?: Hook, isBeside = false): Hook[] =>
  standing(hooks)
    .filter((hook) => isEnabled(hook) && hook.connect === isBeside)
    .filter((hook) =>
      named ? hook === named : hook.topics.some((topic) => topic === '*' || topic === TOPIC),
    );

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** How long after the attempt before each next one is made. */
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
  /** When it was acknowledged, or when it was last found that it is not. */
  readonly succeededAt?: number;
  readonly failedAt?: number;
}

/**
 * The attempts until a moment. One that falls due while the destination is disabled fails without being made, the last;
 * the removal of the destination does the same to what is outstanding.
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

/** Where a destination that acknowledges what it gets is, or one at which nothing listens. */
export const addressOf = ({ answers }: Hook, { origin }: { readonly origin: string }): string =>
  answers ? `${origin}/_emulator/inbox/hook` : 'https://127.0.0.1:9/hook';
