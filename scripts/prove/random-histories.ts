import { readFlags } from './flags.ts';

/** Runs a proof over random histories, with their number from `--runs` and the seed from `--seed`. */
export async function proveOverHistories(
  presetRuns: number,
  prove: (seed: number, runs: number) => Promise<void>,
): Promise<void> {
  const { seed, runs } = readFlags({ seed: 1, runs: presetRuns });
  try {
    await prove(seed, runs);
    process.stdout.write(`${runs} histories of seed ${seed}: no difference\n`);
  } catch (error) {
    const { message, cause } = error as Error;
    process.stderr.write(`${message}\n\n${cause instanceof Error ? cause.message : ''}\n`);
    process.exitCode = 1;
  }
}
