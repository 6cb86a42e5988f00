import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../../spec/document.ts';

/** The examples that a document gives an answer, by name. A lone one is called `default`. */
export function examplesOf(
  document: InterfaceDocument,
  operation: OperationSpec,
  status: number,
): ReadonlyMap<string, unknown> {
  const pointer = operation.replies.get(status);
  if (!pointer) return new Map();
  const media = resolve(document.json, { $ref: pointer.replace(/\/schema$/, '') });
  if (media['example'] !== undefined) return new Map([['default', media['example']]]);
  const examples = Object.entries((media['examples'] ?? {}) as Record<string, Json>);
  return new Map(examples.map(([name, { value }]) => [name, value]));
}
