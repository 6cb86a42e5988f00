import { Rational } from '../kit/rational.ts';
import { Digits, type ExactObject, type ExactValue, isList, isObject } from './exact-value.ts';
import { type IdMap, isInstant } from './id-map.ts';
import { formOf } from './match-texts.ts';

/** The paired items of two lists, whatever their positions. */
export interface PairedItems {
  readonly pairs: readonly (readonly [upstream: ExactValue, emulator: ExactValue])[];
  /** Items of the service that the emulator does not show. */
  readonly missing: readonly ExactValue[];
  readonly extra: readonly ExactValue[];
}

/** Fields that identify an item within its list. */
const KEYS = new Set([
  ...['id', 'code', 'external_id', 'usage_id', 'customer_id', 'subscription_id', 'price_id'],
  ...['provider', 'provider_id', 'asset', 'source', 'version', 'event_type', 'destination_id'],
]);

/** The largest lists for which the most similar items are searched, because every pair is compared. */
const MOST_HELD_TOGETHER = 100;

type Side = 'upstream' | 'emulator';
interface Item {
  readonly value: ExactValue;
  /** Texts to compare with the other side: the natural key, the whole item, and the item without numbers. */
  readonly key: string | undefined;
  readonly whole: string;
  readonly words: string;
  readonly moments: string;
}

/**
 * Pairs the items of two lists: by known identifiers, else by natural key, else by all fields, else by most equal
 * fields. Equal items are paired in order of time. Positions in the list do not matter.
 */
export function pairItems(
  upstream: readonly ExactValue[],
  emulator: readonly ExactValue[],
  ids: IdMap,
): PairedItems {
  const byId = pairByIdentity(upstream, emulator, ids);
  let left = byId.open.upstream.map((value) => describe(value, 'upstream', ids));
  let right = byId.open.emulator.map((value) => describe(value, 'emulator', ids));
  const pairs = [...byId.pairs];
  const take = (found: readonly (readonly [Item, Item])[]): void => {
    for (const [one, other] of found) pairs.push([one.value, other.value]);
    const [ones, others] = [
      new Set(found.map(([one]) => one)),
      new Set(found.map(([, two]) => two)),
    ];
    left = left.filter((item) => !ones.has(item));
    right = right.filter((item) => !others.has(item));
  };
  take(pairByText(left, right, ({ key }) => key, true));
  take(pairByText(left, right, ({ whole }) => whole));
  take(pairByText(left, right, ({ words }) => words));
  // An item without an id can match any remaining item.
  const others = (side: Side, values: readonly ExactValue[], across: readonly Item[]) =>
    across.some(isNameless) ? values.map((value) => describe(value, side, ids)) : [];
  left.push(...others('upstream', byId.missing, right));
  right.push(...others('emulator', byId.extra, left));
  take(pairAlike(left, right));
  const rest = (known: readonly ExactValue[], items: readonly Item[]) => [
    ...new Set([
      ...known.filter((value) => !paired.has(value)),
      ...items.map(({ value }) => value),
    ]),
  ];
  const paired = new Set(pairs.flat());
  return { pairs, missing: rest(byId.missing, left), extra: rest(byId.extra, right) };
}

/** An item with a known id matches its counterpart or none. */
function pairByIdentity(
  upstream: readonly ExactValue[],
  emulator: readonly ExactValue[],
  ids: IdMap,
) {
  const pairs: [ExactValue, ExactValue][] = [];
  const missing: ExactValue[] = [];
  const open: Record<Side, ExactValue[]> = { upstream: [], emulator: [] };
  const theirs = new Map<string, ExactValue>();
  const [ours, others] = [repeatedIn(upstream), repeatedIn(emulator)];
  for (const value of emulator) {
    const id = idOf(value);
    const isKnown = id !== undefined && (ids.original(id) !== undefined || ids.isGiven(id));
    if (isKnown && !others.has(id) && !ours.has(ids.original(id) ?? id)) theirs.set(id, value);
    else open.emulator.push(value);
  }
  for (const value of upstream) {
    const id = idOf(value);
    const known =
      id === undefined ? undefined : (ids.counterpart(id) ?? (ids.isGiven(id) ? id : undefined));
    const other = known === undefined ? undefined : theirs.get(known);
    const isOpen = known === undefined || ours.has(id as string) || others.has(known);
    if (isOpen) open.upstream.push(value);
    else if (other === undefined) missing.push(value);
    else {
      theirs.delete(known);
      pairs.push([value, other]);
    }
  }
  return { pairs, missing, extra: [...theirs.values()], open };
}

/** Identifiers that several items of a list share, such as versions of a product. */
function repeatedIn(items: readonly ExactValue[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const id of items.map(idOf)) if (id !== undefined) (seen.has(id) ? repeated : seen).add(id);
  return repeated;
}

