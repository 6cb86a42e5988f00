import { startMutant } from './emulator.ts';
import { MUTANTS } from './index.ts';

/** Entry point of its own: `tsx src/mutants/start.ts <id>` serves one mutant until it is stopped. */
const [, , id] = process.argv;
const mutant = MUTANTS.find((one) => one.id === id);

if (!mutant) {
  const list = MUTANTS.map((one) => `  ${one.id.padEnd(34)} ${one.about}`).join('\n');
  process.stderr.write(`Expected the id of a mutant:\n${list}\n`);
  process.exit(2);
}

const { baseUrl } = await startMutant(mutant);
process.stdout.write(
  `MUTANT ${mutant.id}: ${mutant.about}. This emulator is wrong on purpose.\n${baseUrl}\n`,
);
