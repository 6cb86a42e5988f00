import { parseArgs } from 'node:util';
import { proveByOracle } from '../../src/testing/oracle/prove.ts';

/**
 * `npm run prove -- oracle [--seed N] [--runs N]`: random histories, played against the emulator and against
 * a model written from the documents alone. The first difference is reported with the smallest history.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2000' },
  },
});
const [seed, runs] = [Number(values.seed), Number(values.runs)];
if (!Number.isInteger(seed) || !Number.isInteger(runs) || runs < 1) {
  process.stderr.write(
    `Expected whole numbers for --seed and --runs; got ${values.seed} and ${values.runs}.\n`,
  );
  process.exit(2);
}
try {
  await proveByOracle(seed, runs);
  process.stdout.write(`${runs} histories of seed ${seed}: no difference\n`);
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${message}\n\n${cause instanceof Error ? cause.message : ''}\n`);
  process.exitCode = 1;
}
