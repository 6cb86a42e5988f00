import { endsBeforeItStarts } from '../../kit/periods.ts';
import type { AnyBody } from '../../kit/target/own-world.ts';
import { instant } from '../calls.ts';
import { advance } from '../due.ts';
import type { Aspect, Compared, Stage } from './aspect.ts';
import { LISTS, type List, type Rule } from './list-rules.ts';

/** Pseudo-random numbers from a seed, so that the same history gives the same queries. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** The number of random queries of which the most telling one is sent. */
const DRAWS = 8;

/**
 * Every list with its parameters, alone and combined, and with pages: it must return the matching items of the whole
 * list, in the same order. First moves the clock to the next end of a credit, to test bounds at that instant.
 */
export const lists: Aspect = async function* (stage) {
  await toNextExpiry(stage);
  for (const list of LISTS)
    for (const path of list.paths?.(stage) ?? [{}])
      for (const base of list.bases ?? [{}]) yield* asked({ ...list, path, base }, stage);
};

async function toNextExpiry({ call, world }: Stage): Promise<void> {
  const credits = world.customers
    .flatMap(({ accounts }) => [...accounts.values()])
    .flatMap((account) => account.credits);
  const next = Math.min(
    ...credits.map((credit) => credit.expiresAt).filter((at) => at > world.now),
  );
  if (!Number.isFinite(next)) return;
  advance(world, next);
  await call('advanceClock', { body: { to: instant(next) } });
}

interface Place extends List {
  readonly path: Readonly<Record<string, string>>;
  readonly base: object;
}

async function* asked(
  { operation, path, base, rules }: Place,
  stage: Stage,
): AsyncGenerator<Compared> {
  const ask = (query: object) => stage.call(operation, { path, query: { ...base, ...query } });
  const { items } = await ask({ limit: 1000 });
  const below = draws(items.length + 1);
  const fitting = (query: Query): AnyBody[] =>
    items.filter((item: AnyBody) =>
      Object.entries(query).every(([name, value]) =>
        rules[name]?.fits(item, value as never, stage),
      ),
    );
  for (const query of queriesOf({ items, rules, stage, below, fitting })) {
    const fits = fitting(query);
    const asked = [1, 2, 3, 1000, undefined][below(5)];
    const [limit, offset] = [asked ?? 100, below(2) && below(fits.length + 2)];
    const whole = { ...query, ...(asked && { limit }), ...((asked || offset) && { offset }) };
    const page = { items: fits.slice(offset, offset + limit), total_count: fits.length };
    const name = `${operation} ${JSON.stringify({ ...path, ...base, ...whole })}`;
    yield [name, await ask(whole), { ...page, limit, offset }];
  }
}

type Query = Readonly<Record<string, unknown>>;

interface Listed {
  readonly items: readonly AnyBody[];
  readonly rules: Readonly<Record<string, Rule>>;
  readonly stage: Stage;
  readonly below: (count: number) => number;
  readonly fitting: (query: Query) => readonly AnyBody[];
}

/** Queries with no parameter, with each parameter (twice), with each pair, and with as many sets of three. */
function queriesOf(listed: Listed): Query[] {
  const { items, rules, stage, below } = listed;
  const values = Object.entries(rules).flatMap(([name, { asks }]) => {
    const of = [...new Set(asks(items, stage))];
    return of.length > 0 ? [{ name, of }] : [];
  });
  const pairs = values.flatMap((one, index) =>
    values.slice(index + 1).map((other) => [one, other]),
  );
  const threes = pairs.map((pair) => [...pair, values[below(values.length)] as (typeof values)[0]]);
  const sets = [
    [],
    ...values.map((one) => [one]),
    ...values.map((one) => [one]),
    ...pairs,
    ...threes,
  ];
  return sets.flatMap((set) => {
    const draw = (): Query =>
      Object.fromEntries(set.map(({ name, of }) => [name, of[below(of.length)]]));
    const drawn = Array.from({ length: DRAWS }, draw).filter((query) => !endsBeforeItStarts(query));
    const query = mostTelling(drawn, listed);
    return query ? [query] : [];
  });
}

/** The query that best shows an error: it has matches, and each of its parameters changes their number. */
function mostTelling(queries: readonly Query[], { fitting }: Listed): Query | undefined {
  const told = (query: Query): number => {
    const count = fitting(query).length;
    const others = Object.keys(query).map((left) =>
      Object.fromEntries(Object.entries(query).filter(([name]) => name !== left)),
    );
    return Number(count > 0) + others.filter((other) => fitting(other).length !== count).length;
  };
  const scores = queries.map(told);
  return queries[scores.indexOf(Math.max(...scores))];
}
