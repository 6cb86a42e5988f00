import { KINDS } from '../http/problem.ts';
import type { World } from '../state/world.ts';
import type { WorldLocal } from '../state/world-local.ts';
import { pageOfBytes } from './page-of-bytes.ts';

/** The default timeout in seconds. */
export const PRESET_SECONDS = 10;

export interface Wait {
  readonly isDone: () => boolean;
  /** Calls back whenever it may be done; returns how to stop. */
  readonly watch: (review: () => void) => () => void;
  readonly closing: AbortSignal;
  /** If it closes, the wait ends. */
  readonly world?: World;
  /** No timeout if absent. */
  readonly timeoutSeconds?: number;
}

/** Functions that end the waiting calls of a world. */
const WAITING: WorldLocal<Set<() => void>> = {
  name: 'waiting calls',
  open: () => new Set(),
  close: (waiting) => {
    for (const end of [...waiting]) end();
  },
};

/** Resolves once `isDone`, after the timeout, or when the world or the emulator closes. */
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
  /** The present matches. */
  readonly find: () => readonly R[];
  /** Whether there are enough matches, if that is known without `find`. */
  readonly isDone?: () => boolean;
  readonly present: (one: R) => T;
  /** All candidates, the latest first. */
  readonly others: () => readonly R[];
  /** How a candidate differs from what is waited for. */
  readonly differs: (other: R) => string[];
  /** Possible reasons for a timeout. */
  readonly remarks?: () => readonly string[];
}

const MOST_NEAREST = 5;

/**
 * Waits for `count` matches and responds with them; after the timeout, with their number and the nearest candidates.
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
