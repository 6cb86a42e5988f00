import { refuseAll } from '../../domain/rules.ts';
import type { Pieces } from '../../http/request-context.ts';
import { findFlaws } from '../../invariants/violations.ts';
import { inSlices, type Resumable } from '../../store/resumable.ts';
import { createSharer } from '../../store/storage/share-parts.ts';
import type { World, WorldImage } from '../../store/world.ts';
import { piecesOf } from '../../store/world-file.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { imageFor, judgeWorld } from './judge-world.ts';
import { presentWorld } from './present-world.ts';
import { readPieces } from './read-pieces.ts';

export const exportWorld: ControlHandler<'exportWorld'> = async (_call, { world, owner }) => ({
  status: 200,
  body: undefined as never,
  pieces: await piecesOf(world, owner),
});

export const importWorld: ControlHandler<'importWorld'> = async ({ body }, context) => {
  const { world, life } = context;
  const image = await readImage(body as unknown as Pieces, context);
  await life.replace(world, image, refuseFlaws);
  return { status: 200, body: presentWorld(world) };
};

/** What a world would hold after the import. @throws RuleViolation with all that is wrong with the form of the file */
async function readImage(
  pieces: Pieces,
  { world, worlds, settings }: ControlContext,
): Promise<WorldImage> {
  const longest = 2 * settings.limits.MAX_EVENTS_BODY_BYTES;
  const body = await readPieces(pieces, { levels: ROWS, keep: createSharer(), longest });
  const file = await inSlices(judgeWorld(body));
  return inSlices(imageFor(world, file, worlds.values()));
}

/** The level that rows of tables are on. */
const ROWS = 3;

/** @throws RuleViolation with what in a world does not add up */
function* refuseFlaws({ tables, accountId }: World): Resumable<void> {
  const flaws = yield* findFlaws(tables, accountId);
  refuseAll(flaws.slice(0, MOST_FLAWS));
}

const MOST_FLAWS = 1_000;
