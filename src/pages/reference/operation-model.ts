import { type Json, type OperationSpec, resolve } from '../../spec/document.ts';

/** A parameter, or a field of a body. */
export interface FieldModel {
  /** The name; for a field of an inner object its path, such as `prices[].name`. */
  readonly name: string;
  /** The type in words, such as `text`, `list of objects` or the values that it can have. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Json;
  readonly example?: unknown;
}

export type ParameterModel = ReturnType<typeof parametersOf>[number];

export type BodyModel = NonNullable<ReturnType<typeof messageBodyOf>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The summary of an operation and its group. */
export const headOf = ({ json }: OperationSpec) => ({
  summary: textOf(json['summary']),
  description: textOf(json['description']),
  group: textOf((json['tags'] as readonly string[] | undefined)?.[0]),
});

/** The operation's object in a document, such as one whose examples fit a world. */
function operationIn(document: Json, { path, method }: OperationSpec) {
  const item = (document['paths'] as Readonly<Record<string, Json>>)[path] as Json;
  return { item, operation: item[method.toLowerCase()] as Json };
}

/** The parameters of an operation, except the headers that every call has. */
export function parametersOf(document: Json, spec: OperationSpec) {
  const { item, operation } = operationIn(document, spec);
  const listed = [item['parameters'], operation['parameters']].flat().filter(Boolean) as Json[];
  return listed
    .map((each) => resolve(document, each))
    .filter((each) => each['in'] !== 'header')
    .map((each) => ({
      ...fieldOf(document, textOf(each['name']), each['schema'] as Json, each['required'] === true),
      in: textOf(each['in']),
      description: textOf(each['description']),
      example: each['example'],
    }));
}

/** The JSON body of a request or a response; undefined if it has none. */
function messageBodyOf(document: Json, message: unknown) {
  if (typeof message !== 'object' || message === null) return undefined;
  const content = resolve(document, message as Json)['content'] as Json | undefined;
  const json = Object.values(content ?? {})[0] as Json | undefined;
  return json && { schema: json['schema'] as Json | undefined, example: json['example'] };
}

export const requestBodyOf = (document: Json, spec: OperationSpec) =>
  messageBodyOf(document, operationIn(document, spec).operation['requestBody']);

/** The responses of an operation by status. */
export function responsesOf(document: Json, spec: OperationSpec) {
  const responses = operationIn(document, spec).operation['responses'] as Readonly<
    Record<string, Json>
  >;
  return Object.entries(responses).map(([status, response]) => ({
    status,
    description: textOf(resolve(document, response)['description']),
    body: messageBodyOf(document, response),
  }));
}

/** The fields of an object's schema, without those of inner objects. */
export function propertiesOf(document: Json, schema: Json): readonly FieldModel[] {
  const resolved = resolve(document, schema);
  const parts = [resolved['allOf'], resolved['oneOf'], resolved['anyOf']].flat().filter(Boolean);
  const required = new Set((resolved['required'] ?? []) as string[]);
  const own = Object.entries((resolved['properties'] ?? {}) as Readonly<Record<string, Json>>);
  const fields = [
    ...own.map(([name, each]) => fieldOf(document, name, each, required.has(name))),
    ...parts.flatMap((part) => propertiesOf(document, part as Json)),
  ];
  return [...new Map(fields.toReversed().map((field) => [field.name, field])).values()].reverse();
}

const MAX_DEPTH = 4;

/** All fields of a schema, or of the items of a list; those of inner objects after their own, down to a depth. */
export function* allFieldsOf(
  document: Json,
  schema: Json,
  prefix = '',
  depth = 0,
): Generator<FieldModel> {
  const items = resolve(document, schema)['items'] as Json | undefined;
  const start = prefix + (items && depth > 0 ? '[]' : '');
  for (const field of propertiesOf(document, items ?? schema)) {
    const name = start === '' ? field.name : `${start}.${field.name}`;
    yield { ...field, name };
    if (depth < MAX_DEPTH) yield* allFieldsOf(document, field.schema, name, depth + 1);
  }
}

function fieldOf(document: Json, name: string, schema: Json, isRequired: boolean): FieldModel {
  const resolved = resolve(document, schema);
  const description = textOf(schema['description']) || textOf(resolved['description']);
  return { name, type: typeOf(document, resolved), isRequired, description, schema };
}

const TYPES: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number' };

function typeOf(document: Json, given: Json): string {
  const schema = withoutNull(document, given);
  const choices = choicesOf(document, schema);
  if (choices.length > 0) return choices.join(', ');
  const type = [schema['type']].flat().find((each) => each !== 'null');
  if (type === 'array') {
    return `list of ${typeOf(document, (schema['items'] ?? {}) as Json)}`;
  }
  const format = textOf(schema['format']);
  return format !== '' && type === 'string'
    ? format
    : (TYPES[textOf(type)] ?? (textOf(type) || 'object'));
}

/** The schema behind a reference; if it is either that of one value or null, that of the value. */
function withoutNull(document: Json, schema: Json): Json {
  const resolved = resolve(document, schema);
  const [value, ...others] = ((resolved['oneOf'] ?? []) as readonly Json[])
    .map((each) => resolve(document, each))
    .filter(({ type }) => type !== 'null');
  return value === undefined || others.length > 0 ? resolved : value;
}

/** The values that a field can have; empty if there are too many to list. */
export function choicesOf(document: Json, schema: Json): readonly string[] {
  const { enum: values, const: only } = withoutNull(document, schema);
  return [values ?? only ?? []]
    .flat()
    .filter((each) => each !== null)
    .map(String);
}

/** How a form asks for a value: anything that is not a single value is asked for as JSON. */
export function kindOf(document: Json, schema: Json): 'number' | 'boolean' | 'text' | 'json' {
  const type = [withoutNull(document, schema)['type']].flat().find((each) => each !== 'null');
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'string' ? 'text' : 'json';
}
