import type { AnyBody } from '../../kit/target/own-world.ts';
import type { Aspect, Stage } from './aspect.ts';
import { LISTS, type List, type Rule } from './list-rules.ts';

/** The same draws for the same list, so that a history is judged alike each time. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** Values of one parameter that are tried by themselves. */
const SINGLES = 4;

/**
 * Every list, with each of its parameters, each pair of them and pages of any size, answers those items of the whole list
 * that fit, in the order of the whole list.
 */
export const lists: Aspect = async (stage) => {
  const [found, wanted]: AnyBody[] = [{}, {}];
  for (const list of LISTS)
    for (const path of list.paths?.(stage) ?? [{}])
      for (const base of list.bases ?? [{}]) {
        const place = { ...list, path, base };
        for (const [asked, answer, expected] of await judged(place, stage)) {
          found[asked] = answer;
          wanted[asked] = expected;
        }
      }
  return { found, wanted };
};

interface Place extends List {
  readonly path: Readonly<Record<string, string>>;
  readonly base: object;
}

async function judged({ operation, path, base, rules }: Place, stage: Stage) {
  const ask = (query: object) => stage.call(operation, { path, query: { ...base, ...query } });
  const { items } = await ask({ limit: 1000 });
  const below = draws(items.length + 1);
  const results: [string, AnyBody, AnyBody][] = [];
  for (const query of queriesOf(items, rules, stage, below)) {
    const fits = items.filter((item: AnyBody) =>
      Object.entries(query).every(([name, value]) =>
        rules[name]?.fits(item, value as never, stage),
      ),
    );
    const limit = [1, 2, 3, 1000][below(4)] as number;
    const offset = below(2) && below(fits.length + 2);
    const whole = { ...query, limit, offset };
    const page = { items: fits.slice(offset, offset + limit), total_count: fits.length };
    const name = `${operation} ${JSON.stringify({ ...path, ...base, ...whole })}`;
    results.push([name, await ask(whole), { ...page, limit, offset }]);
  }
  return results;
}

type Query = Readonly<Record<string, unknown>>;

/** No parameter, each parameter by some of its values, and each pair of parameters once. */
function queriesOf(
  items: readonly AnyBody[],
  rules: Readonly<Record<string, Rule>>,
  stage: Stage,
  below: (count: number) => number,
): Query[] {
  const values = Object.entries(rules).map(
    ([name, { asks }]) => [name, [...new Set(asks(items, stage))]] as const,
  );
  const oneOf = (of: readonly unknown[]) => of[below(of.length)];
  const singles = values.flatMap(([name, of]) =>
    Array.from({ length: Math.min(SINGLES, of.length) }, () => ({ [name]: oneOf(of) })),
  );
  const pairs = values.flatMap(([name, of], index) =>
    values
      .slice(index + 1)
      .filter(([, others]) => of.length > 0 && others.length > 0)
      .map(([other, others]) => ({ [name]: oneOf(of), [other]: oneOf(others) })),
  );
  return [{}, {}, ...singles, ...pairs.filter((query) => !isTurnedRound(query))];
}

/** Whether a period ends before it begins, which is refused. */
const isTurnedRound = (query: Query): boolean =>
  Object.entries(query).some(
    ([name, from]) =>
      name.endsWith('_from') && String(from) > String(query[name.replace('_from', '_to')] ?? '~'),
  );
