import { compile, SCHEMA_SETS, type SchemaSetName } from './compiler.ts';
import type { Validate } from './validate.ts';

/** Answers the compiled schema of a name; undefined where there is none. */
export type CompiledSchemas = (name: string) => Validate | undefined;

const known = new Map<SchemaSetName, CompiledSchemas>();

/**
 * A set of schemas, each compiled when it is first needed. The build puts another module in the place of this
 * one, which loads what was compiled beforehand.
 */
export function compiledSchemas(name: SchemaSetName): CompiledSchemas {
  const compiled = known.get(name) ?? compile(SCHEMA_SETS[name]());
  known.set(name, compiled);
  return compiled;
}
