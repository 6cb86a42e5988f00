import { createRequire } from 'node:module';
import type { compiledSchemas as compiledWhenNeeded } from './compiled.ts';
import { FORMATS } from './formats.ts';
import type { Validate } from './validate.ts';

type Schemas = Readonly<Record<string, Validate>>;

const load = createRequire(import.meta.url);
const known = new Map<string, Schemas>();

/** A set of schemas as the build compiled it, loaded when the first of them is needed. */
export const compiledSchemas: typeof compiledWhenNeeded = (set) => {
  return (name) => {
    const schemas: Schemas = known.get(set) ?? load(`./${set}.schemas.cjs`)(FORMATS);
    known.set(set, schemas);
    return schemas[name];
  };
};
