import { digitsOf, type ExactValue, isList, isObject, isText } from '../../kit/exact-json.ts';
import { Rational } from '../../kit/rational.ts';
import { formOf, type IdMap, isInstant } from './id-map.ts';

/** The paired items of two lists, whatever their positions. */
interface PairedItems {
  readonly pairs: readonly (readonly [upstream: ExactValue, emulator: ExactValue])[];
  /** Items that only the emulator shows. */
  readonly extra: readonly ExactValue[];
}

/** An item of a list, with the texts by which its counterpart is searched. */
interface Item {
  readonly value: ExactValue;
  /** Its identifier in words of the emulator, if its counterpart is known. */
  readonly id: string | undefined;
  /** Its natural key, and the whole item, without identifiers that are not known and without instants. */
  readonly key: string | undefined;
  readonly whole: string;
  /** Its earliest instant. @units milliseconds since 1970 */
  readonly moment: number;
}

type Pair = readonly [Item, Item];

/**
 * Pairs the items of two lists: by known identifiers, else by natural key, else by all fields, else in order of time, unless
 * both have identifiers of which one is known. Positions in the list do not matter.
 *
 * @param isCompared whether a field of an item is compared; others do not count
 */
export function pairItems(
  upstream: readonly ExactValue[],
  emulator: readonly ExactValue[],
  ids: IdMap,
  isCompared: (field: string) => boolean,
): PairedItems {
  let left = upstream.map((value) => describe(value, isCompared, toEmulator(ids)));
  let right = emulator.map((value) => describe(value, isCompared, ofEmulator(ids)));
  const pairs: Pair[] = [];
  const take = (found: readonly Pair[]): void => {
    pairs.push(...found);
    const taken = new Set(found.flat());
    left = left.filter((item) => !taken.has(item));
    right = right.filter((item) => !taken.has(item));
  };
  take(pairByText(left, right, ({ id }) => id, true));
  take(pairByText(left, right, ({ key }) => key, true));
  take(pairByText(left, right, ({ whole }) => whole));
  const mayBePaired = [...left, ...right].some(isNameless) ? () => true : isUnknown;
  take(inOrder(left.filter(mayBePaired), right.filter(mayBePaired)));
  return {
    pairs: pairs.map(([one, other]) => [one.value, other.value]),
    extra: right.map(({ value }) => value),
  };
}

/** Fields that identify an item within its list. */
const KEYS = new Set([
  'id',
  'code',
  'external_id',
  'usage_id',
  'customer_id',
  'subscription_id',
  'price_id',
  'provider',
  'provider_id',
  'asset',
  'source',
  'version',
  'event_type',
  'destination_id',
]);

/** What a text is called on the side of the emulator; undefined for what has no known counterpart. */
type Known = (text: string) => string | undefined;

const toEmulator =
  (ids: IdMap): Known =>
  (text) =>
    ids.counterpart(text) ?? (ids.isGiven(text) ? text : undefined);

const ofEmulator =
  (ids: IdMap): Known =>
  (text) =>
    ids.original(text) !== undefined || ids.isGiven(text) ? text : undefined;

function describe(value: ExactValue, isCompared: (field: string) => boolean, known: Known): Item {
  const moments: number[] = [];
  const written = (inner: ExactValue): unknown => {
    const digits = digitsOf(inner);
    if (digits !== undefined) return String(Rational.of(digits));
    if (isText(inner) && isInstant(inner)) {
      moments.push(Date.parse(inner));
      return '@';
    }
    if (isText(inner)) return known(inner) ?? (formOf(inner) === undefined ? inner : '#');
    if (isList(inner)) return inner.map((each) => JSON.stringify(written(each))).sort();
    if (!isObject(inner)) return inner;
    const names = Object.keys(inner).sort();
    return names.map((name) => [name, written(inner[name] as ExactValue)]);
  };
  const fields = isObject(value) ? Object.entries(value) : [];
  const compared = fields.filter(([name]) => isCompared(name));
  const whole = JSON.stringify(written(isObject(value) ? Object.fromEntries(compared) : value));
  const keys = fields.filter(([name]) => KEYS.has(name)).sort();
  const parts = keys.map(([name, inner]) => [name, written(inner)]);
  const isTelling = parts.some(([, inner]) => inner !== '#' && inner !== '' && inner !== null);
  const own = idOf(value);
  return {
    value,
    whole,
    moment: Math.min(...moments),
    id: own === undefined ? undefined : known(own),
    key: isTelling ? JSON.stringify(parts) : undefined,
  };
}

/** The identifier of an item, which for a plain text is the text. */
function idOf(value: ExactValue): string | undefined {
  const id = isObject(value) ? value['id'] : value;
  return isText(id) ? id : undefined;
}

function pairByText(
  left: readonly Item[],
  right: readonly Item[],
  textOf: (item: Item) => string | undefined,
  onlySingle = false,
): readonly Pair[] {
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
function inOrder(left: readonly Item[], right: readonly Item[]): readonly Pair[] {
  const [ones, others] = [left, right].map((items) =>
    [...items].sort((one, other) => one.moment - other.moment || 0),
  ) as [Item[], Item[]];
  if (ones.length === others.length)
    return ones.map((one, index) => [one, others[index] as Item] as const);
  if (ones.length > others.length)
    return inOrder(right, left).map(([other, one]) => [one, other] as const);
  return ones.map((one) => {
    const distances = others.map((other) => apart(one, other));
    const nearest = distances.indexOf(Math.min(...distances));
    return [one, others.splice(nearest, 1)[0] as Item] as const;
  });
}

const apart = (one: Item, other: Item): number => Math.abs(one.moment - other.moment) || 0;

/** Whether the counterpart of an item is not known by its identifier. */
const isUnknown = ({ id }: Item): boolean => id === undefined;

/** Whether an item lacks an identifier, or has none of a form that a service generates. */
function isNameless({ value }: Item): boolean {
  const id = idOf(value);
  return isObject(value) && (id === undefined || formOf(id) === undefined);
}
