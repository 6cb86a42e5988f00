import { fileURLToPath } from 'node:url';
import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import { type Json, loadDocument, readDocument, resolve, SPEC_FOLDER } from './document.ts';
import { EFFECTS, effectOf } from './effects.ts';
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
