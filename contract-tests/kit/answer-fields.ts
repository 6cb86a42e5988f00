import { type Json, resolve } from 'billing-emulator/spec';

/** A path into a body: field names, and `*` for each item of a list. */
export type FieldPath = readonly string[];

export interface AnswerField {
  readonly path: FieldPath;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Every field of a schema, including nested fields. */
export function fieldsOf(document: Json, given: Json, path: FieldPath = []): AnswerField[] {
  const schema = resolve(document, given);
  if (schema['items'])
    return path.length > 8 ? [] : fieldsOf(document, schema['items'] as Json, [...path, '*']);
  const required = new Set((schema['required'] ?? []) as string[]);
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(
    ([name, inner]) => {
      const field = { path: [...path, name], schema: resolve(document, inner) };
      return [
        { ...field, isRequired: required.has(name) },
        ...fieldsOf(document, field.schema, field.path),
      ];
    },
  );
}
