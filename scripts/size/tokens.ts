import ts from 'typescript';

/** Counts the tokens of a file without comments: those of the language in TypeScript, else words and marks. */
export function countTokens(path: string, text: string): number {
  if (/\.(tsx?|m?js)$/.test(path)) return countOfCode(path, text);
  const bare = /\.css$/.test(path)
    ? text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    : withoutHashes(path, text);
  return bare.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;
}

const withoutHashes = (path: string, text: string): string =>
  /\.(ya?ml|sh|py|rb|toml)$|ignore$|Dockerfile$/.test(path)
    ? text.replaceAll(/^\s*#.*$/gm, '')
    : text;

function countOfCode(path: string, text: string): number {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode)
      return;
    const children = node.getChildren(source);
    if (children.length === 0 && node.getWidth(source) > 0) tokens += 1;
    for (const child of children) visit(child);
  };
  visit(source);
  return tokens;
}
