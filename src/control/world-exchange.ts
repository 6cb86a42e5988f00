import { instant } from '../domain/instant.ts';
import { type Finding, refuseAll, violate } from '../domain/rules.ts';
import { findMisshapen } from '../spec/row-shapes.ts';
import { adopt } from '../state/adopt.ts';
import type { ClockState } from '../state/clock.ts';
import { LAWS } from '../state/ledger-laws.ts';
import type { World } from '../state/world.ts';
import { imageOf, piecesOf, WORLD_SCHEMA_VERSION, type WorldFile } from '../state/world-file.ts';
import type { ControlCall, ControlHandler } from './context.ts';
import { findBreaches } from './ledger.ts';
import { presentWorld } from './present-world.ts';

export const exportWorld: ControlHandler<'exportWorld'> = (_call, { world }) => ({
  status: 200,
  body: undefined as never,
  pieces: piecesOf(world),
});

export const importWorld: ControlHandler<'importWorld'> = ({ body }, { world, states }) => {
  const file = readFile(body);
  const { sandbox, environment, account_id: accountId } = file;
  const image = adopt(imageOf(file), { sandbox, environment, accountId }, world);
  states.replace(world, image, (draft) => refuseAll(findFlaws(draft)));
  return { status: 200, body: presentWorld(world) };
};

type WorldBody = ControlCall<'importWorld'>['body'];

function readFile(body: WorldBody): WorldFile {
  if (body.format !== 'billing-emulator-world') violate('world.other_format', 'format');
  if (body.schema_version > WORLD_SCHEMA_VERSION) violate('world.newer', 'schema_version');
  refuseAll(findMisshapen(body.tables, body.sequence));
  return { ...body, format: 'billing-emulator-world', clock: readClock(body.clock) } as WorldFile;
}

function readClock({ mode, at, offset_ms }: WorldBody['clock']): ClockState {
  if (mode === 'real') return { mode };
  if (mode === 'frozen' && at !== undefined) return { mode, at: instant(at) };
  if (mode === 'offset' && offset_ms !== undefined) return { mode, offset_ms };
  return violate('world.clock', 'clock');
}

/** What in a world does not add up. */
function findFlaws({ tables }: World): Finding[] {
  return findBreaches(tables).map(({ law, id, message }) => ({
    field: `tables: ${id}`,
    message: `${LAWS[law]} ${message}`,
  }));
}
