import { PROBLEM_KINDS } from '../http/message.ts';
import { pageOfBytes } from '../resources/paging.ts';
import { type World, WorldClosed } from '../store/world.ts';
import { onClose } from '../store/world-local.ts';
import { Stopping } from '../store/worlds.ts';

/** The default timeout in seconds. */
export const PRESET_SECONDS = 10;

export interface Wait {
  readonly isDone: () => boolean;
  /** Calls back whenever it may be done; returns how to stop. */
  readonly watch: (review: () => void) => () => void;
  readonly closing: AbortSignal;
  /** If it closes, the wait ends. */
  readonly world?: World;
  readonly seconds: number;
}

/**
 * Resolves once `isDone`, or after the timeout.
 *
 * @throws WorldClosed when the world closes
 * @throws Stopping when the emulator closes
 */
export function waitUntil({ isDone, watch, closing, world, seconds }: Wait): Promise<void> {
  if (isDone() || seconds === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      for (const stop of stops) stop?.();
      clearTimeout(timer);
      closing.removeEventListener('abort', giveUp);
      if (error) reject(error);
      else resolve();
    };
    const giveUp = (): void => end(new Stopping());
    const stops = [
      watch(() => isDone() && end()),
      world && onClose(world, () => end(new WorldClosed())),
    ];
    const timer = setTimeout(() => end(), seconds * 1_000).unref();
    closing.addEventListener('abort', giveUp);
    if (closing.aborted) giveUp();
  });
}

interface CountWait<R, T> extends Omit<Wait, 'isDone'> {
  /** What is waited for, in the plural. */
  readonly what: string;
  readonly count: number;
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

const MAX_NEAREST = 5;

/**
 * Waits for `count` matches and responds with them; after the timeout, with their number and the nearest candidates.
 *
 * @assumes A-204
 */
export async function answerOnceThere<R, T>(wait: CountWait<R, T>) {
  const { what, count, seconds, find, present, others, differs, remarks } = wait;
  const isDone = () => find().length >= count;
  await waitUntil({ isDone, ...wait });
  const found = find();
  if (found.length >= count) {
    const items = pageOfBytes(found, present);
    return { status: 200, body: { items, total_count: found.length } } as const;
  }
  const differing = others()
    .map((other) => ({ differs: differs(other), other }))
    .filter((each) => each.differs.length > 0)
    .sort((left, right) => left.differs.length - right.differs.length)
    .slice(0, MAX_NEAREST);
  const nearest = pageOfBytes(differing, ({ other, ...each }) => ({
    ...each,
    item: present(other),
  }));
  const text = `${found.length} of ${count} ${what} matched within ${seconds} s.`;
  const detail = [text, ...(remarks?.() ?? [])].join(' ');
  return { status: 408, body: { ...PROBLEM_KINDS[408], status: 408, detail, nearest } } as const;
}
