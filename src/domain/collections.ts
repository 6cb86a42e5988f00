/** The things by a key of each. Keys and things keep the order in which they come. */
export function groupBy<T, K>(things: Iterable<T>, keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const name = keyOf(thing);
    const group = groups.get(name);
    if (group) group.push(thing);
    else groups.set(name, [thing]);
  }
  return groups;
}

/** How many things at the start are before; the end is tried first, as most searches end there. */
export function bisect<T>(things: readonly T[], isBefore: (thing: T) => boolean): number {
  let [low, high] = [0, things.length];
  if (high > 0 && isBefore(things[high - 1] as T)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(things[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fields in which one without a value is absent, as in records and responses. */
type Given<T> = { [N in keyof T]?: Exclude<T[N], undefined | null> };

/** The fields that have a value. @assumes A-307 null means absent */
export const given = <T extends object>(fields: T): Given<T> =>
  mapPresent(fields, Object.keys(fields) as (keyof T)[], (value) => value) as Given<T>;

/** The named fields that have a value, each converted. @assumes A-307 null means absent */
export function mapPresent<T, N extends keyof T, V>(
  fields: T,
  names: readonly N[],
  convert: (value: NonNullable<T[N]>) => V,
): { [M in N]?: V } {
  const found: { [M in N]?: V } = {};
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined && value !== null) found[name] = convert(value);
  }
  return found;
}

/** The value of a field after an update: unchanged if it was not sent, absent if null was sent. @assumes A-307 */
export const updated = <T>(sent: T | null | undefined, current: T | undefined): T | undefined =>
  sent === undefined ? current : (sent ?? undefined);

/** A set divided by the last two characters of keys: a single large set would be rehashed in one long pause. */
export class KeySet {
  readonly #parts = new Map<string, Set<string>>();

  has(key: string): boolean {
    return this.#parts.get(key.slice(-2))?.has(key) === true;
  }

  /** Adds a key; returns whether it is new. */
  add(key: string): boolean {
    const part = this.#parts.get(key.slice(-2)) ?? new Set();
    if (part.size === 0) this.#parts.set(key.slice(-2), part);
    const { size } = part;
    return part.add(key).size > size;
  }
}
