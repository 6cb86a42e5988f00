import { type Json, loadDocument } from 'billing-emulator/spec';

let declared: ReturnType<typeof readDeclared> | undefined;

/**
 * The names of all fields and parameters of the document, which are never user data and need no redaction, and the values
 * of every `enum`.
 */
export function declaredInDocument() {
  declared ??= readDeclared();
  return declared;
}

function readDeclared() {
  const names = new Set<string>();
  const words = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { name, properties, enum: values } = node as Json;
    if (typeof name === 'string') names.add(name);
    for (const field of Object.keys(properties ?? {})) names.add(field);
    if (Array.isArray(values)) for (const word of values) words.add(word);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(loadDocument('openapi').json);
  return { names, words };
}
