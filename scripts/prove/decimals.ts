import { proveDecimals } from '../../src/testing/decimals.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- decimals [--seed N] [--runs N]`: compares the project's arithmetic with big.js in random operations
 * on decimals of any sign and length, with ties. Reports the smallest operation on which they differ.
 */
const { seed, runs } = readFlags({ seed: 1, runs: 1_000_000 });
proveDecimals(seed, runs);
process.stdout.write(`${runs} operations of seed ${seed}: no difference\n`);
