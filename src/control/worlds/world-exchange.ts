import { parseClockTime } from '../../domain/instant.ts';
import { type Finding, finding, throwIfInvalid, violate } from '../../domain/rules.ts';
import type { Pieces } from '../../http/request-context.ts';
import { findDefects } from '../../invariants/violations.ts';
import { type Json, loadDocument, type OperationSpec } from '../../spec/document.ts';
import { describeErrors } from '../../spec/findings.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import { validatorsOf } from '../../spec/validators.ts';
import type { ClockState } from '../../store/clock.ts';
import { rebaseImage } from '../../store/rebase-image.ts';
import { runTimeSliced, type TimeSliced } from '../../store/time-sliced.ts';
import type { World, WorldImage } from '../../store/world.ts';
import { piecesOf, SCHEMA_VERSION, WORLD_FORMAT, type WorldFile } from '../../store/world-file.ts';
import type { ControlCall, ControlContext, ControlHandler, ControlId } from '../context.ts';
import { readPieces } from './read-pieces.ts';
import { presentWorld } from './state.ts';

export const exportWorld: ControlHandler<'exportWorld'> = async (_call, { world, owner }) => ({
  status: 200,
  body: undefined as never,
  pieces: await piecesOf(world, owner),
});

export const importWorld: ControlHandler<'importWorld'> = async ({ body }, context) => {
  const { world, worldManager } = context;
  const image = await readImage(body as unknown as Pieces, context);
  await worldManager.replace(world, image, rejectDefects);
  return { status: 200, body: presentWorld(world) };
};

/** What a world would hold after the import. @throws RuleViolation with all that is wrong with the form of the file @assumes A-1406 */
async function readImage(
  pieces: Pieces,
  { world, worlds, settings }: ControlContext,
): Promise<WorldImage> {
  const body = await readPieces(pieces, settings);
  const file = await runTimeSliced(validateWorld(body));
  const { sandbox, environment, account_id: accountId } = file;
  const place = { sandbox, environment, accountId };
  return runTimeSliced(rebaseImage(file, place, world, worlds.values()));
}

/** @throws RuleViolation with what in a world does not add up */
function* rejectDefects({ tables, accountId }: World): TimeSliced<void> {
  const defects = yield* findDefects(tables, accountId);
  throwIfInvalid(defects.slice(0, MAX_FINDINGS));
}

const MAX_FINDINGS = 1_000;

type WorldBody = ControlCall<'importWorld'>['body'];

/**
 * The world of a file.
 *
 * @throws RuleViolation with all that is wrong with its form
 */
function* validateWorld(body: Json): TimeSliced<WorldFile> {
  const { tables, sequence } = body as unknown as WorldBody;
  const isListed =
    typeof tables === 'object' && tables !== null && Object.values(tables).every(Array.isArray);
  throwIfInvalid([
    ...findInHead(isListed ? { ...body, tables: {} } : body),
    ...(isListed ? yield* findMisshapen(tables, sequence >= 0 ? sequence : Infinity) : []),
  ]);
  const file = body as unknown as WorldBody;
  return { ...file, format: WORLD_FORMAT, clock: readClock(file.clock) } as WorldFile;
}

/** What is wrong with a body by the document, of an operation that the pipeline does not validate. */
export function findInBody(id: ControlId, body: unknown): readonly Finding[] {
  const document = loadDocument('control');
  const operation = document.operations.get(id) as OperationSpec;
  return describeErrors(validatorsOf(document).body(operation)(body));
}

function findInHead(head: Json): readonly Finding[] {
  const { format, schema_version } = head;
  return [
    ...findInBody('importWorld', head),
    ...(typeof format === 'string' && format !== WORLD_FORMAT
      ? [finding('world.other_format', 'format')]
      : []),
    ...(Number(schema_version) > SCHEMA_VERSION ? [finding('world.newer', 'schema_version')] : []),
  ];
}

function readClock({ mode, at, offset_ms }: WorldBody['clock']): ClockState {
  if (mode === 'real') return { mode };
  if (mode === 'frozen' && at !== undefined)
    return { mode, at: parseClockTime(at) ?? violate('clock.out_of_range', 'clock.at') };
  if (mode === 'offset' && offset_ms !== undefined) return { mode, offset_ms };
  return violate('world.clock', 'clock');
}
