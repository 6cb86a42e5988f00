import { killUnderLoad } from '../../src/testing/durability/kill.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- kill [--seed TEXT] [--rounds N]`: kills the emulator with signal 9 under load, repeatedly with
 * the same data file, while snapshots replace journals. All acknowledged writes must be there.
 */
const { seed, rounds } = readFlags({ seed: '1', rounds: 200 });
const { acknowledged, amidSnapshots, ...flaws } = await killUnderLoad(seed, rounds);
const counts = Object.entries(flaws).map(([name, found]) => `${found.length} ${name}`);
process.stdout.write(
  `${rounds} kills, ${amidSnapshots} of them amid a snapshot, over ${acknowledged} acknowledged batches: ` +
    `${counts.join(', ')}\n`,
);
if (Object.values(flaws).some((found) => found.length > 0)) {
  process.stderr.write(`${JSON.stringify(flaws, null, 2)}\n`);
  process.exitCode = 1;
}
