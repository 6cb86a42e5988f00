import { join } from 'node:path';
import fc from 'fast-check';
import { it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { KEYS, WorldModel } from '../../testing/random/world-model.ts';
import { WORLD_STEPS } from '../../testing/random/world-steps.ts';
import { openFile } from '../../testing/setups/kept.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';

const [RUNS, SEED] = [6, 7];

const names = Object.keys(WORLD_STEPS) as (keyof typeof WORLD_STEPS)[];
const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...KEYS), fc.nat(5));
const steps = fc.array(step, { minLength: 15, maxLength: 30, size: 'max' });

/** Does the steps, and compares all worlds with their models after each. */
async function run(
  model: WorldModel,
  done: readonly (readonly [keyof typeof WORLD_STEPS, string, number])[],
): Promise<void> {
  for (const [name, key, n] of done) {
    await WORLD_STEPS[name](model, key, n);
    await model.check([key]);
  }
  await model.check(KEYS);
}

it('every world equals its model after random resets, restores, imports, deletions and undos', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (done) => run(new WorldModel(createTestClient()), done)),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

it('every world equals its model too if the data file is closed and opened again halfway', async () => {
  const folder = newFolder();
  const open = async (path: string) => createTestClient({}, { storage: await openFile(path) });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      count += 1;
      const path = join(folder, `${count}.json`);
      const model = new WorldModel(await open(path));
      try {
        await run(model, before);
        await model.client.emulator.close();
        model.client = await open(path);
        model.generations.length = 0;
        await model.check(KEYS);
        await run(model, after);
      } finally {
        await model.client.emulator.close();
      }
    }),
    { numRuns: RUNS / 3, seed: SEED, endOnFailure: true },
  );
});
