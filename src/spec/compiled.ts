import { compile, SCHEMA_SETS, type SchemaSetName, type Validate } from './compiler.ts';

/** Returns the compiled schema of a name, or undefined if there is none. */
export type CompiledSchemas = (name: string) => Validate | undefined;

const known = new Map<SchemaSetName, CompiledSchemas>();

/**
 * Compiles each schema of a set on first use. The build replaces this module by one that loads precompiled
 * schemas.
 */
export function compiledSchemas(name: SchemaSetName): CompiledSchemas {
  const compiled = known.get(name) ?? compile(SCHEMA_SETS[name]());
  known.set(name, compiled);
  return compiled;
}
