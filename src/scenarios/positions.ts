import type { Document, Node, ParsedNode } from 'yaml';
import { parseExact } from '../text/exact-json.ts';
import { yaml } from '../text/yaml.ts';
import type { Place } from './scenario.ts';

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface TextProblem {
  readonly position: Position;
  readonly message: string;
}

/** Parsed YAML or JSON, with the position of everything in it. */
export interface ReadText {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Returns the position of a place. A missing place has the position of its parent. */
  positionOf(place: Place): Position;
}

/** Parses YAML, which includes JSON. */
export function readText(text: string): ReadText {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: TextProblem[] = [...document.errors, ...document.warnings].map(
    ({ pos, message }) => ({
      position: at(pos[0]),
      message,
    }),
  );
  return {
    value: problems.length > 0 ? undefined : contentOf(document, problems),
    problems,
    positionOf: (place) => at(offsetOf(document.contents, place)),
  };
}

/** Returns the value of a document. Aliases that expand without limit are reported at the first line. */
function contentOf(document: Document.Parsed, problems: TextProblem[]): unknown {
  try {
    keepDigits(document);
    return document.toJS();
  } catch (error) {
    problems.push({ position: { line: 1, column: 1 }, message: (error as Error).message });
    return undefined;
  }
}

/** Keeps the exact digits of numbers that a double cannot hold, as for responses. */
function keepDigits(document: Document.Parsed): void {
  const { visit } = yaml();
  visit(document, {
    Scalar(_key, node) {
      const { value, source } = node;
      if (typeof value === 'number' && source !== undefined && source.length >= MOST_DIGITS)
        node.value = parseExact(source);
    },
  });
}

/** Numbers with shorter text fit a double exactly. */
const MOST_DIGITS = 17;

/** Parses JSON, faster than YAML. Returns undefined if the text is not JSON. */
export function readJson(text: string): ReadText | undefined {
  try {
    const value: unknown = parseExact(text);
    return { value, problems: [], positionOf: (place) => countTo(text, offsetInJson(text, place)) };
  } catch {
    return undefined;
  }
}

function countTo(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

/** Follows a place as far as it exists: to the key in a map, or the entry of a list. */
function offsetOf(root: ParsedNode | null, place: Place): number {
  let node: Node | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of place) {
    const found = enter(node, step);
    if (!found) break;
    offset = found.offset;
    node = found.node;
  }
  return offset;
}

function enter(node: Node | null, step: string | number) {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    return pair && { offset: pair.key.range?.[0] ?? 0, node: pair.value };
  }
  if (isSeq<Node>(node)) {
    const item = node.items[Number(step)];
    return item && { offset: item.range?.[0] ?? 0, node: item };
  }
  return undefined;
}

/** A string, a punctuation character, or any other JSON value. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/**
 * Returns the offset of a key or list entry in valid JSON. A missing place has the offset of its parent. If a
 * key occurs twice, the last counts, as in the parser.
 */
function offsetInJson(text: string, place: Place): number {
  const wanted = place.map(String);
  /** The current place: an index for a list, a key for an object, undefined before the first key. */
  const path: (string | number | undefined)[] = [];
  const isOnTheWay = () =>
    path.length <= wanted.length && path.every((step, depth) => String(step) === wanted[depth]);
  let found = text.search(/\S/);
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const step = path.at(-1);
    if (token === ':') continue;
    if (token === '}' || token === ']') path.pop();
    else if (token === ',') path[path.length - 1] = typeof step === 'number' ? step + 1 : undefined;
    else if (path.length > 0 && step === undefined) {
      path[path.length - 1] = JSON.parse(token);
      if (isOnTheWay()) found = index;
    } else {
      if (typeof step === 'number' && isOnTheWay()) found = index;
      if (token === '{') path.push(undefined);
      if (token === '[') path.push(0);
    }
  }
  return found;
}
