import { fileURLToPath } from 'node:url';
import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import { type Json, loadDocument, readDocument, resolve, SPEC_FOLDER } from './document.ts';
import { EFFECTS, effectOf } from './operations.ts';
import { isKnownTopic, knownTopics } from './topics.ts';
import { validatorsOf } from './validators.ts';

const document = loadDocument('openapi');
const validators = validatorsOf(document);
const operations = [...document.operations.values()];

/** The statuses in the specification, without those that every operation can return. */
function specifiedStatuses(id: string): readonly string[] {
  const paths = document.json['paths'] as Record<string, Record<string, Json>>;
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((operation) => operation['operationId'] === id);
  return found?.['x-specified-statuses'] as string[];
}

describe('the OpenAPI document', () => {
  it('has 57 operations', () => {
    expect(operations).toHaveLength(57);
  });

  it('declares all 190 specified responses', () => {
    const cells = operations.flatMap(({ id, replies }) =>
      specifiedStatuses(id).map((status) => ({
        id,
        status,
        declared: replies.has(Number(status)),
      })),
    );

    expect(cells).toHaveLength(190);
    expect(cells.filter(({ declared }) => !declared)).toEqual([]);
  });

  it('gives each operation an effect class, and a higher one to a body that publishes', () => {
    const product = document.operations.get('createProduct') as (typeof operations)[number];

    expect(operations.filter(({ effect }) => !EFFECTS.some((each) => each === effect))).toEqual([]);
    expect(effectOf(product, { publish: false })).toBe('E2');
    expect(effectOf(product, { publish: true })).toBe('E3');
  });

  it('has 67 query parameters', () => {
    const queries = operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'query'),
    );

    expect(queries).toHaveLength(67);
  });

  it.each(['openapi', 'control'])(
    '%s.yaml is valid without warnings for @readme/openapi-parser',
    async (name) => {
      const result = await validate(fileURLToPath(new URL(`${name}.yaml`, SPEC_FOLDER)));

      expect(result.valid).toBe(true);
      expect(result.warnings).toEqual([]);
    },
  );

  it.each(operations.filter(({ body }) => body).map(({ id }) => id))(
    'has a valid example of the request body of %s',
    (id) => {
      const operation = document.operations.get(id) as (typeof operations)[number];
      const pointer = operation.body?.pointer.replace(/\/schema$/, '') as string;
      const { example } = resolve(document.json, { $ref: pointer });

      expect(example).toBeDefined();
      expect(validators.body(operation)(example)).toEqual([]);
    },
  );

  const answers = operations.flatMap(({ id, replies }) =>
    [...replies]
      .filter(([status, pointer]) => status < 300 && pointer !== null)
      .map(([status]) => ({ id, status })),
  );
  it.each(answers)('has a valid example of the response $id $status', ({ id, status }) => {
    const operation = document.operations.get(id) as (typeof operations)[number];
    const pointer = operation.replies.get(status)?.replace(/\/schema$/, '') as string;
    const { example } = resolve(document.json, { $ref: pointer });

    expect(example).toBeDefined();
    expect(validators.reply(operation, status)?.(example)).toEqual([]);
  });

  it('may not contain an unknown extension key: readDocument throws', () => {
    expect(() => readDocument('other', { paths: {}, 'x-hint': true })).toThrow('x-hint');
  });
});

const { json } = loadDocument('openapi');
const schemas = (json['components'] as { readonly schemas: Readonly<Record<string, Json>> })
  .schemas;

/** The fields of an object by name, with `?` if optional and `|null` if nullable. */
function fieldsOf(name: string): string[] {
  const schema = schemas[name] as Json;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
    .map(([field, { type }]) => {
      const isNullable = Array.isArray(type) && type.includes('null');
      return `${field}${required.includes(field) ? '' : '?'}${isNullable ? '|null' : ''}`;
    })
    .sort();
}

const words = (text: string): string[] => text.split(' ').filter(Boolean).sort();

describe('schemas of the OpenAPI document', () => {
  it.each([
    ['ProductSummary', 'id code name'],
    ['Product', 'id code name default_version? versions'],
    ['DefaultVersion', 'version entitlements prices'],
    ['VersionOfProduct', 'version created_at status'],
    ['ProductVersion', 'id code name version status is_default prices entitlements'],
    ['ProductVersionSummary', 'id code name version status is_default'],
    ['ProductVersionCreated', 'id code version status is_default'],
    [
      'Subscriber',
      `customer_id customer_name external_id? email? subscription_id subscription_status started_at
      renews_at? product_rate_plan_id version`,
    ],
    ['SimulationResult', 'fees warnings?'],
    [
      'SimulatedFee',
      `usage_id event_type price_id price_name currency dimensions? usage_type volume_field?
      input_volume? unit_price? volume_rate? package_size? amount`,
    ],
    ['Grant', 'id available effective_at expires_at|null purpose created_at'],
    [
      'WalletTransaction',
      'id type account_id asset amount description? metadata? created_at executed_at?',
    ],
    ['ChargeCreated', ''],
    ['AdjustmentCreated', 'id created_at'],
    ['Vendor', 'id external_id? name created_at'],
    ['VendorStats', 'total_costs categories'],
    ['VendorCategoryCost', 'category cost'],
    ['ConnectedAccount', 'id external_id? name created_at metadata?'],
  ])('the response %s has exactly the fields %s', (name, fields) => {
    expect(fieldsOf(name)).toEqual(words(fields.replaceAll('\n', ' ')));
    expect((schemas[name] as Json)['type']).toBe('object');
  });

  it.each([
    [
      'ProductVersionCreate',
      'prices entitlements? publish? name? description? make_default? id? code? version? status? is_default?',
    ],
    ['ProductVersionUpdate', 'publish? make_default? prices? entitlements? name? description?'],
    ['SubscriptionUpdate', 'status? renews_at? return_url? failure_url? redirect_to?'],
    ['SubscriptionProductUpdate', 'version'],
    ['SimulationRequest', 'events customer_id?'],
    ['StartingRateInput', 'source rate? inverse_rate?'],
    ['AssetRateCreate', 'source rate valid_from? valid_to?'],
    ['QuoteRequest', 'source amount exchange_at?'],
    ['CustomerUpdate', 'name? external_id? email? metadata? external_accounts?'],
  ])('the request %s has exactly the fields %s', (name, fields) => {
    expect(fieldsOf(name).map((field) => field.replace('|null', ''))).toEqual(words(fields));
  });

  it.each([
    ['TopUpStatus', undefined, 'initiated pending succeeded failed expired'],
    ['SubscriptionStatus', undefined, 'active inactive action_required scheduled'],
    ['RequiredAction', 'type', 'payment payment_method'],
    ['WalletTransaction', 'type', 'adjustment fee'],
    ['AdjustmentRequest', 'reason', 'external_topup external_refund gift other'],
  ])('%s.%s is one of %s', (name, field, values) => {
    const schema = schemas[name] as Json;
    const { enum: known } = (
      field === undefined ? schema : (schema['properties'] as Record<string, Json>)[field]
    ) as { readonly enum: readonly string[] };
    expect([...known].sort()).toEqual(words(values));
  });
});

describe('webhook topics', () => {
  it('are known only by their full name', () => {
    expect(knownTopics().every(isKnownTopic)).toBe(true);
    expect(isKnownTopic('subscription')).toBe(false);
    expect(isKnownTopic('*')).toBe(false);
  });
});
