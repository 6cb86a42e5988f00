import { throwIfInvalid } from '../../domain/rules.ts';
import type { Pieces } from '../../http/request-context.ts';
import { findFlaws } from '../../invariants/violations.ts';
import { createSharer } from '../../store/intern-pool.ts';
import { runTimeSliced, type TimeSliced } from '../../store/time-sliced.ts';
import type { World, WorldImage } from '../../store/world.ts';
import { piecesOf } from '../../store/world-file.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { presentWorld } from './present-world.ts';
import { longestRow, readPieces } from './read-pieces.ts';
import { imageFor, validateWorld } from './validate-world.ts';

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
  const body = await readPieces(pieces, {
    levels: ROWS,
    keep: createSharer(),
    longestRow: longestRow(settings),
  });
  const file = await runTimeSliced(validateWorld(body));
  return runTimeSliced(imageFor(world, file, worlds.values()));
}

/** The level that rows of tables are on. */
const ROWS = 3;

/** @throws RuleViolation with what in a world does not add up */
function* refuseFlaws({ tables, accountId }: World): TimeSliced<void> {
  const flaws = yield* findFlaws(tables, accountId);
  throwIfInvalid(flaws.slice(0, MAX_FLAWS));
}

const MAX_FLAWS = 1_000;
