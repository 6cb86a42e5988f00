import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../domain/rules.ts';
import { entitlement, UNUSED } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { documentSchemas } from './compiler.ts';
import { type Json, loadDocument } from './document.ts';

/** Checks that the document avoids constructs that code generators do not support. */
const document = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));
const { schemas, ...others } = document.components as Record<string, Record<string, Json>>;

interface Node {
  readonly place: string;
  readonly schema: Json;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** All objects in the document with their paths, without examples. */
function* nodesOf(value: unknown, place: string): Generator<Node> {
  if (!isObject(value)) return;
  yield { place, schema: value };
  for (const [name, inner] of Object.entries(value))
    if (!['example', 'examples', 'value'].includes(name)) yield* nodesOf(inner, `${place}/${name}`);
}

const nodes = [...nodesOf(document, '#')];
const isNamed = (place: string) => /^#\/components\/schemas\/\w+$/.test(place);
const placesWhere = (offends: (node: Node) => boolean) =>
  nodes.filter(offends).map(({ place }) => place);
const named = Object.entries(schemas as Record<string, Json>);

describe('openapi.json, for code generators', () => {
  it('gives each value only one type besides null', () => {
    const isMixed = ({ schema: { type } }: Node) =>
      Array.isArray(type) && type.filter((each) => each !== 'null').length > 1;

    expect(placesWhere(isMixed)).toEqual([]);
  });

  it('has unions only of named schemas and null', () => {
    const isAnonymous = (branch: Json) => branch['$ref'] === undefined && branch['type'] !== 'null';
    const isLoose = ({ schema }: Node) =>
      schema['allOf'] !== undefined ||
      (Array.isArray(schema['oneOf']) && schema['oneOf'].some(isAnonymous));

    expect(placesWhere(isLoose)).toEqual([]);
    expect(
      placesWhere(({ schema, place }) => Array.isArray(schema['anyOf']) && !place.endsWith('/if')),
    ).toEqual([]);
  });

  it('has a name for every object schema with properties', () => {
    const isListing = ({ place, schema }: Node) =>
      isObject(schema['properties']) &&
      [schema['type']].flat().includes('object') &&
      !isNamed(place) &&
      !place.endsWith('/properties');

    expect(placesWhere(isListing)).toEqual([]);
  });

  it('uses each name once', () => {
    const names = [schemas, ...Object.values(others)].flatMap((each) => Object.keys(each ?? {}));

    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('has each value in only one named enum, because Go has one scope for them', () => {
    const values = named.flatMap(([, schema]) => (schema['enum'] ?? []) as string[]);

    expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([]);
  });

  it('has no defaults in schemas and no optional headers without a type', () => {
    const isPreset = ({ place, schema }: Node) =>
      place.startsWith('#/components/schemas/') && 'default' in schema;
    const isOptionalHeader = ({ schema }: Node) =>
      schema['in'] === 'header' && schema['type'] === undefined && schema['required'] !== true;

    expect(placesWhere(isPreset)).toEqual([]);
    expect(placesWhere(isOptionalHeader)).toEqual([]);
  });

  it('has 12 links from responses, each to an existing operation', () => {
    const links = Object.values(others['links'] as Record<string, { operationId: string }>);
    const { operations } = loadDocument('openapi');

    expect(links).toHaveLength(12);
    expect(links.filter(({ operationId }) => !operations.has(operationId))).toEqual([]);
  });
});

describe('rules in openapi.json', () => {
  const { operations } = loadDocument('openapi');
  const said = documentSchemas({ name: 'said', json: document, operations }, { strict: false });
  const event = (more: object) => ({
    id: '68e8980c-fd79-46ea-be14-0e9f2be7df0a',
    event_type: 'call',
    occurred_at: '2026-01-15T11:00:00Z',
    ...more,
  });
  const cost = (more: object) => ({
    events: [event({ costs: [{ id: event({}).id, amount: 1, ...more }] })],
    customer_id: 'cust_1',
  });
  const product = { name: 'A', code: 'a', prices: [UNUSED] };
  const reference = (more: object) => ({ name: 'A', subscriptions: [{ products: [more] }] });
  const gift = entitlement(1, { asset: 'USD' });

  it.each([
    ['submitEvents', 'customer.ambiguous', { events: [event({})] }],
    ['submitEvents', 'customer.ambiguous', { customer_id: null, events: [event({})] }],
    [
      'submitEvents',
      'customer.ambiguous',
      { customer_id: 'a', customer_external_id: 'b', events: [event({})] },
    ],
    ['submitEvents', 'vendor.reference_required', cost({ vendor_id: null })],
    ['createCustomer', 'product.reference_required', reference({ version: 1 })],
    ['createCustomer', 'product.reference_required', reference({ id: null, code: null })],
  ] as const)(
    'reject a body of %s by the rule %s, as the emulator does: %#',
    async (id, rule, body) => {
      const pointer = operations.get(id)?.body?.pointer as string;
      const validate = said.ajv.compile(said.schemas.get(pointer) as object);
      const { errors } = await createTestClient().api(id, { body } as never, 422 as never);

      expect(validate(body)).toBe(false);
      expect(validate.errors?.at(-1)?.parentSchema?.['x-rule']).toBe(rule);
      expect(Object.values(errors as Record<string, string[]>).flat()).toContain(RULES[rule]);
    },
  );

  it.each([
    ['submitEvents', { customer_id: 'a', events: [event({})] }],
    ['submitEvents', { customer_id: null, customer_external_id: 'b', events: [event({})] }],
    ['submitEvents', cost({ vendor_external_id: 'v' })],
    ['createProduct', { ...product, entitlements: [gift] }],
    ['createCustomer', reference({ id: null, code: 'a' })],
    ['createCustomer', reference({ id: 'p', code: 'a' })],
  ] as const)('accept a valid body of %s: %#', (id, body) => {
    const pointer = operations.get(id)?.body?.pointer as string;

    expect(said.ajv.validate(said.schemas.get(pointer) as object, body)).toBe(true);
  });
});
