import ts from 'typescript';

/** A function, method or arrow with a body of its own. */
export interface FunctionLength {
  /** File and line of its beginning, such as `src/app.ts:12`. */
  readonly place: string;
  readonly lines: number;
}

/** For tests and `npm run size`: the number of lines of each function of a file. */
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
