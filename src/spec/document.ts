import { readFileSync } from 'node:fs';
import { valueAt } from './pointer.ts';

/**
 * Reads an interface document. It decides what exists: operations, their parameters, bodies and answers.
 * What they mean is decided elsewhere.
 */
export type Json = Readonly<Record<string, unknown>>;

export type ParameterPlace = 'path' | 'query' | 'header';

export interface ParameterSpec {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly schema: Json;
}

export interface BodySpec {
  /** JSON pointer of its schema. */
  readonly pointer: string;
  readonly required: boolean;
  /** Whether its handler reads and judges the bytes as they come, as they may be many. */
  readonly isRaw: boolean;
  /** Whether it may be any JSON value, which its handler is given as text too, to the last digit. */
  readonly isVerbatim: boolean;
  /** Setting that bounds its bytes. */
  readonly limit: string;
  /** Settings that bound the lists in it, by field. */
  readonly batchLimits: Readonly<Record<string, string>>;
}

export interface OperationSpec {
  readonly id: string;
  readonly method: string;
  /** Template, such as `/customers/{customerId}`. */
  readonly path: string;
  /** As the document has it. */
  readonly json: Json;
  readonly parameters: readonly ParameterSpec[];
  /** Absent where it takes no body. */
  readonly body: BodySpec | undefined;
  /** By status: JSON pointer of the answer's schema, null for an answer without body. */
  readonly replies: ReadonlyMap<number, string | null>;
  /** Effect class; absent in the control interface. */
  readonly effect: string | undefined;
  /** Its effect class where a field of the body is true, by field. */
  readonly effectIfTrue: Readonly<Record<string, string>>;
  /** Whether a call of it is kept beside the requests of its world, as it moves what they find. */
  readonly isRecorded: boolean;
  /** Whether its answers are whole, however long they are. */
  readonly isWhole: boolean;
  /** Assumptions that its answers rely on, in order. */
  readonly assumptions: readonly string[];
}

export interface InterfaceDocument {
  readonly name: string;
  /** With objects closed, so that an undeclared field is a finding. */
  readonly json: Json;
  readonly operations: ReadonlyMap<string, OperationSpec>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Extension keys that something reads. */
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
  'x-recorded',
  'x-whole-answer',
  'x-format',
  'x-rule',
]);

/** Folder of the documents in this package. */
export const SPEC_FOLDER = new URL('../../spec/', import.meta.url);

const loaded = new Map<string, InterfaceDocument>();

/**
 * One of the package's documents, from the copy in JSON that `npm run generate` writes, as YAML of this size
 * takes most of the time of a start. It is read once and never changed.
 *
 * @throws Error naming an extension key that nobody reads
 */
export function loadDocument(name: string): InterfaceDocument {
  const known = loaded.get(name);
  if (known) return known;
  const json = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8');
  const document = readDocument(name, JSON.parse(json) as Json);
  loaded.set(name, document);
  return document;
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

/** What the schema of an operation's query parameters is called. */
export function querySchemaName({ id }: OperationSpec): string {
  return `query ${id}`;
}

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
    isWhole: operation['x-whole-answer'] === true,
    /** Looked for when the operation is first asked for, as it takes a walk through all its schemas. */
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
    in: resolved['in'] as ParameterPlace,
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
    limit: (resolved['x-body-limit'] ?? 'body_limit') as string,
    batchLimits: (resolved['x-batch-limit'] ?? {}) as Record<string, string>,
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
 * Makes of the document what the emulator judges by: objects that list their properties are closed, formats are
 * those of `x-format`, and an `if` with an `x-rule` is left to the handler, which reports it beside whatever
 * else breaks a rule. Extension keys that nobody reads are refused.
 */
function tighten(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(record)) {
    if (name.startsWith('x-') && !KNOWN_EXTENSIONS.has(name))
      throw new Error(`Unknown extension ${name} in an interface document`);
    if (name !== 'example' && name !== 'default') tighten(inner);
  }
  if (record['x-format']) record['format'] = record['x-format'];
  if (record['x-rule']) for (const part of ['if', 'then']) delete record[part];
  const isObject =
    record['type'] === 'object' ||
    (Array.isArray(record['type']) && record['type'].includes('object'));
  if (isObject && record['properties'] && record['additionalProperties'] === undefined)
    record['additionalProperties'] = false;
}

/** Every assumption marked in an operation or in a schema it reaches. */
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
