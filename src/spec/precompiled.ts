import { createRequire } from 'node:module';
import type { compiledSchemas as compiledWhenNeeded } from './compiled.ts';
import { FORMATS, type Validate } from './compiler.ts';

type Schemas = Readonly<Record<string, Validate>>;

const load = createRequire(import.meta.url);
const known = new Map<string, Schemas>();

/** The schemas that the build compiled. Each set is loaded on first use. */
export const compiledSchemas: typeof compiledWhenNeeded = (set) => {
  return (name) => {
    const schemas: Schemas = known.get(set) ?? load(`./${set}.schemas.cjs`)(FORMATS);
    known.set(set, schemas);
    return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  };
};
