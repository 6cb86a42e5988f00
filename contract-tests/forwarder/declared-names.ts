import { type Json, loadDocument } from 'billing-emulator/spec';

let declared: ReadonlySet<string> | undefined;

/** The names of all fields and parameters of the document. They are never user data, so they need no redaction. */
export function declaredNames(): ReadonlySet<string> {
  declared ??= new Set(namesIn(loadDocument('openapi').json));
  return declared;
}

let words: ReadonlySet<unknown> | undefined;

/** The values of every `enum` of the document. */
export function declaredWords(): ReadonlySet<unknown> {
  words ??= new Set(wordsIn(loadDocument('openapi').json));
  return words;
}

function* wordsIn(node: unknown): Generator<unknown> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, inner] of Object.entries(node))
    if (name === 'enum' && Array.isArray(inner)) yield* inner;
    else yield* wordsIn(inner);
}

function* namesIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { name, properties } = node as Json;
  if (typeof name === 'string') yield name;
  if (properties) yield* Object.keys(properties);
  for (const inner of Object.values(node)) yield* namesIn(inner);
}
