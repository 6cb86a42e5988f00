import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { BALANCED, strikeUnderLoad } from '../../src/testing/durability/blows.ts';
import { Fleet } from '../../src/testing/durability/fleet.ts';
import {
  playOnEach,
  playOnSeveral,
  randomHistories,
} from '../../src/testing/durability/histories.ts';
import { startPostgres } from '../../src/testing/postgres/server.ts';
import { ROOT } from '../build/places.ts';
import { compareHistories, printBlows, readFlags } from './proof.ts';

const PAY = fileURLToPath(new URL('several/pay.sh', import.meta.url));

/**
 * `npm run prove -- several [--seed TEXT] [--kills N] [--suspensions N] [--rolls N] [--restarts N] [--histories N] [--suite]`:
 * strikes three emulators of one database under load, behind a balancer that gives each request to another one. Nothing
 * acknowledged may be missing or billed twice, no claim may write after a later one, each webhook event arrives, and while
 * all are restarted one after the other clients get nothing but 503 with Retry-After. Then plays random histories with three
 * emulators, whose exports must be those of one in memory; and runs the contract suite through the balancer.
 */
const { seed, histories, suite, ...blows } = readFlags({
  seed: '1',
  kills: 50,
  suspensions: 10,
  rolls: 3,
  restarts: 5,
  histories: 40,
  suite: false,
});
printBlows(await strikeUnderLoad(seed, { ...blows, cuts: 0 }, BALANCED));

const postgres = await startPostgres();
await compareHistories(
  randomHistories(histories, 12, ['undo']),
  'with three emulators',
  async (history, place) => {
    const { memory } = await playOnEach(history, postgres.url, `one_${place}`);
    const several = await playOnSeveral(history, postgres.url, `several_${place}`);
    return isDeepStrictEqual(several, memory);
  },
);

if (suite) {
  const folder = mkdtempSync(join(tmpdir(), 'several-'));
  const fleet = new Fleet(postgres, folder, { ...BALANCED, fixture: undefined });
  await fleet.start();
  const target = ['--base-url', fleet.url(0), '--key-env', 'SEVERAL_KEY'];
  const offered = [
    '--offers',
    'clock.movable',
    '--payment-hook',
    `${PAY} {redirect_url} {outcome}`,
  ];
  const command = ['bin/billing-emulator.js', 'contract', 'run', ...target, ...offered];
  const env = { ...process.env, SEVERAL_KEY: 'key_test_contract' };
  // Meanwhile the balancer responds in this process.
  const [status] = await once(spawn('node', command, { cwd: ROOT, env, stdio: 'inherit' }), 'exit');
  process.stdout.write(`The contract suite: exit ${status}\n`);
  if (status !== 0) process.exitCode = 1;
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
}
await postgres.stop();
