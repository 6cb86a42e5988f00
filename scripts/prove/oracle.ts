import { proveByOracle } from '../../src/testing/oracle/prove.ts';
import { proveOverHistories } from './random-histories.ts';

/**
 * `npm run prove -- oracle [--seed N] [--runs N]`: random histories, played against the emulator and against
 * a model written from the documents alone. The first difference is reported with the smallest history.
 */
await proveOverHistories(2_000, proveByOracle);
