import fc from 'fast-check';
import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../spec/document.ts';

/** Texts of each format, most of them valid. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  uuid: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  'date-time': [
    '2026-01-15T12:00:00Z',
    '2026-01-15T13:00:00+01:00',
    '2026-01-01T00:00:00.123456Z',
    '2025-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
  ],
  date: ['2026-01-01', '2026-02-30', '2024-02-29'],
  uri: ['https://example.com/x', 'http://localhost:1', 'javascript:alert(1)', 'https://u:p@h/'],
  email: ['a@example.com', 'Ä@example.com', 'nobody'],
};
const TEXTS = [
  '',
  'a',
  'USD',
  'CREDIT',
  'default',
  '*',
  'ü✦',
  '\u202e',
  'x'.repeat(300),
  '__proto__',
];
const NUMBERS = [
  0, -0, 1, -1, 0.1, 2.5, 1e14, 999999999999999, 0.0000000001, 1e-11, 1e308, -5e-324,
];

/** Values that a schema accepts, as far as its keywords say. */
function acceptable(document: Json, schema: Json, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, ...own } = schema;
  if ($ref !== undefined)
    return acceptable(document, { ...resolve(document, schema), ...own }, depth);
  if (Array.isArray(schema['oneOf']))
    return fc.oneof(...schema['oneOf'].map((branch: Json) => acceptable(document, branch, depth)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const types = [schema['type'] ?? 'object'].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(document, schema, type, depth)));
}

/** Values that are often invalid: another type, out of range, unusual keys. */
function broken(document: Json, schema: Json): fc.Arbitrary<unknown> {
  const strange = fc.oneof(
    fc.constantFrom<unknown>(null, true, '', [], {}, [[]], 'x'.repeat(2000), '\ud800', 'a\u0000b'),
    fc.constantFrom<unknown>(...NUMBERS),
    fc.jsonValue({ maxDepth: 3 }),
  );
  return acceptable(document, schema).chain((value) => replaceSomewhere(value, strange));
}

function ofType(document: Json, schema: Json, type: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(document, schema, depth);
    case 'array': {
      const item = acceptable(document, (schema['items'] ?? {}) as Json, depth + 1);
      const least = (schema['minItems'] as number | undefined) ?? 0;
      return fc.array(item, { minLength: least, maxLength: depth > 3 ? least : least + 2 });
    }
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({
        min: (schema['minimum'] as number | undefined) ?? -3,
        max: (schema['maximum'] as number | undefined) ?? 40,
      });
    case 'number':
      return fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -5, max: 500 }));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function objectOf(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = (schema['required'] ?? []) as string[];
  const record = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => depth < 6 || required.includes(name))
      .map(([name, inner]) => [name, acceptable(document, inner, depth + 1)]),
  );
  if (Object.keys(record).length > 0)
    return fc.record(record, { requiredKeys: required.filter((name) => name in record) });
  return fc.dictionary(
    fc.constantFrom('model', 'tokens', '__proto__', 'constructor', 'k'),
    fc.constantFrom<unknown>(
      'large',
      'x',
      ...(schema['additionalProperties'] ? ['12'] : [1, true]),
    ),
    { maxKeys: 3 },
  );
}

function textOf({ format, pattern }: Json): fc.Arbitrary<string> {
  const known = FORMATS[format as string];
  if (known)
    return format === 'uuid'
      ? fc.oneof(fc.constantFrom(...known), fc.uuid())
      : fc.constantFrom(...known);
  const isReadable = typeof pattern === 'string' && !pattern.includes('\\p');
  return fc.oneof(
    fc.constantFrom(...TEXTS),
    isReadable
      ? fc.stringMatching(new RegExp(pattern))
      : fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  );
}

/** The value with one part of it, chosen at random, replaced, removed or given an extra key. */
function replaceSomewhere(value: unknown, strange: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (Array.isArray(value) && value.length > 0) {
    return fc
      .nat(value.length - 1)
      .chain((place) =>
        replaceSomewhere(value[place], strange).map((inner) => value.with(place, inner)),
      );
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return strange;
  const names = Object.keys(value);
  return fc.oneof(
    fc.constantFrom(...names).chain((name) =>
      replaceSomewhere((value as Json)[name], strange).map((inner) => ({
        ...value,
        [name]: inner,
      })),
    ),
    fc.constantFrom(...names).map((name) => {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      return rest;
    }),
    fc.constantFrom('nmae', 'ammount', 'x-y').map((name) => ({ ...value, [name]: 1 })),
  );
}

/**
 * For tests: random requests of an operation, whose bodies and queries are mostly valid, some invalid.
 *
 * @param idsFor returns the values of a path parameter when a request is made
 * @param strange values of query parameters
 */
export function anyRequest(
  { json }: InterfaceDocument,
  { path, parameters, body }: OperationSpec,
  idsFor: (parameter: string) => readonly string[],
  strange: readonly string[],
) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const idOf = (name: string) =>
    fc.nat().map((at) => idsFor(name).at(at % idsFor(name).length) as string);
  const query: Record<string, fc.Arbitrary<string>> = {};
  for (const { name, in: place, schema } of parameters)
    if (place === 'query')
      query[name] = fc.oneof(acceptable(json, schema).map(String), fc.constantFrom(...strange));
  return fc.record({
    path: fc.record(Object.fromEntries(names.map((name) => [name, idOf(name)]))),
    query: fc.record(query, { requiredKeys: [] }) as fc.Arbitrary<
      Record<string, string | undefined>
    >,
    body: body
      ? bodyOf(json, resolve(json, { $ref: body.pointer }) as Json)
      : fc.constant<unknown>(undefined),
  });
}

const bodyOf = (document: Json, schema: Json): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 2, arbitrary: acceptable(document, schema) },
    { weight: 3, arbitrary: broken(document, schema) },
  );
