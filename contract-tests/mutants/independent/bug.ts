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

/** What may be wrong with an operation, by what a user would say of it. */
export type Mistakes = Readonly<Record<string, Advice>>;

/**
 * Mutants that were made from the specification, without a look at the checks: they name none, and any check that
 * turns red has noticed one.
 */
export const bugs = (all: Readonly<Partial<Record<OperationId, Mistakes>>>): Mutant[] =>
  Object.entries(all).flatMap(([operation, mistakes]) =>
    Object.entries(mistakes).map(([about, advice]) =>
      mutant(`${operation}: ${about}`, about, [], { [operation]: advice }),
    ),
  );

/** The same mistake about each of some names. */
export const aboutEach = (
  names: readonly string[],
  about: (name: string) => string,
  advice: (name: string) => Advice,
): Mistakes => Object.fromEntries(names.map((name) => [about(name), advice(name)]));

/** Fields of a request that are taken and not kept. */
export const forgets = (...names: readonly string[]): Mistakes =>
  aboutEach(names, (name) => `does not keep ${name}`, forgetting);

/** Parameters of a query that change nothing. */
export const ignores = (...names: readonly string[]): Mistakes =>
  aboutEach(names, (name) => `ignores ${name}`, ignoring);

/** A parameter that changes nothing beside another one. */
export const ignoresBeside = (name: string, other: string): Mistakes => ({
  [`ignores ${name} beside ${other}`]: asking(({ query }) => {
    if (query[other] !== undefined) delete query[name];
  }),
});

/** Lists and maps of a request of which only the first element is kept. */
export const keepsFirst = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `keeps the first of ${name}`,
    (name) => sending((body) => Object.assign(body, { [name]: firstOf(body[name]) })),
  );

/** Lists and maps of an answer of which only the first element is shown. */
export const showsFirst = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `shows the first of ${name}`,
    (name) => showing((body) => ({ [name]: firstOf(body[name]) })),
  );

/** Fields that an answer lacks, where the document lets it. */
export const hides = (...names: readonly string[]): Mistakes =>
  aboutEach(
    names,
    (name) => `leaves out ${name}`,
    (name) => showing((body) => void delete body[name]),
  );

/** What the caller meant by what an update leaves out is taken for null. */
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

/** Bounds of a query, moved inwards by one of their units. */
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

/** How a text may almost fit another one. */
const MANNERS = {
  'by its beginning': (found: string, wanted: string) => found.startsWith(wanted),
  'by a part': (found: string, wanted: string) => found.includes(wanted),
  'in any letter case': (found: string, wanted: string) =>
    found.toLowerCase() === wanted.toLowerCase(),
} as const;

/** A list that finds by a text what almost fits it. */
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

/** Lets only some items of a list through, and counts them. */
export const onlyThose = (fits: (item: Loose, call: Loose, context: Loose) => boolean): Advice =>
  showing((body, call, context) => {
    const items = body.items.filter((item: Loose) => fits(item, call, context));
    return { items, total_count: body.total_count - (body.items.length - items.length) };
  });

export const cents = (amount: number): number => Math.round(amount * 100) / 100;
