import { proveDecimals } from '../../src/testing/decimals.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- decimals [--seed N] [--runs N]`: random operations on decimals, of any sign and length and
 * with ties, by the project's arithmetic and by big.js. The smallest difference is reported.
 */
const { seed, runs } = readFlags({ seed: 1, runs: 1_000_000 });
proveDecimals(seed, runs);
process.stdout.write(`${runs} operations of seed ${seed}: no difference\n`);
