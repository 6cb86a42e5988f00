import { strikeUnderLoad } from '../../src/testing/durability/postgres.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- postgresql [--seed TEXT] [--kills N] [--suspensions N] [--restarts N] [--cuts N]`: strikes two emulators
 * of one database under load, and the database. Nothing acknowledged may be missing or billed twice, and no claim may write
 * after a later one.
 */
const { seed, ...blows } = readFlags({
  ...{ seed: '1', kills: 50, suspensions: 10, restarts: 10, cuts: 20 },
});
const report = await strikeUnderLoad(seed, blows);
const { acknowledged, claims, ...wrong } = report;
process.stdout.write(`${acknowledged} batches acknowledged, ${claims} claims wrote\n`);
for (const [name, found] of Object.entries(wrong)) {
  process.stdout.write(
    `${name}: ${found.length === 0 ? 'none' : JSON.stringify(found.slice(0, 10))}\n`,
  );
  if (found.length > 0) process.exitCode = 1;
}
