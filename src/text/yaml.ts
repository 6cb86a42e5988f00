import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The YAML parser. It is loaded on first use, because loading it slows down the start. */
export const yaml = (): typeof import('yaml') => load('yaml');
