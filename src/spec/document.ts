import { readFileSync } from 'node:fs';
import type { LimitName } from '../domain/limits.ts';
import { valueAt } from './pointer.ts';

export type Json = Readonly<Record<string, unknown>>;

interface ParameterSpec {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
}

export interface BodySpec {
  /** JSON pointer of its schema. */
  readonly pointer: string;
  readonly required: boolean;
  /** Whether the handler reads and validates the body as a stream, because it can be large. */
  readonly isRaw: boolean;
  /** Whether the body can be any JSON value. The handler also gets its exact text. */
  readonly isVerbatim: boolean;
  /** What limits the size of the body. */
  readonly limit: LimitName;
  /** What limits lists in the body, by field. */
  readonly batchLimits: Readonly<Record<string, LimitName>>;
}

export interface OperationSpec {
  readonly id: string;
  readonly method: string;
  /** Template, such as `/customers/{customerId}`. */
  readonly path: string;
  /** The operation's object in the document. */
  readonly json: Json;
  readonly parameters: readonly ParameterSpec[];
  /** Undefined if the operation has no body. */
  readonly body: BodySpec | undefined;
  /** JSON pointer of the response schema by status, null for a response without a body. */
  readonly replies: ReadonlyMap<number, string | null>;
  /** Effect class. Undefined in the control API. */
  readonly effect: string | undefined;
  /** Effect class by field of the body, for requests in which the field is true. */
  readonly effectIfTrue: Readonly<Record<string, string>>;
  /** Whether the request log records its calls, because they change the world. */
  readonly isRecorded: boolean;
  /** Assumptions that its responses depend on, in order. */
  readonly assumptions: readonly string[];
}

/** Defines operations, their parameters, bodies and responses, but not their behaviour. */
export interface InterfaceDocument {
  readonly name: string;
  /** Objects are closed, so that an undeclared field is an error. */
  readonly json: Json;
  readonly operations: ReadonlyMap<string, OperationSpec>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Extension keys that the code reads. */
export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  'x-assumption',
  'x-specified-statuses',
  'x-raw-body',
  'x-verbatim-body',
  'x-body-limit',
  'x-batch-limit',
  'x-effect',
  'x-effect-if-true',
  'x-evidence',
  'x-not-emulated',
  'x-expected',
  'x-recorded',
  'x-format',
  'x-rule',
]);

export const SPEC_FOLDER = new URL('../../spec/', import.meta.url);

const loaded = new Map<string, InterfaceDocument>();

/**
 * Loads a document of the package from its JSON copy, which the build writes because parsing YAML is
 * slow. The document is loaded once and never changes.
 *
 * @throws Error naming an extension key that nobody reads
 */
export function loadDocument(name: string): InterfaceDocument {
  const known = loaded.get(name);
  if (known) return known;
  const document = readDocument(name, JSON.parse(readCopy(name)) as Json);
  loaded.set(name, document);
  return document;
}

function readCopy(name: string): string {
  try {
    return readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8');
  } catch (error) {
    const advice = "A bundler must leave the package out: external: ['billing-emulator'].";
    throw new Error(`A file of billing-emulator is missing. ${advice} ${(error as Error).message}`);
  }
}

export function readDocument(name: string, json: Json): InterfaceDocument {
  tighten(json);
  const operations = new Map<string, OperationSpec>();
  for (const [path, item] of Object.entries(json['paths'] as Record<string, Json>)) {
    for (const method of METHODS) {
      if (!item[method]) continue;
      const operation = readOperation(json, path, method, item);
      operations.set(operation.id, operation);
    }
  }
  return { name, json, operations };
}

export const querySchemaName = ({ id }: OperationSpec): string => `query ${id}`;

/** Follows a `$ref` within the document. */
export function resolve(document: Json, value: Json): Json {
  const reference = value['$ref'];
  return typeof reference === 'string' ? resolve(document, at(document, reference)) : value;
}

function at(document: Json, reference: string): Json {
  const value = valueAt(document, reference.slice(1));
  if (typeof value !== 'object' || value === null) throw new Error(`${reference} leads nowhere`);
  return value as Json;
}

