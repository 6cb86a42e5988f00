import type { Instant } from '../../domain/instant.ts';
import type { LogMark } from '../../http/log/request-log.ts';
import { Refusal } from '../../resources/problems.ts';
import type { World } from '../../store/world.ts';
import type { WorldLocal } from '../../store/world-local.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { presentWorld } from '../worlds/present-world.ts';

interface Mark extends LogMark {
  readonly at: Instant;
  /** How many records there were. */
  readonly sequence: number;
}

/** The session that is recorded in a world: two marks in its request log. */
export interface RecordingMarks {
  from?: Mark | undefined;
  to?: Mark | undefined;
  /** The world was replaced since it began, and its log with it. */
  isBroken?: boolean;
}

const RECORDINGS: WorldLocal<RecordingMarks> = {
  name: 'recording',
  open: () => ({}),
  clear(marks) {
    if (marks.from) marks.isBroken = true;
  },
};

/** @assumes A-1415 */
export const startRecording: ControlHandler<'startRecording'> = (_call, context) => {
  const { world } = context;
  const marks: RecordingMarks = { from: markOf(context), to: undefined, isBroken: false };
  Object.assign(world.local(RECORDINGS), marks);
  return { status: 201, body: present(context, marks) };
};

/** @assumes A-1415 */
export const stopRecording: ControlHandler<'stopRecording'> = (_call, context) => {
  const marks = recordingOf(context.world);
  marks.to ??= markOf(context);
  return { status: 200, body: present(context, marks) };
};

/** The recording of a world. @throws Refusal where none was begun */
export function recordingOf(world: World): RecordingMarks & { readonly from: Mark } {
  const marks = world.local(RECORDINGS);
  if (marks.from) return marks as RecordingMarks & { readonly from: Mark };
  throw new Refusal(
    404,
    'Not found.',
    'Nothing is recorded in this world. Start a recording first.',
  );
}

const markOf = ({ requests, world }: ControlContext): Mark => ({
  ...requests.mark(world),
  at: world.now,
  sequence: world.head.sequence,
});

function present({ world, requests }: ControlContext, { from, to }: RecordingMarks) {
  const { ordinal: after, at } = from as Mark;
  const until = to ?? requests.mark(world);
  return {
    ...{ running: to === undefined, after, at },
    requests: Math.max(0, until.ordinal - after),
    records: presentWorld(world).records,
  };
}
