import { parseArgs } from 'node:util';
import { proveDecimals } from '../../src/testing/decimals.ts';

/**
 * `npm run prove -- decimals [--seed N] [--runs N]`: random operations on decimals, of any sign and length and
 * with ties, by the project's arithmetic and by big.js. The smallest difference is reported.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1000000' },
  },
});
proveDecimals(Number(values.seed), Number(values.runs));
process.stdout.write(`${values.runs} operations of seed ${values.seed}: no difference\n`);
