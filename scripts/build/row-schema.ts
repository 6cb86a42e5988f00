import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Writes the JSON Schema of the rows of each table, from the types of the tables. */
const SOURCE = fileURLToPath(new URL('../../src/store/schema.ts', import.meta.url));
const TARGET = new URL('../../src/spec/rows.json', import.meta.url);

type Schema = Readonly<Record<string, unknown>>;

/** No calculation comes near so many digits, and with millions one would take minutes. */
const DECIMAL = { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$`, maxLength: 1_000 };

/** Schemas of special texts, by the name of their type. */
const TEXTS: Readonly<Record<string, Schema>> = {
  Instant: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` },
  Day: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$` },
};

const ASSET = { type: 'string', pattern: '^[A-Z0-9]{2,64}$' };
const POSITIVE = { type: 'integer', minimum: 1 };

/** What is required of a field besides its type, by name, as the interface document requires it in requests or responses. */
const FIELDS: Readonly<Record<string, Schema>> = {
  asset: ASSET,
  currency: ASSET,
  fee_currency: ASSET,
  package_size: POSITIVE,
  quantity: POSITIVE,
  priority: { type: 'integer', minimum: 0 },
  symbol: { type: 'string', minLength: 1 },
  email: { type: 'string', format: 'email' },
  failure_url: { type: 'string', format: 'uri' },
  return_url: { type: 'string', format: 'uri' },
  url: { type: 'string', format: 'uri' },
  precision: { type: 'integer', minimum: 0, maximum: 10 },
  interval_count: { type: 'integer', minimum: 1, maximum: 120 },
  duration_count: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
};

export function writeRowSchema(): void {
  const program = ts.createProgram([SOURCE], {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SOURCE) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(source) as ts.Symbol;
  const exported = checker.getExportsOfModule(module);
  const tables = exported.find(({ name }) => name === 'Tables') as ts.Symbol;
  const describe = describer(checker);
  const rows = checker
    .getDeclaredTypeOfSymbol(tables)
    .getProperties()
    .map((table) => {
      const [row] = checker.getTypeArguments(checker.getTypeOfSymbol(table) as ts.TypeReference);
      return [table.name, describe(row as ts.Type)] as const;
    });
  writeFileSync(TARGET, `${JSON.stringify(Object.fromEntries(rows))}\n`);
}

/**
 * Describes the rows of a table. Each interface within them is a schema of its own: in one function with all of them, the
 * validator of an event is too long for V8 to optimise, and took 19 µs instead of 6 (2026-11-28).
 */
function describer(checker: ts.TypeChecker): (row: ts.Type) => Schema {
  let parts: Record<string, Schema> = {};
  const describe = (type: ts.Type): Schema => {
    const plain = describePlain(type, checker);
    if (plain) return plain;
    if (type.isUnion()) return describeUnion(type, describe);
    if (checker.isArrayType(type)) {
      const [inner] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: describe(inner as ts.Type) };
    }
    return type.isClassOrInterface() ? describePart(type) : describeObject(type);
  };

  const describePart = (type: ts.InterfaceType): Schema => {
    const { name } = type.symbol;
    parts[name] ??= describeObject(type);
    return { $ref: `#/$defs/${name}` };
  };

  const describeObject = (type: ts.Type): Schema => {
    const values = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (values) return { type: 'object', additionalProperties: describe(values.type) };
    const properties = type.getProperties();
    return {
      type: 'object',
      additionalProperties: false,
      required: properties.filter((each) => !isOptional(each)).map(({ name }) => name),
      properties: Object.fromEntries(
        properties.map((each) => {
          const schema = withLimits(each.name, describe(checker.getTypeOfSymbol(each)));
          return [each.name, isDecimal(each) ? asDecimal(schema, wordsBeside(each)) : schema];
        }),
      ),
    };
  };
  return (row) => {
    parts = {};
    return { ...describeObject(row), $defs: parts };
  };
}

const isOptional = ({ flags }: ts.Symbol): boolean => Boolean(flags & ts.SymbolFlags.Optional);

/** Describes a type without parts; undefined for any other. */
function describePlain(type: ts.Type, checker: ts.TypeChecker): Schema | undefined {
  const named = TEXTS[type.aliasSymbol?.name ?? ''];
  if (named) return named;
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return { const: checker.typeToString(type) === 'true' };
  if (type.flags & ts.TypeFlags.String) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
  return undefined;
}

function describeUnion(type: ts.UnionType, describe: (type: ts.Type) => Schema): Schema {
  const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
  const [only] = parts;
  if (parts.length === 1 && only) return describe(only);
  const schemas = parts.map(describe);
  return schemas.every((schema) => 'const' in schema)
    ? { enum: schemas.map((schema) => schema['const']) }
    : { anyOf: schemas };
}

function withLimits(name: string, schema: Schema): Schema {
  const parts = schema['anyOf'] as readonly Schema[] | undefined;
  if (parts) return { ...schema, anyOf: parts.map((part) => withLimits(name, part)) };
  const field = FIELDS[name];
  const isSameType = field?.['type'] === 'string' ? 'string' : 'number';
  return field && schema['type'] === isSameType ? field : schema;
}

/** The type of a property as written in the source. */
function declaredType({ valueDeclaration }: ts.Symbol): ts.TypeNode | undefined {
  return (valueDeclaration as ts.PropertySignature | undefined)?.type;
}

/** Whether a property is declared as decimal text, which the type checker sees as `string`. */
function isDecimal(property: ts.Symbol): boolean {
  return /\bDecimalText\b/.test(declaredType(property)?.getText() ?? '');
}

/** The words allowed instead of a decimal, which the type checker sees as `string` too. */
function wordsBeside(property: ts.Symbol): readonly string[] {
  const type = declaredType(property);
  if (!type || !ts.isUnionTypeNode(type)) return [];
  return type.types
    .filter(ts.isLiteralTypeNode)
    .map(({ literal }) => literal)
    .filter(ts.isStringLiteral)
    .map(({ text }) => text);
}

function asDecimal(schema: Schema, words: readonly string[]): Schema {
  if (schema['type'] === 'string')
    return words.length > 0 ? { anyOf: [DECIMAL, { enum: words }] } : DECIMAL;
  const parts = schema['anyOf'] as readonly Schema[] | undefined;
  return parts ? { ...schema, anyOf: parts.map((part) => asDecimal(part, words)) } : schema;
}
