/** The encodings in which a text can appear in another: plain, URL, form, JSON and base64. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  String,
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => base64(text),
  // The credentials of a name without a password.
  (text) => base64(`${text}:`),
];

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Replaces each text that appears as a whole word, in every encoding; the longest match wins. */
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
