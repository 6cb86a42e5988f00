import { refuseAll } from '../../domain/rules.ts';
import { findFlaws } from '../../state/laws/breaches.ts';
import { inSlices, type Resumable } from '../../state/resumable.ts';
import type { World, WorldImage } from '../../state/world.ts';
import { piecesOf } from '../../state/world-file.ts';
import type { ControlHandler } from '../context.ts';
import { imageFor, judgeWorld } from './judge-world.ts';
import { presentWorld } from './present-world.ts';
import { readWorld } from './read-world.ts';

export const exportWorld: ControlHandler<'exportWorld'> = async (_call, { world }) => ({
  status: 200,
  body: undefined as never,
  pieces: await piecesOf(world),
});

export const importWorld: ControlHandler<'importWorld'> = async ({ body }, context) => {
  const { world, life, settings } = context;
  const bytes = body as unknown as Buffer;
  const image = await inSlices(readImage(bytes, world, settings.reporting_currency));
  await life.replace(world, image, refuseFlaws);
  return { status: 200, body: presentWorld(world) };
};

/** What a world would hold after the import. @throws RuleViolation with all that is wrong with the form of the file */
function* readImage(bytes: Buffer, world: World, currency: string): Resumable<WorldImage> {
  return yield* imageFor(world, yield* judgeWorld(yield* readWorld(bytes), currency));
}

/** @throws RuleViolation with what in a world does not add up */
function* refuseFlaws({ tables, accountId }: World): Resumable<void> {
  const flaws = yield* findFlaws(tables, accountId);
  refuseAll(flaws.slice(0, MOST_FLAWS));
}

const MOST_FLAWS = 1_000;
