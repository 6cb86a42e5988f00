import type { Context } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import {
  type Advice,
  asking,
  forgetting,
  ignoring,
  type Loose,
  type Mutant,
  mutant,
  showing,
} from '../mutant.ts';

/** Defects of an operation, by their description in the words of a user. */
export type Mistakes = Readonly<Record<string, Advice>>;

/**
 * Mutants written from the specification alone, without knowledge of the checks. They name no check: any check that
 * fails has detected the mutant.
 */
export const bugs = (all: Readonly<Partial<Record<OperationId, Mistakes>>>): Mutant[] =>
  Object.entries(all).flatMap(([operation, mistakes]) =>
    Object.entries(mistakes).map(([about, advice]) =>
      mutant(`${operation}: ${about}`, about, [], { [operation]: advice }),
    ),
  );

/** A bug in several operations, named after the first of them. */
export const across = (
  about: string,
  around: Readonly<Partial<Record<OperationId, Advice>>>,
): Mutant => mutant(`${Object.keys(around)[0]}: ${about}`, about, [], around);

/** A map for each world, which a bug keeps between requests. */
export function remembering<T>(): (context: Context) => Map<string, T> {
  const kept = new WeakMap<object, Map<string, T>>();
  return ({ world }) => {
    const known = kept.get(world) ?? new Map<string, T>();
    kept.set(world, known);
    return known;
  };
}

/** The same defect for each of several names. */
export const aboutEach = (
  names: readonly string[],
  about: (name: string) => string,
  advice: (name: string) => Advice,
): Mistakes => Object.fromEntries(names.map((name) => [about(name), advice(name)]));

/** Request fields that are accepted but not stored. */
export const forgets = (...names: readonly string[]): Mistakes =>
  aboutEach(names, (name) => `does not keep ${name}`, forgetting);

/** Query parameters that have no effect. */
export const ignores = (...names: readonly string[]): Mistakes =>
  aboutEach(names, (name) => `ignores ${name}`, ignoring);

/** A query parameter that has no effect together with another one. */
export const ignoresBeside = (name: string, other: string): Mistakes => ({
  [`ignores ${name} beside ${other}`]: asking(({ query }) => {
    if (query[other] !== undefined) delete query[name];
  }),
});

/** Lists and maps in requests of which only the first element is stored. */
export const keepsFirst = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `keeps the first of ${name}`,
    (name) => sending((body) => Object.assign(body, { [name]: firstOf(body[name]) })),
  );

/** Lists and maps in responses of which only the first element is shown. */
export const showsFirst = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `shows the first of ${name}`,
    (name) => showing((body) => ({ [name]: firstOf(body[name]) })),
  );

/** Optional fields that the response omits. */
export const hides = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `leaves out ${name}`,
    (name) => showing((body) => void delete body[name]),
  );

/** Fields that an update sets to null when the request omits them. */
export const clears = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `clears ${name} where it is left out`,
    (name) =>
      sending((body) => {
        if (body[name] === undefined) body[name] = null;
      }),
  );

function firstOf(list: Loose): Loose {
  if (Array.isArray(list)) return list.slice(0, 1);
  return list && Object.fromEntries(Object.entries(list).slice(0, 1));
}

/** Inclusive bounds of a query that are treated as exclusive. */
export const shifts = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `takes ${name} for exclusive`,
    (name) =>
      asking(({ query }) => {
        const bound: string | undefined = query[name];
        if (bound === undefined) return;
        const unit = bound.length === 10 ? 86_400_000 : 1;
        const by = /_(from|gte)$/.test(name) ? unit : -unit;
        const moved = new Date(Date.parse(bound) + by).toISOString();
        query[name] = moved.slice(0, bound.length === 10 ? 10 : undefined);
      }),
  );

/** Ways in which a text can almost match another. */
const MANNERS = {
  'by its beginning': (found: string, wanted: string) => found.startsWith(wanted),
  'by a part': (found: string, wanted: string) => found.includes(wanted),
  'in any letter case': (found: string, wanted: string) =>
    found.toLowerCase() === wanted.toLowerCase(),
} as const;

/** A list filter that also finds texts that almost match. */
export const findsNear = (table: string, name: string, manner: keyof typeof MANNERS): Mistakes => ({
  [`finds by ${name} ${manner}`]: asking(({ query }, { tables, owner }) => {
    if (query[name] === undefined) return;
    const rows: Loose[] = (tables as Loose)[table].list('owner', owner);
    const fits = MANNERS[manner];
    const near = rows.find((row) => row[name] !== undefined && fits(row[name], query[name]));
    query[name] = near?.[name] ?? query[name];
  }),
});

/** Changes the body of a request. */
export const sending = (change: (body: Loose) => unknown): Advice =>
  asking(({ body }) => void change(body));

/** Removes the items of a page that do not fit, and reduces the total count. */
export const onlyThose = (fits: (item: Loose, call: Loose, context: Loose) => boolean): Advice =>
  showing((body, call, context) => {
    const items = body.items.filter((item: Loose) => fits(item, call, context));
    return { items, total_count: body.total_count - (body.items.length - items.length) };
  });

export const cents = (amount: number): number => Math.round(amount * 100) / 100;
