import { type ExactObject, type ExactValue, isObject } from './exact-value.ts';
import type { IdMap } from './id-map.ts';
import { type DescribedItem, describeItem, type TwinSide } from './item-texts.ts';
import { formOf } from './match-texts.ts';

/** The paired items of two lists, whatever their positions. */
export interface PairedItems {
  readonly pairs: readonly (readonly [upstream: ExactValue, emulator: ExactValue])[];
  /** Items of the service that the emulator does not show. */
  readonly missing: readonly ExactValue[];
  readonly extra: readonly ExactValue[];
}

type Values = readonly ExactValue[];

/** The largest lists for which the most similar items are searched, because every pair is compared. */
const MAX_HELD_TOGETHER = 100;

/**
 * Pairs the items of two lists: by known identifiers, else by natural key, else by all fields, else by most equal
 * fields. Equal items are paired in order of time. Positions in the list do not matter.
 *
 * @param isCompared whether a field of an item is compared; others do not count
 */
export function pairItems(
  upstream: Values,
  emulator: Values,
  ids: IdMap,
  isCompared: (field: string) => boolean = () => true,
): PairedItems {
  const byId = pairByIdentity(upstream, emulator, ids);
  const described = (side: TwinSide, values: Values) =>
    values.map((value) => describeItem(value, side, ids, isCompared));
  let left = described('upstream', byId.open.upstream);
  let right = described('emulator', byId.open.emulator);
  const pairs = [...byId.pairs];
  const take = (found: readonly (readonly [DescribedItem, DescribedItem])[]): void => {
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
  const others = (side: TwinSide, values: Values, across: readonly DescribedItem[]) =>
    across.some(isNameless) ? described(side, values) : [];
  left.push(...others('upstream', byId.missing, right));
  right.push(...others('emulator', byId.extra, left));
  take(pairAlike(left, right));
  const paired = new Set(pairs.flat());
  const rest = (known: Values, items: readonly DescribedItem[]) =>
    [...new Set([...known, ...items.map(({ value }) => value)])].filter((one) => !paired.has(one));
  return { pairs, missing: rest(byId.missing, left), extra: rest(byId.extra, right) };
}

/** An item with a known id matches its counterpart or none. */
function pairByIdentity(upstream: Values, emulator: Values, ids: IdMap) {
  const pairs: [ExactValue, ExactValue][] = [];
  const missing: ExactValue[] = [];
  const open: Record<TwinSide, ExactValue[]> = { upstream: [], emulator: [] };
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

function isNameless({ value }: DescribedItem): boolean {
  const id = idOf(value);
  return isObject(value) && (id === undefined || formOf(id) === undefined);
}

function pairByText(
  left: readonly DescribedItem[],
  right: readonly DescribedItem[],
  textOf: (item: DescribedItem) => string | undefined,
  onlySingle = false,
): readonly (readonly [DescribedItem, DescribedItem])[] {
  const [ones, others] = [grouped(left, textOf), grouped(right, textOf)];
  return [...ones].flatMap(([text, group]) => {
    const counterparts = others.get(text) ?? [];
    if (onlySingle && (group.length > 1 || counterparts.length > 1)) return [];
    return inOrder(group, counterparts);
  });
}

function grouped(
  items: readonly DescribedItem[],
  textOf: (item: DescribedItem) => string | undefined,
) {
  const groups = new Map<string, DescribedItem[]>();
  for (const item of items) {
    const text = textOf(item);
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), item]);
  }
  return groups;
}

/** Pairs items in order of time. If one side has more, each item of the other takes the nearest in time. */
function inOrder(
  left: readonly DescribedItem[],
  right: readonly DescribedItem[],
): (readonly [DescribedItem, DescribedItem])[] {
  const [ones, others] = [byMoments(left), [...byMoments(right)]];
  if (ones.length === others.length)
    return ones.map((one, index) => [one, others[index] as DescribedItem]);
  if (ones.length > others.length)
    return inOrder(right, left).map(([other, one]) => [one, other] as const);
  return ones.map((one) => {
    const distances = others.map((other) => apart(one, other));
    const nearest = distances.indexOf(Math.min(...distances));
    return [one, others.splice(nearest, 1)[0] as DescribedItem];
  });
}

function apart(one: DescribedItem, other: DescribedItem): number {
  const [moment, otherMoment] = [one, other].map(({ moments }) => Date.parse(moments.slice(0, 24)));
  return Math.abs((moment as number) - (otherMoment as number)) || 0;
}

function byMoments(items: readonly DescribedItem[]): readonly DescribedItem[] {
  return [...items].sort((one, other) =>
    one.moments < other.moments ? -1 : Number(one.moments > other.moments),
  );
}

/** Pairs the items with the most equal fields, best match first. */
function pairAlike(
  left: readonly DescribedItem[],
  right: readonly DescribedItem[],
): readonly (readonly [DescribedItem, DescribedItem])[] {
  if (left.length * right.length > MAX_HELD_TOGETHER ** 2) return inOrder(left, right);
  const held = left.flatMap((one) =>
    right.map((other) => ({ one, other, likeness: likenessOf(one.value, other.value) })),
  );
  const taken = new Set<DescribedItem>();
  const pairs: (readonly [DescribedItem, DescribedItem])[] = [];
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
