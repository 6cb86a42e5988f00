import ts from 'typescript';
import { type Alternative, alternativesOf, ofCondition } from './operators.ts';

/** One mistake at one place in the sources. */
export interface SourceMutant extends Alternative {
  readonly id: number;
  /** Path below `src`. */
  readonly file: string;
  readonly line: number;
  readonly original: string;
}

/** Returns whether a mutant is active, and records that its code was reached. */
const SWITCH = 'globalThis.__mutants.isOn';

/** All mutants inside the functions of a file. Code that runs once, when the module loads, cannot be switched. */
export function mutantsOf(file: string, text: string): readonly Omit<SourceMutant, 'id'>[] {
  const found: Omit<SourceMutant, 'id'>[] = [];
  visit(parse(file, text), (node, alternatives) => {
    const line = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
    for (const alternative of alternatives)
      found.push({ ...alternative, file, line, original: node.getText() });
  });
  return found;
}

/** The source with the given mutants, each of which can be activated at run time. */
export function instrument(file: string, text: string, mutants: readonly SourceMutant[]): string {
  const wanted = new Map(mutants.map((mutant) => [keyOf(mutant), mutant.id]));
  const source = parse(file, text);
  const idsAt = new Map<ts.Node, readonly (readonly [id: number, text: string])[]>();
  visit(source, (node, alternatives) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const place = { file, line: line + 1, original: node.getText() };
    const ids = alternatives.flatMap((alternative) => {
      const id = wanted.get(keyOf({ ...place, ...alternative }));
      return id === undefined ? [] : [[id, alternative.text] as const];
    });
    if (ids.length > 0) idsAt.set(node, ids);
  });
  return written(source, text, idsAt);
}

/** Key of a mutant in a file. Equal code on one line counts as one place. */
const keyOf = ({ file, line, original, operator, text }: Omit<SourceMutant, 'id'>): string =>
  JSON.stringify([file, line, original, operator, text]);

function written(
  node: ts.Node,
  text: string,
  idsAt: ReadonlyMap<ts.Node, readonly (readonly [number, string])[]>,
): string {
  let result = '';
  let at = node.getStart();
  ts.forEachChild(node, (child) => {
    if (child.getStart() < at) return;
    result += text.slice(at, child.getStart()) + written(child, text, idsAt);
    at = child.getEnd();
  });
  result += text.slice(at, node.getEnd());
  const ids = idsAt.get(node) ?? [];
  if (ids.length === 0) return result;
  const choices = ids.map(([id, other]) => `${SWITCH}(${id}) ? (${other}) : `).join('');
  return `(${choices}(${result}))`;
}

function visit(
  node: ts.Node,
  tell: (node: ts.Node, alternatives: readonly Alternative[]) => void,
  isInside = false,
): void {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
  if (isInside && isValue(node)) {
    const alternatives = [...alternativesOf(node), ...ofCondition(node as ts.Expression)];
    if (alternatives.length > 0) tell(node, alternatives);
  }
  const isBody = ts.isFunctionLike(node);
  ts.forEachChild(node, (child) => visit(child, tell, isInside || isBody));
}

/** Whether a node can be replaced by another expression: not a property name or an assignment target. */
function isValue({ parent, ...node }: ts.Node): boolean {
  const isName = (parent as ts.NamedDeclaration).name !== undefined && isNameOf(parent, node);
  const isTarget =
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left.pos === node.pos &&
    parent.left.end === node.end;
  const isConstant = ts.isAsExpression(parent) && parent.type.getText() === 'const';
  return !isName && !isTarget && !isConstant;
}

const isNameOf = (parent: ts.Node, { pos, end }: Pick<ts.Node, 'pos' | 'end'>): boolean => {
  const { name } = parent as ts.NamedDeclaration;
  return name !== undefined && name.pos === pos && name.end === end;
};

const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
