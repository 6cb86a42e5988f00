/** Replaces each of some texts wherever it stands by itself, the longest that fits. */
export function replacingAll(texts: ReadonlyMap<string, string>): (text: string) => string {
  if (texts.size === 0) return (text) => text;
  const longestFirst = [...texts.keys()].sort((left, right) => right.length - left.length);
  const any = longestFirst
    .map((text) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replaceAll(alone, (found) => texts.get(found) as string);
}
