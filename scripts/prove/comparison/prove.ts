import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WorldCall } from '../../../contract-tests/kit/target/own-world.ts';
import { historyArbitrary } from '../../../contract-tests/model/arbitrary-history.ts';
import { state } from '../../../contract-tests/model/aspects/state.ts';
import type { History } from '../../../contract-tests/model/history.ts';
import { playHistory } from '../../../contract-tests/model/play.ts';
import { createClient } from '../../../src/client/index.ts';
import {
  compareWorlds,
  type TableDifference,
} from '../../../src/control/comparison/compare-worlds.ts';
import { createEmulator, type Emulator } from '../../../src/emulator.ts';
import { runToEnd } from '../../../src/store/resumable.ts';
import { TABLE_NAMES } from '../../../src/store/schema.ts';
import type { World, WorldImage } from '../../../src/store/world.ts';
import { piecesOf, type WorldFile } from '../../../src/store/world-file.ts';
import { startServer } from '../../../src/testing/server.ts';
import { touchEveryTable } from '../../../src/testing/touch-tables.ts';
import { serialise } from '../../../src/text/exact-json.ts';
import type { CompareImages } from './every-field.ts';
import { countChanges, sumUpExport } from './judge-by-text.ts';
import { type Dice, diceArbitrary, mutateExport } from './mutate-export.ts';

/** A state of a world: its image and the text of its export. */
interface Moment {
  readonly image: WorldImage;
  readonly text: string;
}

const MOMENTS = 4;
const MUTATIONS = 20;

/**
 * Runs random histories, and compares the states of each with one another, with their exports and with exports that
 * have a single change.
 *
 * @throws Error with the smallest history found in which a comparison and the exports disagree
 */
export async function proveComparison(seed: number, runs: number): Promise<void> {
  const settings = { fixture: '', log_level: 'silent' } as const;
  const emulator = createEmulator({ settings: { ...settings, max_sandboxes: 1_000_000 } });
  const { url, close } = await startServer(emulator.handle);
  let count = 0;
  const changes = fc.array(diceArbitrary, { minLength: MUTATIONS, maxLength: MUTATIONS });
  const holds = fc.asyncProperty(historyArbitrary, changes, async (history, dice) => {
    count += 1;
    await proveHistory({ emulator, url, sandbox: `compared-${count}` }, history, dice);
  });
  try {
    await fc.assert(holds, { seed, numRuns: runs, unbiased: true });
  } finally {
    await close();
    await emulator.close();
  }
}

interface Place {
  readonly emulator: Emulator;
  readonly url: string;
  /** A separate world, which is deleted at the end. */
  readonly sandbox: string;
}

async function proveHistory(
  { emulator, url, sandbox }: Place,
  history: History,
  dice: readonly Dice[],
): Promise<void> {
  const client = createClient({ url, key: `key_test_${sandbox}` });
  const world = emulator.worlds.find(`key_test_${sandbox}`) as World;
  const target = emulator.targetOf(world);
  const every = Math.ceil(history.steps.length / MOMENTS);
  const moments: Moment[] = [await momentOf(world)];
  let calls = 0;
  const call: WorldCall = async (operation, parts, statuses) => {
    if (operation === 'advanceClock' && calls++ % every === 0) moments.push(await momentOf(world));
    const { status, body } = await target.send({ call: operation, ...(parts as object) });
    if (statuses ? !statuses.includes(status) : status >= 300)
      throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
    return body === undefined ? undefined : JSON.parse(serialise(body).text);
  };
  await playHistory(call, history, [state], { every: 1 });
  moments.push(await momentOf(world));
  await touchEveryTable(call, url, sandbox);
  moments.push(await momentOf(world));
  judgePairs(moments);
  assert.deepEqual(untouched(world), []);
  const last = moments.at(-1) as Moment;
  judgeMutations(last, dice);
  const body = `{"from":{"export":${last.text}},"to":{"export":${last.text}}}`;
  assert.deepEqual(await client.call('compareWorlds', { body }), {
    equal: true,
    differences: [],
  });
  await client.call('deleteSandbox', { query: { name: sandbox } });
}

async function momentOf(world: World): Promise<Moment> {
  const image = world.capture();
  return { image, text: [...(await piecesOf(world))].join('') };
}

export const compareImages: CompareImages = (from, to) =>
  runToEnd(compareWorlds(from, to, { limit: 100 }));

const readMoment = ({ text }: Moment): WorldFile => JSON.parse(text);

/** The empty tables, which would not be tested. */
const untouched = ({ tables }: World): readonly string[] =>
  TABLE_NAMES.filter((name) => tables[name].size === 0);

/** Any two states differ as their exports do, with the same counts. Each state equals its export. */
function judgePairs(moments: readonly Moment[]): void {
  const sums = moments.map((moment) => sumUpExport(readMoment(moment)));
  for (const [place, from] of moments.entries()) {
    assert.deepEqual(compareImages(from.image, readMoment(from)), []);
    for (const [other, to] of moments.entries()) {
      const found = compareImages(from.image, to.image);
      assert.equal(found.length === 0, from.text === to.text, 'empty where the exports are equal');
      assert.deepEqual(countsOf(found), countChanges(readMoment(from), readMoment(to)));
      for (const { table, figures } of found)
        for (const figure of figures)
          if (figure.in !== undefined) {
            const name = `${table} ${figure.of} ${figure.in}`;
            assert.deepEqual(
              [name, figure.from, figure.to],
              [name, sums[place]?.get(name) ?? '0', sums[other]?.get(name) ?? '0'],
            );
          }
    }
  }
}

/** The number of rows added, removed and changed in each table, and for other fields whether they changed. */
const countsOf = (found: readonly TableDifference[]): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    found.map(({ table, added, removed, changed }) => [table, [added, removed, changed]]),
  );

/** A single change of an export is reported in its table and nowhere else. */
function judgeMutations(moment: Moment, dice: readonly Dice[]): void {
  for (const each of dice) {
    const { file, table } = mutateExport(readMoment(moment), each);
    for (const [from, to] of [
      [moment.image, file],
      [file, moment.image],
    ] as const) {
      const found = compareImages(from, to);
      assert.deepEqual(
        found.map((difference) => [difference.table, difference.rows.length]),
        [[table, 1]],
      );
      const [row] = found[0]?.rows ?? [];
      assert.equal(row?.change === 'changed', (row?.fields.length ?? 0) > 0);
    }
  }
}
