import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The reader of YAML, loaded when it is first needed, as it takes a good part of a start that reads none. */
export const yaml = (): typeof import('yaml') => load('yaml');
