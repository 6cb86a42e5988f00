import fc from 'fast-check';
import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../../spec/document.ts';
import { acceptable, broken } from './arbitrary.ts';

type Query = Record<string, string | undefined>;

/** For tests: queries of an operation, each parameter acceptable, `strange` or left out. */
export function queryOf(
  { json }: InterfaceDocument,
  { parameters }: OperationSpec,
  strange: readonly string[],
): fc.Arbitrary<Query> {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  return fc.record(
    Object.fromEntries(
      asked.map(({ name, schema }) => [
        name,
        fc.oneof(acceptable(json, schema).map(String), fc.constantFrom(...strange)),
      ]),
    ),
    { requiredKeys: [] },
  );
}

/** For tests: valid and invalid bodies of an operation. Undefined if it takes none. */
export function bodyOf(
  { json }: InterfaceDocument,
  { body }: OperationSpec,
): fc.Arbitrary<unknown> {
  if (!body) return fc.constant(undefined);
  const schema = resolve(json, { $ref: body.pointer }) as Json;
  return fc.oneof(
    { weight: 2, arbitrary: acceptable(json, schema) },
    { weight: 3, arbitrary: broken(json, schema) },
  );
}
