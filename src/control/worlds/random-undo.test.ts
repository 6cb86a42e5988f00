import { join } from 'node:path';
import fc from 'fast-check';
import { it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { newFolder, openFile } from '../../testing/files.ts';
import { KEYS, WorldModel } from '../../testing/world-model.ts';
import { takeStep, type WorldStep, worldSteps } from '../../testing/world-steps.ts';

const [RUNS, SEED] = [6, 7];

const steps = worldSteps(15, 30);

/** Takes the steps, and compares the world of each with its model, and all in the end. */
async function run(model: WorldModel, done: readonly WorldStep[]): Promise<void> {
  for (const step of done) {
    await takeStep(model, step);
    await model.check([step[1]]);
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
