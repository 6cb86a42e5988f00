import fc from 'fast-check';
import { historyArbitrary } from '../../contract-tests/model/arbitrary/history.ts';
import { createEmulator, type Emulator } from '../../src/main.ts';
import { playAsModelled } from '../../src/testing/random-history.ts';
import { readFlags } from './proof.ts';

/** Number of histories per emulator, each in a new world. */
const PER_EMULATOR = 25;

/** Number of steps between comparisons of the whole state. */
const EVERY = 15;

/**
 * `npm run prove -- oracle [--seed N] [--runs N]`: runs random histories on the emulator and on a model written from
 * the documents alone. Reports the first difference, with both responses and the smallest history found.
 */
const { seed, runs } = readFlags({ seed: 1, runs: 2_000 });
let count = 0;
let emulator: Emulator | undefined;
const agrees = fc.asyncProperty(historyArbitrary(), async (history) => {
  if (count % PER_EMULATOR === 0) {
    await emulator?.close();
    emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
  }
  count += 1;
  await playAsModelled(emulator as Emulator, history, undefined, EVERY);
});
try {
  await fc.assert(agrees, { seed, numRuns: runs });
  process.stdout.write(`${runs} histories of seed ${seed}: no difference\n`);
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${message}\n\n${cause instanceof Error ? cause.message : ''}\n`);
  process.exitCode = 1;
}
await emulator?.close();