function readOperation(document: Json, path: string, method: string, item: Json): OperationSpec {
  const operation = item[method] as Json;
  const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method}`;
  const listed = [
    ...((item['parameters'] ?? []) as Json[]),
    ...((operation['parameters'] ?? []) as Json[]),
  ];
  let assumptions: readonly string[] | undefined;
  return {
    id: operation['operationId'] as string,
    method: method.toUpperCase(),
    path,
    json: operation,
    parameters: listed.map((parameter) => readParameter(document, parameter)),
    body: readBody(document, operation, pointer),
    replies: readReplies(document, operation, pointer),
    effect: operation['x-effect'] as string | undefined,
    effectIfTrue: (operation['x-effect-if-true'] ?? {}) as Record<string, string>,
    isRecorded: operation['x-recorded'] === true,
    /** Computed on first use, because it visits all schemas of the operation. */
    get assumptions() {
      assumptions ??= [...findAssumptions(document, operation)].sort();
      return assumptions;
    },
  };
}

function readParameter(document: Json, parameter: Json): ParameterSpec {
  const resolved = resolve(document, parameter);
  return {
    name: resolved['name'] as string,
    in: resolved['in'] as ParameterSpec['in'],
    required: resolved['required'] === true,
    schema: resolve(document, resolved['schema'] as Json),
  };
}

function readBody(document: Json, operation: Json, pointer: string): OperationSpec['body'] {
  if (!operation['requestBody']) return undefined;
  const body = operation['requestBody'] as Json;
  const base = (body['$ref'] as string | undefined) ?? `${pointer}/requestBody`;
  const resolved = resolve(document, body);
  return {
    pointer: `${base}/content/application~1json/schema`,
    required: resolved['required'] === true,
    isRaw: resolved['x-raw-body'] === true,
    isVerbatim: resolved['x-verbatim-body'] === true,
    limit: (resolved['x-body-limit'] ?? 'MAX_BODY_BYTES') as LimitName,
    batchLimits: (resolved['x-batch-limit'] ?? {}) as BodySpec['batchLimits'],
  };
}

function readReplies(
  document: Json,
  operation: Json,
  pointer: string,
): ReadonlyMap<number, string | null> {
  const replies = new Map<number, string | null>();
  for (const [status, reply] of Object.entries(operation['responses'] as Record<string, Json>)) {
    const base = (reply['$ref'] as string | undefined) ?? `${pointer}/responses/${status}`;
    const content = resolve(document, reply)['content'] as Json | undefined;
    const json = content?.['application/json'];
    replies.set(Number(status), json ? `${base}/content/application~1json/schema` : null);
  }
  return replies;
}

/**
 * Changes the document for validation: closes objects that list their properties, uses the formats of
 * `x-format`, and leaves an `if` with an `x-rule` to the handler, which reports it with its other findings.
 * Throws on unknown extension keys.
 */
function tighten(record: Record<string, unknown>): void {
  for (const name of Object.keys(record)) {
    if (name.startsWith('x-') && !KNOWN_EXTENSIONS.has(name))
      throw new Error(`Unknown extension ${name} in an interface document`);
    const inner = record[name];
    if (typeof inner !== 'object' || inner === null) continue;
    if (name !== 'example' && name !== 'default') tighten(inner as Record<string, unknown>);
  }
  if (record['x-format']) record['format'] = record['x-format'];
  if (record['x-rule']) for (const part of ['if', 'then']) delete record[part];
  const isObject =
    record['type'] === 'object' ||
    (Array.isArray(record['type']) && record['type'].includes('object'));
  if (isObject && record['properties'] && record['additionalProperties'] === undefined)
    record['additionalProperties'] = false;
}

/** Finds all assumptions marked in an operation or in its schemas. */
function findAssumptions(document: Json, start: unknown): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'x-assumption') for (const id of inner as string[]) found.add(id);
      else if (name === '$ref' && typeof inner === 'string') visit(at(document, inner));
      else if (name !== 'example') visit(inner);
    }
  };
  visit(start);
  return found;
}
