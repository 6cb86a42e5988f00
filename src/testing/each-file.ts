import { afterAll } from 'vitest';
import { endFile } from './at-file-end.ts';

/** Runs around every test file. */
afterAll(endFile);
