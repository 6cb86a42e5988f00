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

/**
 * Mutants that were made from the specification, without a look at the checks: they name none, and any check that
 * turns red has noticed one.
 */
export const bug = (about: string, operation: OperationId, advice: Advice): Mutant =>
  mutant(`${operation}: ${about}`, about, [], { [operation]: advice });

/** Fields of a request that are taken and not kept. */
export const forgets = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) => bug(`does not keep ${name}`, operation, forgetting(name)));

/** Parameters of a query that change nothing. */
export const ignores = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) => bug(`ignores ${name}`, operation, ignoring(name)));

/** A parameter that changes nothing beside another one. */
export const ignoresBeside = (operation: OperationId, name: string, other: string): Mutant =>
  bug(
    `ignores ${name} beside ${other}`,
    operation,
    asking(({ query }) => {
      if (query[other] !== undefined) delete query[name];
    }),
  );

/** Lists and maps of a request of which only the first element is kept. */
export const keepsFirst = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) =>
    bug(
      `keeps the first of ${name}`,
      operation,
      sending((body) => Object.assign(body, { [name]: firstOf(body[name]) })),
    ),
  );

/** Lists and maps of an answer of which only the first element is shown. */
export const showsFirst = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) =>
    bug(
      `shows the first of ${name}`,
      operation,
      showing((body) => ({ [name]: firstOf(body[name]) })),
    ),
  );

/** Fields that an answer lacks, where the document lets it. */
export const hides = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) =>
    bug(
      `leaves out ${name}`,
      operation,
      showing((body) => {
        delete body[name];
      }),
    ),
  );

/** What the caller meant by what an update leaves out is taken for null. */
export const clears = (operation: OperationId, ...names: readonly string[]): Mutant[] =>
  names.map((name) =>
    bug(
      `clears ${name} where it is left out`,
      operation,
      sending((body) => {
        if (body[name] === undefined) body[name] = null;
      }),
    ),
  );

function firstOf(list: Loose): Loose {
  if (Array.isArray(list)) return list.slice(0, 1);
  return list && Object.fromEntries(Object.entries(list).slice(0, 1));
}

/** A bound of a query, moved by one of its units. */
export const shifts = (operation: OperationId, name: string, by: 1 | -1): Mutant =>
  bug(
    `takes ${name} for exclusive`,
    operation,
    asking(({ query }) => {
      const bound: string | undefined = query[name];
      if (bound === undefined) return;
      const isDay = bound.length === 10;
      const moved = new Date(Date.parse(bound) + by * (isDay ? 86_400_000 : 1)).toISOString();
      query[name] = isDay ? moved.slice(0, 10) : moved;
    }),
  );

/** A list that finds by a text what almost fits it. */
export const findsNear = (
  operation: OperationId,
  table: string,
  name: string,
  fits: (found: string, wanted: string) => boolean,
  manner: string,
): Mutant =>
  bug(
    `finds by ${name} ${manner}`,
    operation,
    asking(({ query }, { tables, owner }) => {
      if (query[name] === undefined) return;
      const rows: Loose[] = (tables as Loose)[table].list('owner', owner);
      const near = rows.find((row) => row[name] !== undefined && fits(row[name], query[name]));
      query[name] = near?.[name] ?? query[name];
    }),
  );

export const byPrefix = (found: string, wanted: string): boolean => found.startsWith(wanted);
export const byPart = (found: string, wanted: string): boolean => found.includes(wanted);
export const anyCase = (found: string, wanted: string): boolean =>
  found.toLowerCase() === wanted.toLowerCase();

/** Changes the body of a request. */
export const sending = (change: (body: Loose) => unknown): Advice =>
  asking(({ body }) => {
    change(body);
  });

/** Lets only some items of a list through, and counts them. */
export const onlyThose = (fits: (item: Loose, call: Loose, context: Loose) => boolean): Advice =>
  showing((body, call, context) => {
    const items = body.items.filter((item: Loose) => fits(item, call, context));
    return { items, total_count: body.total_count - (body.items.length - items.length) };
  });

/** Changes each element of a list of an answer that is no page. */
export const eachOf = (list: string, change: (item: Loose, body: Loose) => Loose): Advice =>
  showing((body) => ({
    [list]: body[list].map((item: Loose) => ({ ...item, ...change(item, body) })),
  }));

export const cents = (amount: number): number => Math.round(amount * 100) / 100;
