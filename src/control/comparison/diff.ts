import { throwIfInvalid, violate } from '../../domain/rules.ts';
import type { Pieces } from '../../http/request-context.ts';
import { TABLE_WORDS } from '../../store/changes/table-words.ts';
import { runTimeSliced } from '../../store/time-sliced.ts';
import type { WorldImage } from '../../store/world.ts';
import { nearest } from '../../text/nearest.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { snapshotNamed } from '../scope.ts';
import { imageFor } from '../worlds/validate-world.ts';
import { compareWorlds } from './compare-worlds.ts';
import { readComparison, type SideName } from './read-comparison.ts';

/** Compares with the state of the world when the call begins. */
export const compareTwoWorlds: ControlHandler<'compareWorlds'> = async ({ body }, context) => {
  const now = context.world.capture();
  const asked = await readComparison(body as unknown as Pieces, context.settings);
  const limit = asked.body.limit ?? MAX_ROWS;
  const ignore = asked.body.ignore ?? [];
  refuseUnknownTables(ignore);
  const imageAt = async (side: SideName): Promise<WorldImage> => {
    const { snapshot: name, previous } = asked.body[side] ?? {};
    const file = asked.exports[side];
    if ([name != null, previous === true, file !== undefined].filter(Boolean).length > 1)
      violate('comparison.side_ambiguous', side);
    if (previous) return formerImage(context, `${side}.previous`);
    if (name != null) return snapshotNamed(name, `${side}.snapshot`, context);
    return file ? runTimeSliced(imageFor(context.world, file, [])) : now;
  };
  const [from, to] = [await imageAt('from'), await imageAt('to')];
  const { tables, changes } = await runTimeSliced(compareWorlds(from, to, { limit, ignore }));
  return { status: 200, body: { equal: tables.length === 0, tables, changes } };
};

/** The state before the latest reset, restore, import or advance. @throws RuleViolation if there is none */
const formerImage = ({ life, world }: ControlContext, field: string): WorldImage =>
  life.former(world)?.image ?? violate('comparison.no_previous', field);

/** How many rows of each table are listed by default. */
const MAX_ROWS = 10;

function refuseUnknownTables(names: readonly string[]): void {
  const known = Object.keys(TABLE_WORDS);
  throwIfInvalid(
    names.flatMap((name, place) => {
      if (known.includes(name)) return [];
      const near = nearest(name, known);
      const hint = near === undefined ? '' : `; the nearest is ${near}`;
      return [{ field: `ignore[${place}]`, message: `An export has no table ${name}${hint}.` }];
    }),
  );
}
