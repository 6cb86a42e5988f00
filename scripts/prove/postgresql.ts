import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { PAIR, strikeUnderLoad } from '../../src/testing/durability/blows.ts';
import { playOnEach, randomHistories } from '../../src/testing/durability/histories.ts';
import { startPostgres } from '../../src/testing/postgres/server.ts';
import { ROOT } from '../build/places.ts';
import { compareHistories, printBlows, readFlags } from './proof.ts';

/** The suites that otherwise run in memory. */
const SUITES = ['node bin/billing-emulator.js contract', 'npx vitest run browser.test'];

/**
 * `npm run prove -- postgresql [--seed TEXT] [--kills N] [--suspensions N] [--restarts N] [--cuts N] [--histories N]
 * [--suites]`: strikes two emulators of one database under load, and the database. Nothing acknowledged may be missing
 * or billed twice, no claim may write after a later one, and each webhook event arrives, the first times in order. Then
 * plays random histories in memory, in a file and in PostgreSQL, whose exports must be equal; and runs the contract
 * suite and the browser tests on PostgreSQL.
 */
const { seed, histories, suites, ...blows } = readFlags({
  seed: '1',
  kills: 50,
  suspensions: 10,
  restarts: 10,
  cuts: 20,
  histories: 40,
  suites: false,
});
printBlows(await strikeUnderLoad(seed, { ...blows, rolls: 0 }, PAIR));
const postgres = await startPostgres();
await compareHistories(
  randomHistories(histories, 12),
  'between the stores',
  async (history, place) => {
    const { memory, file, database } = await playOnEach(history, postgres.url, `history_${place}`);
    return [...file, ...database].every((each) => isDeepStrictEqual(each, memory));
  },
);
for (const command of suites ? SUITES : []) {
  const [program = '', ...rest] = command.split(' ');
  const env = { ...process.env, TEST_DATABASE: postgres.url };
  const { status } = spawnSync(program, rest, { cwd: ROOT, env, stdio: 'inherit' });
  process.stdout.write(`${command}: exit ${status}\n`);
  if (status !== 0) process.exitCode = 1;
}
await postgres.stop();
