import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../../spec/document.ts';

/** Names of the examples that a document gives an answer. A lone one is called `default`. */
export function examplesOf(
  document: InterfaceDocument,
  operation: OperationSpec,
  status: number,
): readonly string[] {
  const pointer = operation.replies.get(status);
  if (!pointer) return [];
  const media = resolve(document.json, { $ref: pointer.replace(/\/schema$/, '') });
  if (media['examples'] !== undefined) return Object.keys(media['examples'] as Json);
  return media['example'] === undefined ? [] : ['default'];
}
