import { KINDS } from '../http/problem.ts';
import type { World } from '../state/world.ts';
import type { WorldLocal } from '../state/world-local.ts';
import { pageOfBytes } from './page-of-bytes.ts';

/** How many seconds a wait takes where nothing else is asked for. */
export const PRESET_SECONDS = 10;

export interface Wait {
  readonly isDone: () => boolean;
  /** Calls back whenever it may be done; answers how to stop. */
  readonly watch: (review: () => void) => () => void;
  readonly closing: AbortSignal;
  /** The world that is waited in: its close ends the wait. */
  readonly world?: World;
  /** As long as it takes where absent. */
  readonly timeoutSeconds?: number;
}

/** Waits in a world, by how each is ended. */
const WAITING: WorldLocal<Set<() => void>> = {
  name: 'waiting calls',
  open: () => new Set(),
  close: (waiting) => {
    for (const end of [...waiting]) end();
  },
};

/** Resolves once something is done, or the time is up, or what is waited in closes. */
export function waitUntil({ isDone, watch, closing, world, timeoutSeconds }: Wait): Promise<void> {
  if (isDone() || closing.aborted || timeoutSeconds === 0) return Promise.resolve();
  const waiting = world?.local(WAITING);
  return new Promise((resolve) => {
    const end = (): void => {
      stop();
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      waiting?.delete(end);
      resolve();
    };
    const stop = watch(() => isDone() && end());
    const timer =
      timeoutSeconds === undefined ? undefined : setTimeout(end, timeoutSeconds * 1_000).unref();
    closing.addEventListener('abort', end);
    waiting?.add(end);
  });
}

interface CountWait<R, T> extends Pick<Wait, 'watch' | 'closing' | 'world'> {
  /** What is waited for, in the plural. */
  readonly what: string;
  readonly count: number;
  readonly seconds: number;
  /** Those that fit by now. */
  readonly find: () => readonly R[];
  /** Whether there are enough, where that is known without finding them. */
  readonly isDone?: () => boolean;
  readonly present: (one: R) => T;
  /** What there is beside those that fit, the latest first. */
  readonly others: () => readonly R[];
  /** What in one of them differs from what is waited for. */
  readonly differs: (other: R) => string[];
  /** What may lie behind a wait in vain. */
  readonly remarks?: () => readonly string[];
}

const MOST_NEAREST = 5;

/**
 * Waits until so many are there and answers with them; when the time is up, with how many fitted and what came nearest.
 *
 * @assumes A-204
 */
export async function answerOnceThere<R, T>(wait: CountWait<R, T>) {
  const { what, count, seconds, find, present, others, differs, remarks } = wait;
  const isDone = () => find().length >= count;
  await waitUntil({ isDone, ...wait, timeoutSeconds: seconds });
  const found = find();
  if (found.length >= count) {
    const items = pageOfBytes(found, present);
    return { status: 200, body: { items, total_count: found.length } } as const;
  }
  const differing = others()
    .map((other) => ({ differs: differs(other), other }))
    .filter((each) => each.differs.length > 0)
    .sort((left, right) => left.differs.length - right.differs.length)
    .slice(0, MOST_NEAREST);
  const nearest = pageOfBytes(differing, ({ other, ...each }) => ({
    ...each,
    item: present(other),
  }));
  const text = `${found.length} of ${count} ${what} matched within ${seconds} s.`;
  const detail = [text, ...(remarks?.() ?? [])].join(' ');
  return { status: 408, body: { ...KINDS[408], status: 408, detail, nearest } } as const;
}
