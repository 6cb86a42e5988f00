/** Groups things by key. Keys and things keep the order in which they come. */
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

/** The number of things at the start that are before; the end is tried first, as most searches end there. */
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
