import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A TypeScript file written by hand. */
export interface SourceFile {
  /** From the folder that was read, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  /** What it imports, as it is written there; types and dynamic imports included. */
  readonly imports: readonly string[];
}

/** For tests: the source files of a folder and of all folders in it, without declarations and builds. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !/node_modules|(^|\/)dist\//.test(path))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
      return { path, text, isTest: /\.test\.tsx?$/.test(path), imports };
    });
}

/**
 * For tests: the circles of a graph of imports, which are its strongly connected components of several nodes, by the
 * algorithm of Tarjan.
 */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const open: string[] = [];
  /** The order in which nodes were reached; infinite once their component is complete. */
  const order = new Map<string, number>();
  /** Returns the earliest open node that leads to this one and that this one leads to. */
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    const reached = (graph.get(node) ?? []).map((next) => order.get(next) ?? visit(next));
    const earliest = Math.min(own, ...reached);
    if (earliest < own) return earliest;
    const component = open.splice(open.indexOf(node));
    for (const each of component) order.set(each, Number.POSITIVE_INFINITY);
    if (component.length > 1) circles.push(component.sort());
    return Number.POSITIVE_INFINITY;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** A function, method or arrow with a body of its own. */
interface FunctionLength {
  /** File and line of its beginning, such as `src/app.ts:12`. */
  readonly place: string;
  readonly lines: number;
}

/** For tests: the number of lines of each function of a file. */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const lineAt = (offset: number): number => source.getLineAndCharacterOfPosition(offset).line + 1;
  const found: FunctionLength[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineAt(node.getStart(source));
      found.push({ place: `${path}:${first}`, lines: lineAt(node.getEnd()) - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
