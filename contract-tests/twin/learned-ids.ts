import type { IdPair, KnownIds } from './id-map.ts';

/** The known ids, and those that the current comparison has learned so far. */
export function withLearned(ids: KnownIds, learned: readonly IdPair[]): KnownIds {
  let read = 0;
  const [there, back] = [new Map<string, string>(), new Map<string, string>()];
  const upToDate = (): void => {
    for (; read < learned.length; read += 1) {
      const [upstream, emulator] = learned[read] as IdPair;
      there.set(upstream, emulator);
      back.set(emulator, upstream);
    }
  };
  return {
    isGiven: (text) => ids.isGiven(text),
    translate: (text) => ids.translate(text),
    counterpart(text) {
      upToDate();
      return there.get(text) ?? ids.counterpart(text);
    },
    original(text) {
      upToDate();
      return back.get(text) ?? ids.original(text);
    },
  };
}
