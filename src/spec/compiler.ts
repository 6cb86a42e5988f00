import { readFileSync } from 'node:fs';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { fastFormats } from 'ajv-formats/dist/formats.js';
import { decimal, decimalPlaces, magnitude, significantDigits } from '../domain/decimal.ts';
import { isDate, isDateTime, isMoment } from '../domain/instant.ts';
import {
  type InterfaceDocument,
  KNOWN_EXTENSIONS,
  loadDocument,
  type OperationSpec,
  querySchemaName,
  SPEC_FOLDER,
} from './document.ts';

type CompilerOptions = Readonly<Record<string, unknown>>;

/** The part of Ajv that other modules use. */
interface Compiler {
  compile(schema: object): Validate;
  validate(schema: object | string, value: unknown): unknown;
}

/** A schema rule that a value breaks, as reported by Ajv. */
export interface BrokenRule {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  // biome-ignore lint/suspicious/noExplicitAny: What it holds depends on the keyword.
  readonly params: Record<string, any>;
  readonly propertyName?: string;
  readonly message?: string;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** A compiled schema. */
export interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly BrokenRule[] | null;
}

/** A format as Ajv takes it. Not Ajv's own type: the declarations of the package must not need a package that is bundled. */
type Format = true | RegExp | NumberFormat | ((text: string) => boolean);

interface NumberFormat {
  readonly type: 'number';
  validate(value: number): boolean;
}

/** Schemas by name, and the compiler that resolves their references. */
interface SchemaSet {
  readonly ajv: Compiler;
  readonly schemas: ReadonlyMap<string, object>;
}

/** Reports all errors of an object at once, and lints the schemas. Compilation at run time is not optimised. */
const OPTIONS: Options = {
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  verbose: true,
  messages: false,
  ownProperties: true,
  inlineRefs: false,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
};

/** Keywords of an interface document outside its schemas. */
const DOCUMENT_KEYWORDS = [
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'paths',
  'webhooks',
  'components',
  'example',
  ...KNOWN_EXTENSIONS,
];

export const SCHEMA_SETS = {
  openapi: (options?: CompilerOptions) => documentSchemas(loadDocument('openapi'), options),
  control: (options?: CompilerOptions) => documentSchemas(loadDocument('control'), options),
  rows: rowSchemas,
  fixture: fixtureSchemas,
} as const;

export type SchemaSetName = keyof typeof SCHEMA_SETS;

/** The schemas of a document: bodies and responses by pointer, query parameters by operation. */
export function documentSchemas(
  document: InterfaceDocument,
  options: CompilerOptions = {},
): SchemaSet {
  const ajv = createAjv(options);
  ajv.addVocabulary(DOCUMENT_KEYWORDS);
  ajv.addSchema({ $id: document.name, ...document.json }, document.name, false, false);
  const schemas = new Map<string, object>();
  for (const operation of document.operations.values()) {
    schemas.set(querySchemaName(operation), querySchema(operation));
    for (const pointer of [operation.body?.pointer, ...operation.replies.values()])
      if (pointer) schemas.set(pointer, { $ref: `${document.name}${pointer}` });
  }
  return { ajv, schemas };
}

function rowSchemas(options: CompilerOptions = {}): SchemaSet {
  const text = readFileSync(new URL('rows.json', import.meta.url), 'utf8');
  return { ajv: createAjv(options), schemas: new Map(Object.entries(JSON.parse(text))) };
}

function fixtureSchemas(options: CompilerOptions = {}): SchemaSet {
  const text = readFileSync(new URL('fixture.schema.json', SPEC_FOLDER), 'utf8');
  // With inlined references, the schema path of an error shows which kind of step it belongs to.
  const ajv = createAjv({ inlineRefs: true, ...options });
  return { ajv, schemas: new Map([['fixture', JSON.parse(text)]]) };
}

/** Compiles each schema of a set on first use, because compiling all of them is slow. Ajv keeps what it has compiled. */
export const compile =
  ({ ajv, schemas }: SchemaSet) =>
  (name: string): Validate | undefined => {
    const schema = schemas.get(name);
    return schema && ajv.compile(schema);
  };

const createAjv = (options: CompilerOptions): Ajv2020 =>
  new Ajv2020({ ...OPTIONS, formats: FORMATS, ...options });

function querySchema(operation: OperationSpec): object {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function whole(bits: number): Format {
  const beyond = 2 ** (bits - 1);
  // A double cannot tell the largest int64 from the number after it.
  const most = bits === 64 ? beyond : beyond - 1;
  const validate = (value: number) => Number.isInteger(value) && value >= -beyond && value <= most;
  return { type: 'number', validate };
}

export const FORMATS: Readonly<Record<string, Format>> = {
  email: fastFormats.email as Format,
  'uri-reference': fastFormats['uri-reference'] as Format,
  double: true,
  'decimal-input': { type: 'number', validate: isAcceptedDecimal },
  'inverse-input': { type: 'number', validate: isAcceptedInverse },
  int16: whole(16),
  int32: whole(32),
  int64: whole(64),
  date: isDate,
  'date-time': isDateTime,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  uri: isAbsoluteUrl,
  moment: isMoment,
};

function isAbsoluteUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(text) && URL.canParse(text);
}

/** Whether a number in a request fits the digits that a double holds without loss. @assumes A-303 */
function isAcceptedDecimal(value: number): boolean {
  if (Number.isSafeInteger(value)) return Math.abs(value) < 1e15;
  const exact = decimal(value);
  return decimalPlaces(exact) <= 10 && significantDigits(exact) <= 15 && magnitude(exact) < 15;
}

/** Same for a rate given by its inverse, which can have more decimal places. @assumes A-402 */
function isAcceptedInverse(value: number): boolean {
  const exact = decimal(value);
  return significantDigits(exact) <= 15 && Math.abs(magnitude(exact)) < 15;
}
