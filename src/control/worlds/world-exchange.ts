import { instant } from '../../domain/instant.ts';
import { type Finding, finding, refuseAll, violate } from '../../domain/rules.ts';
import { loadDocument, type OperationSpec } from '../../spec/document.ts';
import { describeErrors } from '../../spec/findings.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import { validatorsOf } from '../../spec/validators.ts';
import { adopt } from '../../state/adopt.ts';
import type { ClockState } from '../../state/clock.ts';
import { convertTables, SCHEMA_VERSION } from '../../state/conversions.ts';
import { findFlaws } from '../../state/laws/breaches.ts';
import { inSlices, type Resumable } from '../../state/resumable.ts';
import type { World } from '../../state/world.ts';
import { imageOf, piecesOf, WORLD_FORMAT, type WorldFile } from '../../state/world-file.ts';
import type { ControlCall, ControlHandler } from '../context.ts';
import { presentWorld } from './present-world.ts';
import { readWorld, type UnjudgedWorld } from './read-world.ts';

export const exportWorld: ControlHandler<'exportWorld'> = async (_call, { world }) => ({
  status: 200,
  body: undefined as never,
  pieces: await piecesOf(world),
});

export const importWorld: ControlHandler<'importWorld'> = async ({ body }, context) => {
  const { world, life, settings } = context;
  const file = await inSlices(readFile(body as unknown as Buffer, settings.reporting_currency));
  const { sandbox, environment, account_id: accountId } = file;
  const origin = { sandbox, environment, accountId };
  const image = await inSlices(adopt(imageOf(file), origin, world));
  await life.replace(world, image, refuseFlaws);
  return { status: 200, body: presentWorld(world) };
};

type WorldBody = ControlCall<'importWorld'>['body'];

/** @throws RuleViolation with all that is wrong with the form of a file */
function* readFile(bytes: Buffer, currency: string): Resumable<WorldFile> {
  const body = yield* readWorld(bytes);
  const { tables: written, sequence, schema_version } = body as unknown as WorldBody;
  const isListed = typeof written === 'object' && Object.values(written ?? {}).every(Array.isArray);
  const tables = isListed ? yield* convertTables(written, schema_version, currency) : written;
  refuseAll([
    ...findInHead(isListed ? { ...body, tables: {} } : body),
    ...(isListed ? yield* findMisshapen(tables, sequence >= 0 ? sequence : Infinity) : []),
  ]);
  const file = body as unknown as WorldBody;
  return { ...file, tables, format: WORLD_FORMAT, clock: readClock(file.clock) } as WorldFile;
}

/** What is wrong beside the records. */
function findInHead(head: UnjudgedWorld): readonly Finding[] {
  const document = loadDocument('control');
  const operation = document.operations.get('importWorld') as OperationSpec;
  const { format, schema_version } = head;
  return [
    ...describeErrors(validatorsOf(document).body(operation)(head)),
    ...(typeof format === 'string' && format !== WORLD_FORMAT
      ? [finding('world.other_format', 'format')]
      : []),
    ...(Number(schema_version) > SCHEMA_VERSION ? [finding('world.newer', 'schema_version')] : []),
  ];
}

function readClock({ mode, at, offset_ms }: WorldBody['clock']): ClockState {
  if (mode === 'real') return { mode };
  if (mode === 'frozen' && at !== undefined) return { mode, at: instant(at) };
  if (mode === 'offset' && offset_ms !== undefined) return { mode, offset_ms };
  return violate('world.clock', 'clock');
}

/** @throws RuleViolation with what in a world does not add up */
function* refuseFlaws({ tables, accountId }: World): Resumable<void> {
  const flaws = yield* findFlaws(tables, accountId);
  refuseAll(flaws.slice(0, MOST_FLAWS));
}

const MOST_FLAWS = 1_000;
