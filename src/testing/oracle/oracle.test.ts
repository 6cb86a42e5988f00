import { it } from 'vitest';
import { proveByOracle } from './prove.ts';

const PATIENCE_MS = 120_000;

/** The short form of `npm run prove -- oracle`. */
it(
  'answers as a model that was made from the documents alone',
  () => proveByOracle(20260131, 25),
  PATIENCE_MS,
);
