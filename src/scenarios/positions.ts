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

/** A text of YAML or JSON, read, with the position of everything in it. */
export interface ReadText {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Where something stands; what is not there is where its holder is. */
  positionOf(place: Place): Position;
}

/** Reads YAML, of which JSON is a part. */
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

/** The value of a document; aliases that would make it boundless are a problem of its first line. */
function contentOf(document: Document.Parsed, problems: TextProblem[]): unknown {
  try {
    keepDigits(document);
    return document.toJS();
  } catch (error) {
    problems.push({ position: { line: 1, column: 1 }, message: (error as Error).message });
    return undefined;
  }
}

/** Lets a number that no double denotes stand for its digits, as answers are read. */
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

/** A shorter text of a number holds no more digits than a double does. */
const MOST_DIGITS = 17;

/** Reads JSON the quick way; undefined for what is none. */
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

/** Walks down as far as the place goes: to a key where a map has it, to an entry of a list. */
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

/** A text, a sign, or any other value of JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/**
 * Where something stands in a text of JSON that was parsed before: the offset of a key, or of an entry of a
 * list; what is not there is where its holder is. Of equal keys the last counts, as for the parser.
 */
function offsetInJson(text: string, place: Place): number {
  const wanted = place.map(String);
  /** Where the walk is: in a list the index of an entry, in an object a key, or undefined before one. */
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
