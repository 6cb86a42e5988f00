import { type Json, resolve, type Validators, validatorsOf } from 'billing-emulator/spec';
import { layers } from '../layers.ts';
import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { UnusableResponse } from '../outcome.ts';

let validators: Validators | undefined;

/**
 * Validates a request that the target should accept against the document.
 *
 * @throws UnusableResponse when the request is invalid, because it uses values from the target's responses
 */
export function validateRequest(operation: OperationId, { body, raw, query }: LooseParts): void {
  if (raw !== undefined) return;
  validators ??= validatorsOf(layers().closed);
  const spec = operationOf(operation);
  const given = Object.fromEntries(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined),
  );
  const findings = [
    ...(Object.keys(given).length > 0 ? validators.query(spec)(given) : []),
    ...(spec.body && (body !== undefined || spec.body.required) ? validators.body(spec)(body) : []),
  ];
  if (findings.length === 0) return;
  const texts = findings.map(
    ({ instancePath, keyword }) => `${instancePath || '/'} breaks ${keyword}`,
  );
  throw new UnusableResponse(
    `The suite would send a wrong ${operation} request: ${texts.join('; ')}`,
  );
}

/** A body of an operation, with null for each field that it leaves out where the document allows null, nested ones too. */
export function withNulls<T extends object>(operation: OperationId, body: T): T {
  const pointer = operationOf(operation).body?.pointer as string;
  return filled(layers().closed.json, { $ref: pointer }, body) as T;
}

function filled(document: Json, given: Json, value: unknown): unknown {
  const schema = objectOf(document, given);
  if (Array.isArray(value))
    return value.map((each) => filled(document, schema['items'] as Json, each));
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const fields = value as Record<string, unknown>;
  const nulls = Object.entries(properties).flatMap(([name, inner]) => {
    if (fields[name] !== undefined) return [[name, filled(document, inner, fields[name])]];
    return isNullable(document, inner) ? [[name, null]] : [];
  });
  return { ...fields, ...Object.fromEntries(nulls) };
}

/** The schema itself, or the one of its choices that describes an object or a list. */
function objectOf(document: Json, given: Json): Json {
  const schema = resolve(document, given);
  const choices = (schema['oneOf'] ?? []) as Json[];
  return (
    choices
      .map((choice) => resolve(document, choice))
      .find((choice) => 'properties' in choice || 'items' in choice) ?? schema
  );
}

/** Whether a field may be null; one without a type takes any value. */
function isNullable(document: Json, given: Json): boolean {
  const schema = resolve(document, given);
  const choices = schema['oneOf'] as Json[] | undefined;
  if (choices) return choices.some((choice) => isNullable(document, choice));
  return schema['type'] === undefined || [schema['type']].flat().includes('null');
}

/** What makes a body wrong in one place: a value that does not belong there, or undefined where one is left out. */
export interface Misshapen {
  /** The place as errors name it, such as `prices[0].name`. */
  readonly place: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

const SAMPLES = { string: 'text', number: 7, boolean: true, array: ['text'], object: { x: 'x' } };

/** A text that is not Unicode. */
const NO_UNICODE = '\ud800';

/**
 * What makes a right body wrong in one place, in all ways that the document does not allow: at each depth, each
 * field and each item of a list with a value of another JSON type, each text of a list that is not Unicode, each required
 * field left out, and an unknown one.
 */
export function misshapen(operation: OperationId, body: object): readonly Misshapen[] {
  const pointer = operationOf(operation).body?.pointer as string;
  const document = layers().closed.json;
  const made: Misshapen[] = [];
  type Path = Misshapen['path'];
  const put = (path: Path, value: unknown) => made.push({ place: placeOf(path), path, value });
  const spoil = (given: Json, path: Path) => {
    const types = typesOf(document, given);
    const others = Object.entries(SAMPLES).filter(([type]) => types && !types.has(type));
    // One other type for each field, in turn.
    const [, sample] = others[made.length % others.length] ?? [];
    if (sample !== undefined) put(path, sample);
  };
  const visit = (given: Json, value: unknown, path: Path) => {
    const schema = objectOf(document, given);
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) {
        const within = [...path, index];
        spoil(schema['items'] as Json, within);
        if (typeof one === 'string') put(within, NO_UNICODE);
        visit(schema['items'] as Json, one, within);
      }
    const properties = schema['properties'] as Record<string, Json> | undefined;
    if (typeof value !== 'object' || value === null || !properties) return;
    for (const [name, inner] of Object.entries(properties)) {
      const within = [...path, name];
      spoil(inner, within);
      if ((schema['required'] as string[] | undefined)?.includes(name)) put(within, undefined);
      visit(inner, (value as Record<string, unknown>)[name], within);
    }
    if (schema['additionalProperties'] === false) put([...path, 'unheard_of'], 1);
  };
  visit({ $ref: pointer }, body, []);
  return made;
}

/** A path as errors name it. */
const placeOf = (path: Misshapen['path']): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** The JSON types that a field takes; undefined if it takes any value. */
function typesOf(document: Json, given: Json): ReadonlySet<string> | undefined {
  const schema = resolve(document, given);
  const choices = schema['oneOf'] as Json[] | undefined;
  const types = choices
    ? choices.flatMap((choice) => [...(typesOf(document, choice) ?? [])])
    : [schema['type'] ?? []].flat(2);
  if (types.length === 0) return undefined;
  return new Set(types.map((type) => (type === 'integer' ? 'number' : String(type))));
}

const NO_BOOLEANS = ['maybe', '', '1', 'True'];
const NO_DATES = ['yesterday', '2026-13-01', '2026-02-30', '2026-3-1', '2026-03-01T00:00:00Z'];
const NO_INSTANTS = ['noon', '2026-03-01', '2026-03-01T00:00:00', '2026-13-01T00:00:00Z'];

/** The texts that each parameter of a query does not take: of another form, or almost a word that it takes. */
export const misshapenQuery = (operation: OperationId): ReadonlyMap<string, readonly string[]> =>
  new Map(
    queryOf(operation)
      .map(([name, schema]) => [name, textsBeyond(schema)] as const)
      .filter(([, texts]) => texts.length > 0),
  );

/** Queries whose period ends a day before it begins, each with the name of its end. */
export const reversedPeriods = (
  operation: OperationId,
): readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] =>
  queryOf(operation)
    .filter(([name, { format }]) => format === 'date' && name.endsWith('_to'))
    .map(([name]) => {
      const from = name.replace(/_to$/, '_from');
      return [name, { [from]: '2026-03-02', [name]: '2026-03-01' }] as const;
    });

/** The parameters of a query with their schemas. */
const queryOf = (operation: OperationId): readonly (readonly [name: string, schema: Json])[] =>
  operationOf(operation)
    .parameters.filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, resolve(layers().closed.json, schema)] as const);

function textsBeyond({ type, format, enum: words, minimum, maximum }: Json): readonly string[] {
  if (Array.isArray(words)) return [...words.flatMap(almost), 'paused', ''];
  if (type === 'boolean') return NO_BOOLEANS;
  if (type === 'integer')
    return ['1e1', '1.5', '', `${Number(minimum) - 1}`, `${maximum ?? 1e18}0`];
  if (format === 'date') return NO_DATES;
  if (format === 'date-time') return NO_INSTANTS;
  return format === 'uuid' ? ['not-a-uuid', ''] : [];
}

/** A word in another letter case, with a space, and with a letter more and less. */
const almost = (word: string): readonly string[] =>
  [word.toLowerCase(), word.toUpperCase(), ` ${word}`, `${word}s`, word.slice(0, -1)].filter(
    (each) => each !== word,
  );
