import type { TwinSummary } from '../../contract-tests/forwarder/emulator/report.ts';
import {
  type ShapeMutant,
  shapeMutants,
  startSpoiledEmulator,
} from '../../contract-tests/selftest/shape-mutants.ts';
import { startCli } from '../../contract-tests/testing/cli.ts';
import {
  aService,
  aTwin,
  requestsTo,
  type TestTwin,
  useService,
} from '../../contract-tests/testing/twin.ts';
import { createClient } from '../../src/client/index.ts';
import { drawPopulation } from '../../src/fixtures/population/population.ts';
import { openRemoteTarget } from '../../src/fixtures/remote-target.ts';
import { runScenario } from '../../src/fixtures/run-scenario.ts';
import { runToCompletionAwaiting } from '../../src/fixtures/scenario.ts';
import { readFlags } from './proof.ts';

/**
 * `npm run prove -- twin [--part PART] [--sample N]`: in front of a correct emulator, with the contract suite in two
 * worlds and a population as its traffic, the twin must report nothing. In front of responses broken in one place, it must
 * report that place.
 */
const { part, sample } = readFlags({ part: '', sample: 30 });
const faults: string[] = [];

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  suite: proveSuite,
  population: provePopulation,
  spoiled: proveSpoiled,
};
for (const [name, prove] of Object.entries(PARTS)) if (name.startsWith(part)) await prove();
print(`${faults.length} results are not as expected.`);
process.exit(faults.length === 0 ? 0 : 1);

async function proveSuite(): Promise<void> {
  const service = await aService();
  const twin = await aTwin(service.url);
  await Promise.all(['one', 'two'].map((name) => runChecks(twin.url, name)));
  validateSound('the contract suite in two worlds side by side', await twin.end());
  await service.close();
}

async function provePopulation(): Promise<void> {
  const service = await aService();
  const twin = await aTwin(service.url);
  const key = 'key_test_population';
  const target = await openRemoteTarget(createClient({ url: twin.url, key }), twin.url);
  const population = await drawPopulation({ customers: 60, days: 30, seed: 1 });
  await runToCompletionAwaiting(runScenario(population, target, () => {}));
  await target.leave();
  await lookAtAll(twin, key);
  validateSound('60 customers over 30 days', await twin.end());
  await service.close();
}

/** Reads all lists to their end, and each customer. */
async function lookAtAll({ url }: TestTwin, key: string): Promise<void> {
  const ask = requestsTo(url, key);
  for (const list of ['assets', 'products', 'events', 'tasks', 'vendors', 'customers/stats'])
    for (const offset of [0, 100, 200]) await ask('GET', `/${list}?offset=${offset}`);
  const { items } = await ask('GET', '/customers?limit=1000');
  for (const { id } of items) {
    for (const part of ['', '/stats', '/wallet']) await ask('GET', `/customers/${id}${part}`);
    const { accounts } = await ask('GET', `/customers/${id}/wallet`);
    for (const account of accounts)
      await ask('GET', `/customers/${id}/wallet/${encodeURIComponent(account.id)}/grants`);
  }
}

async function proveSpoiled(): Promise<void> {
  const service = await startSpoiledEmulator();
  const reached = [];
  for (const [index, mutant] of evenly(shapeMutants(), sample * 5).entries()) {
    if (reached.length === sample) break;
    service.set(mutant);
    const twin = await aTwin(service.baseUrl);
    await useService(requestsTo(twin.url, `key_test_spoiled-${index}`));
    const { causes } = await twin.end();
    if (service.spoiled === 0) continue;
    const found = causes.map(({ cause }) => cause);
    reached.push(mutant);
    record(`${mutant.operation.id} ${mutant.about}`, found[0] === causeMeant(mutant), found);
  }
  record(
    `${reached.length} spoiled responses were part of the traffic`,
    reached.length === sample,
    [],
  );
  await service.close();
}

/** The cause that a twin must report for a response broken in one place. */
function causeMeant({ operation, about, status }: ShapeMutant): string {
  const [verb, place] = about.split(' ');
  if (verb === 'answers') return `${operation.id} status status`;
  if (verb === 'gives') return `${operation.id} body missing`;
  const kind = { drops: 'extra', garbles: 'value' }[verb as string] ?? 'type';
  return status < 300 ? `${operation.id} body.${place} ${kind}` : '';
}

async function runChecks(url: string, name: string): Promise<void> {
  const target = ['--base-url', url, '--key-env', 'A_KEY', '--run-id', name];
  const line = ['contract', ...target, '--effects', 'E4'];
  const { ended } = startCli(line, { A_KEY: `key_test_${name}` });
  await ended;
}

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, index) => all[Math.floor(index * step)] as T,
  );
}

function validateSound(about: string, { causes, compared, operations, lost }: TwinSummary): void {
  const found = causes.map(({ cause }) => cause);
  const counts = `${compared} compared, ${operations} operations`;
  record(`${about}: ${counts}`, found.length === 0 && lost === 0 && compared > 0, found);
}

function record(about: string, isGood: boolean, found: readonly string[]): void {
  if (!isGood) faults.push(about);
  print(`${isGood ? '✓' : '✗'} ${about}`);
  for (const cause of found) print(`    ${cause}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
