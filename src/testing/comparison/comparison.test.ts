import { it } from 'vitest';
import { proveComparison } from './prove.ts';

const PATIENCE_MS = 240_000;

/** The short form of `npm run prove -- diff`. */
it(
  'says nothing of two worlds if and only if their exports are equal',
  () => proveComparison(20260115, 20),
  PATIENCE_MS,
);
