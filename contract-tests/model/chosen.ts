/**
 * The histories of many that together meet the most: each meets more than any other that no chosen one has met. To look at
 * one takes its model alone, to play one takes dozens of requests.
 *
 * @param metBy the states that a history comes upon, as texts
 */
export function chosen<History>(
  histories: readonly History[],
  metBy: (history: History) => readonly string[],
  count: number,
): readonly History[] {
  const candidates = histories.map((history) => ({ history, met: new Set(metBy(history)) }));
  const known = new Set<string>();
  return Array.from({ length: count }, () => {
    const gains = candidates.map(({ met }) => [...met].filter((each) => !known.has(each)).length);
    const [best] = candidates.splice(gains.indexOf(Math.max(...gains)), 1);
    for (const each of best?.met ?? []) known.add(each);
    return best?.history as History;
  });
}

/** A kind of step with each fact of the state before it, and with each two of them. */
export function inPairs(kind: string, facts: readonly string[]): string[] {
  const sorted = [...new Set(facts)].sort();
  return sorted.flatMap((fact, place) =>
    sorted.slice(place).map((other) => `${kind}, ${fact}, ${other}`),
  );
}
