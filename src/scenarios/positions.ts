import type { Document, Node, ParsedNode } from 'yaml';
import { parseExact } from '../text/exact-json.ts';
import { yaml } from '../text/yaml.ts';
import { offsetsInJson } from './json-offsets.ts';
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
    ({ pos, message }) => ({ position: at(pos[0]), message }),
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
    let positionOf: ReadText['positionOf'] | undefined;
    return {
      value,
      problems: [],
      positionOf(place) {
        positionOf ??= positionsInJson(text);
        return positionOf(place);
      },
    };
  } catch {
    return undefined;
  }
}

function positionsInJson(text: string): ReadText['positionOf'] {
  const lines = new (yaml().LineCounter)();
  for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1)
    lines.addNewLine(start);
  const offsetOfPlace = offsetsInJson(text);
  return (place) => {
    const { line, col } = lines.linePos(offsetOfPlace(place));
    return { line, column: col };
  };
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
    const pair = node.items.findLast(
      ({ key }) => isScalar(key) && String(key.value) === String(step),
    );
    return pair && { offset: pair.key.range?.[0] ?? 0, node: pair.value };
  }
  if (isSeq<Node>(node)) {
    const item = node.items[Number(step)];
    return item && { offset: item.range?.[0] ?? 0, node: item };
  }
  return undefined;
}
