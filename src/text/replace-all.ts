/** How a text may stand within others: as it is, in an address, in a form, in JSON, in base64. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  String,
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => base64(text),
  // A name without a password.
  (text) => base64(`${text}:`),
];

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Replaces each of some texts wherever it stands by itself, however it is spelled there, the longest that fits. */
export function replacingAll(texts: ReadonlyMap<string, string>): (text: string) => string {
  if (texts.size === 0) return (text) => text;
  const spelled = new Map<string, string>();
  for (const [text, replacement] of texts)
    for (const spell of SPELLINGS) {
      const found = spell(text.toWellFormed());
      if (!spelled.has(found)) spelled.set(found, spell(replacement));
    }
  const longestFirst = [...spelled.keys()].sort((left, right) => right.length - left.length);
  const any = longestFirst
    .map((text) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replaceAll(alone, (found) => spelled.get(found) as string);
}
