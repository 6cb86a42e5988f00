import { type Json, resolve, type Validators, validatorsOf } from 'billing-emulator/spec';
import { layers } from '../layers.ts';
import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { UnusableAnswer } from '../outcome.ts';

let validators: Validators | undefined;

/**
 * Validates a request that the target should accept against the document.
 *
 * @throws UnusableAnswer when the request is invalid, because it uses values from the target's responses
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
  throw new UnusableAnswer(
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
