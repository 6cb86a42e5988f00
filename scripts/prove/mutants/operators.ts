import ts from 'typescript';

/** A replacement of a node: the name of the mistake, and the new source. */
export interface Alternative {
  readonly operator: string;
  readonly text: string;
}

const { SyntaxKind: Kind } = ts;

/** Comparisons, logical and arithmetic operators that are easily confused. */
const SWAPPED: Readonly<Record<string, readonly [operator: string, ...others: string[]]>> = {
  '<': ['comparison', '<=', '>'],
  '<=': ['comparison', '<', '>='],
  '>': ['comparison', '>=', '<'],
  '>=': ['comparison', '>', '<='],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
};

/** Array methods whose call is easily forgotten. */
const FORGOTTEN = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice']);
const CONFUSED: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['toLowerCase', 'toString'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** All single mistakes possible at a node. */
export function alternativesOf(node: ts.Node): readonly Alternative[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    return [{ operator: 'negation', text: node.operand.getText() }];
  if (ts.isNumericLiteral(node))
    return [{ operator: 'constant', text: `${node.text === '1' ? 2 : Number(node.text) + 1}` }];
  if (ts.isBigIntLiteral(node)) return [{ operator: 'constant', text: `(${node.text} + 1n)` }];
  if (ts.isStringLiteral(node))
    return [{ operator: 'constant', text: JSON.stringify(`${node.text}?`) }];
  if (node.kind === Kind.TrueKeyword) return [{ operator: 'constant', text: 'false' }];
  if (node.kind === Kind.FalseKeyword) return [{ operator: 'constant', text: 'true' }];
  if (ts.isArrayLiteralExpression(node)) return withoutOne(node, node.elements, ['[', ']']);
  if (ts.isObjectLiteralExpression(node)) return withoutOne(node, node.properties, ['{', '}']);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].map((branch) => ({
      operator: 'condition',
      text: branch.getText(),
    }));
  return [];
}

function ofBinary({ left, operatorToken, right }: ts.BinaryExpression): readonly Alternative[] {
  const sides = [left.getText(), right.getText()] as const;
  const sign = operatorToken.getText();
  const [operator, ...others] = SWAPPED[sign] ?? [];
  const swapped = others.map((other) => ({
    operator: operator as string,
    text: `(${sides[0]}) ${other} (${sides[1]})`,
  }));
  const isDroppable = ['&&', '||', '??'].includes(sign);
  const dropped = isDroppable ? sides.map((text) => ({ operator: 'condition', text })) : [];
  return [...swapped, ...dropped];
}

function withoutOne(
  literal: ts.Node,
  elements: readonly ts.Node[],
  [open, close]: readonly [string, string],
): readonly Alternative[] {
  return elements.map((dropped) => ({
    operator: isSpread(dropped)
      ? 'spread'
      : ts.isArrayLiteralExpression(literal)
        ? 'element'
        : 'property',
    text: `${open}${elements
      .filter((element) => element !== dropped)
      .map((element) => element.getText())
      .join(', ')}${close}`,
  }));
}

const isSpread = (node: ts.Node) => ts.isSpreadAssignment(node) || ts.isSpreadElement(node);

function ofCall(node: ts.CallExpression): readonly Alternative[] {
  const { expression, arguments: given } = node;
  const call = ts.isExpressionStatement(node.parent)
    ? [{ operator: 'statement', text: 'undefined' }]
    : [];
  // A chain after `?.` cannot be cut.
  if (!ts.isPropertyAccessExpression(expression) || node.flags & ts.NodeFlags.OptionalChain)
    return call;
  const { expression: of, name } = expression;
  const list = of.getText();
  const other = CONFUSED.get(name.text);
  return [
    ...call,
    ...(FORGOTTEN.has(name.text) ? [{ operator: 'call', text: list }] : []),
    ...(other === undefined
      ? []
      : [
          {
            operator: 'call',
            text: `${list}.${other}(${given.map((each) => each.getText()).join(', ')})`,
          },
        ]),
  ];
}

/** Replaces the condition of an `if` by true and false. Loops are left out, because endless ones are noticed at once. */
export function ofCondition(condition: ts.Expression): readonly Alternative[] {
  return ts.isIfStatement(condition.parent) && condition.parent.expression === condition
    ? [
        { operator: 'condition', text: 'true' },
        { operator: 'condition', text: 'false' },
      ]
    : [];
}
