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
  /** Aborted when the emulator closes. */
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

interface Missed<R, T> {
  readonly what: string;
  readonly found: number;
  readonly count: number;
  readonly seconds: number;
  /** What there is beside those that fitted, the latest first. */
  readonly others: readonly R[];
  /** What in one of them differs from what was waited for. */
  readonly differs: (other: R) => string[];
  readonly present: (other: R) => T;
  /** What may lie behind it. */
  readonly remarks?: readonly string[];
}

const MOST_NEAREST = 5;

/** The answer of every wait that ran out: how many fitted, and what came nearest. @assumes A-204 */
export function waitTimeout<R, T>({ what, found, count, seconds, others, ...rest }: Missed<R, T>) {
  const differing = others
    .map((other) => ({ differs: rest.differs(other), other }))
    .filter(({ differs }) => differs.length > 0)
    .sort((left, right) => left.differs.length - right.differs.length)
    .slice(0, MOST_NEAREST);
  const nearest = pageOfBytes(differing, ({ differs, other }) => ({
    differs,
    item: rest.present(other),
  }));
  const text = `${found} of ${count} ${what} fitted within ${seconds} s.`;
  const detail = [text, ...(rest.remarks ?? [])].join(' ');
  return { status: 408, body: { ...KINDS[408], status: 408, detail, nearest } } as const;
}