/** The identifier of an item, which for a plain text is the text. */
function idOf(value: ExactValue): string | undefined {
  const id = isObject(value) ? value['id'] : value;
  return typeof id === 'string' ? id : undefined;
}

function isNameless({ value }: Item): boolean {
  const id = idOf(value);
  return isObject(value) && (id === undefined || formOf(id) === undefined);
}

function describe(value: ExactValue, side: Side, ids: IdMap): Item {
  const moments: string[] = [];
  const text = (given: string): string => {
    if (isInstant(given)) {
      moments.push(given);
      return '@';
    }
    const known = side === 'upstream' ? ids.counterpart(given) : given;
    if (known !== undefined && (side === 'upstream' || ids.original(given) !== undefined))
      return known;
    return formOf(given) === undefined || ids.isGiven(given) ? given : '#';
  };
  const put = (inner: ExactValue, number: (digits: Digits) => unknown): unknown => {
    if (typeof inner === 'string') return text(inner);
    if (inner instanceof Digits) return number(inner);
    if (isList(inner)) return inner.map((each) => JSON.stringify(put(each, number))).sort();
    if (!isObject(inner)) return inner;
    const names = Object.keys(inner).sort();
    return names.map((name) => [name, put(inner[name] as ExactValue, number)]);
  };
  const whole = JSON.stringify(put(value, ({ text: digits }) => worth(digits)));
  const words = JSON.stringify(put(value, () => 0));
  return { value, whole, words, key: keyOf(value, text), moments: moments.sort().join() };
}

function keyOf(value: ExactValue, text: (given: string) => string): string | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value)
    .filter(([name]) => KEYS.has(name))
    .map(([name, inner]) => [name, typeof inner === 'string' ? text(inner) : worthOf(inner)]);
  const isTelling = parts.some(([, inner]) => inner !== '#' && inner !== '');
  return isTelling ? JSON.stringify(parts.sort()) : undefined;
}

const worthOf = (value: ExactValue): string => (value instanceof Digits ? worth(value.text) : '');

function worth(digits: string): string {
  const { numerator, denominator } = Rational.of(digits);
  return `${numerator}/${denominator}`;
}

function pairByText(
  left: readonly Item[],
  right: readonly Item[],
  textOf: (item: Item) => string | undefined,
  onlySingle = false,
): readonly (readonly [Item, Item])[] {
  const [ones, others] = [grouped(left, textOf), grouped(right, textOf)];
  return [...ones].flatMap(([text, group]) => {
    const counterparts = others.get(text) ?? [];
    if (onlySingle && (group.length > 1 || counterparts.length > 1)) return [];
    return inOrder(group, counterparts);
  });
}

function grouped(items: readonly Item[], textOf: (item: Item) => string | undefined) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const text = textOf(item);
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), item]);
  }
  return groups;
}

/** Pairs items in order of time. If one side has more, each item of the other takes the nearest in time. */
function inOrder(left: readonly Item[], right: readonly Item[]): (readonly [Item, Item])[] {
  const [ones, others] = [byMoments(left), [...byMoments(right)]];
  if (ones.length === others.length) return ones.map((one, index) => [one, others[index] as Item]);
  if (ones.length > others.length)
    return inOrder(right, left).map(([other, one]) => [one, other] as const);
  return ones.map((one) => {
    const distances = others.map((other) => apart(one, other));
    const nearest = distances.indexOf(Math.min(...distances));
    return [one, others.splice(nearest, 1)[0] as Item];
  });
}

function apart(one: Item, other: Item): number {
  const [moment, otherMoment] = [one, other].map(({ moments }) => Date.parse(moments.slice(0, 24)));
  return Math.abs((moment as number) - (otherMoment as number)) || 0;
}

function byMoments(items: readonly Item[]): readonly Item[] {
  return [...items].sort((one, other) =>
    one.moments < other.moments ? -1 : Number(one.moments > other.moments),
  );
}

/** Pairs the items with the most equal fields, best match first. */
function pairAlike(
  left: readonly Item[],
  right: readonly Item[],
): readonly (readonly [Item, Item])[] {
  if (left.length * right.length > MOST_HELD_TOGETHER ** 2) return inOrder(left, right);
  const held = left.flatMap((one) =>
    right.map((other) => ({ one, other, likeness: likenessOf(one.value, other.value) })),
  );
  const taken = new Set<Item>();
  const pairs: (readonly [Item, Item])[] = [];
  for (const { one, other } of held.sort((first, second) => second.likeness - first.likeness)) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    pairs.push([one, other]);
  }
  return pairs;
}

/** The number of equal fields of two items. */
function likenessOf(one: ExactValue | undefined, other: ExactValue | undefined): number {
  if (isObject(one) && isObject(other)) {
    const inner: ExactObject = other;
    return Object.entries(one).reduce(
      (sum, [name, value]) => sum + likenessOf(value, inner[name]),
      0,
    );
  }
  return JSON.stringify(one) === JSON.stringify(other) ? 1 : 0;
}
