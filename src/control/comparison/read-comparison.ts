import type { Settings } from '../../config/settings.ts';
import { RuleViolation, throwIfInvalid } from '../../domain/rules.ts';
import type { Pieces } from '../../http/request-context.ts';
import type { Json } from '../../spec/document.ts';
import { createSharer } from '../../store/intern-pool.ts';
import { runTimeSliced, type TimeSliced } from '../../store/time-sliced.ts';
import type { WorldFile } from '../../store/world-file.ts';
import type { ControlCall } from '../context.ts';
import { longestRow, readPieces } from '../worlds/read-pieces.ts';
import { findInBody, validateWorld } from '../worlds/validate-world.ts';

type Body = ControlCall<'compareWorlds'>['body'];
export type SideName = 'from' | 'to';
const SIDES: readonly SideName[] = ['from', 'to'];

/** The request for a comparison: its body without the exports, and these after validation. */
export interface AskedComparison {
  readonly body: Body;
  readonly exports: Readonly<Partial<Record<SideName, WorldFile>>>;
}

/**
 * Reads the body of a comparison.
 *
 * @throws BadRequest saying what is wrong with the JSON, RuleViolation with all that is wrong with one part of it
 */
export async function readComparison(pieces: Pieces, settings: Settings): Promise<AskedComparison> {
  const exports: { -readonly [S in SideName]?: WorldFile } = {};
  const reading = { levels: ROWS, keep: createSharer(), longestRow: longestRow(settings) };
  const asked: Record<string, unknown> = { ...(await readPieces(pieces, reading)) };
  for (const side of SIDES) {
    const given = asked[side];
    if (!isObject(given) || given['export'] == null) continue;
    const { export: found, ...rest } = given;
    asked[side] = rest;
    exports[side] = await runTimeSliced(judgingAt(`${side}.export`, found as Json));
  }
  throwIfInvalid(findInBody('compareWorlds', asked));
  return { body: asked as Body, exports };
}

/** The depth at which the rows of an export are in the body. */
const ROWS = 5;

function* judgingAt(place: string, found: Json): TimeSliced<WorldFile> {
  try {
    return yield* validateWorld(found);
  } catch (error) {
    if (!(error instanceof RuleViolation)) throw error;
    const within = ({ field, message }: { field: string; message: string }) => ({
      field: field === '' ? place : `${place}.${field}`,
      message,
    });
    throw new RuleViolation(error.findings.map(within));
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
