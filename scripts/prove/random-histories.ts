import { parseArgs } from 'node:util';

/** Runs a proof over random histories, as many as the command line asks for with `--runs`, from its `--seed`. */
export async function proveOverHistories(
  presetRuns: number,
  prove: (seed: number, runs: number) => Promise<void>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: String(presetRuns) },
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
    await prove(seed, runs);
    process.stdout.write(`${runs} histories of seed ${seed}: no difference\n`);
  } catch (error) {
    const { message, cause } = error as Error;
    process.stderr.write(`${message}\n\n${cause instanceof Error ? cause.message : ''}\n`);
    process.exitCode = 1;
  }
}
