/** Control characters except tab and line feed, and marks that reverse the direction of text. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes what a terminal would obey instead of showing, because names, ids and bodies come from others. JSON stays
 * the same JSON: it has these characters only in strings, where it reads the escapes.
 */
export const printable = (text: string): string => text.replaceAll(UNSEEN, escaped);

/** The same as one line, so that a text cannot pass for the next line of a list. */
export const printableLine = (text: string): string => printable(text).replaceAll('\n', '\\n');
