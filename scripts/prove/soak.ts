import { FILLING_ROUNDS, type SoakSample, soak } from '../../src/testing/durability/soak.ts';
import { readFlags } from './proof.ts';

/**
 * `npm run prove -- soak [--minutes N] [--seed TEXT]`: puts an emulator under load with hanging receivers, stopped
 * readers, resets, imports and floods. Within 30 seconds of its end, the heap and the number of open file descriptors
 * must be as before.
 */
const { seed, minutes } = readFlags({ seed: '1', minutes: 15 });
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`.padStart(9);
const show = (name: string, { at, heap, resident, descriptors }: SoakSample) =>
  process.stdout.write(
    `${name.padEnd(8)}${`${at} s`.padStart(6)}  heap ${megabytes(heap)}  resident ${megabytes(resident)}  file descriptors ${descriptors}\n`,
  );

const report = await soak({
  seed,
  rest: 20_000,
  filling: FILLING_ROUNDS,
  lasting: minutes * 60_000,
});
const { rounds, statuses, defects, before, after, isAsBefore } = report;
show('before', before);
show('after', after);
process.stdout.write(
  `${rounds} rounds, responses by status ${JSON.stringify(statuses)}, ${defects.length} defects: ` +
    `${isAsBefore ? 'heap and file descriptors are as before' : 'it holds more memory or file descriptors than before'}\n`,
);
for (const each of defects.slice(0, 10)) process.stderr.write(`${each}\n`);
if (!isAsBefore || defects.length > 0) process.exitCode = 1;
