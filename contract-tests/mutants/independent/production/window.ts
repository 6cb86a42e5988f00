import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import { type Advice, type Loose, type Mutant, mutant } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { overlay } from '../deep.ts';

/** A bug with the place of the specification that it violates. */
export const against = (
  place: string,
  about: string,
  around: Readonly<Partial<Record<OperationId, Advice>>>,
  others: Partial<Mutant> = {},
): Mutant => ({
  ...mutant(`${Object.keys(around)[0] ?? 'webhook'}: ${about}`, `${about} (${place})`, [], around),
  ...others,
});

/** The time between the check and the write of a request, in which other requests run. */
const WINDOW_MS = 60;

/** Runs work in a commit of its own, after the window. */
export async function later<T>({ world }: Context, work: () => T): Promise<T> {
  await wait(WINDOW_MS);
  return world.commit(work);
}

/** A handler that writes some time after it has looked. `look` returns what it bases its decision on. */
export const racing =
  <S>(
    look: (call: Loose, context: Context) => S,
    act: (seen: S, ...given: Parameters<Advice>) => Loose,
  ): Advice =>
  (call, context, run) => {
    const seen = look(call, context);
    return later(context, () => act(seen, call, context, run));
  };

/** A handler that reads some rows of a table when the request arrives and writes later. */
export const readingEarly = (
  table: keyof Context['tables'],
  idsOf: (call: Loose, context: Context) => readonly string[],
): Advice =>
  racing(
    (call, context) => {
      const rows: Loose = context.tables[table];
      return new Map<string, Loose>(idsOf(call, context).map((id) => [id, rows.get(id)]));
    },
    (seen, call, context, run) =>
      run(
        call,
        overlay(context, table, (rows) => ({
          get: (id: string) => (seen.has(id) ? seen.get(id) : rows.get(id)),
        })),
      ),
  );

/** Requests of one kind that are in progress, by what identifies them. */
export const inProgress = remembering<Promise<Loose>>();

/** Responds to a request during another one with the same name, which it gets as a promise. */
export const meeting =
  (
    nameOf: (call: Loose, context: Context) => string,
    answer: (first: Promise<Loose>) => Loose,
  ): Advice =>
  (call, context, run) => {
    const known = inProgress(context);
    const name = nameOf(call, context);
    const first = known.get(name);
    if (first) return answer(first);
    const made = later(context, () => run());
    known.set(name, made);
    return made.finally(() => known.delete(name));
  };

interface Cached {
  readonly stamp: string;
  readonly value: Loose;
}

const caches = remembering<Cached>();

/** A value that is computed again only when its stamp changes. */
export function cached<T>(context: Context, name: unknown, stamp: unknown, compute: () => T): T {
  const { world, owner } = context;
  const kept = caches(context);
  const at = JSON.stringify([world.replacements, owner, name]);
  const text = JSON.stringify(stamp ?? null);
  const known = kept.get(at);
  if (known?.stamp === text) return known.value;
  const value = compute();
  kept.set(at, { stamp: text, value });
  return value;
}

/** A read whose response is cached until the stamp changes. */
export const cachedWhile =
  (stampOf: (call: Loose, context: Context) => unknown): Advice =>
  (call, context, run) =>
    cached(context, ['response', call.path, call.query], stampOf(call, context), () => run());
