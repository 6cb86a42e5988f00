import { RuleViolation, refuseAll } from '../../domain/rules.ts';
import { findBadText, parseJson, Unreadable } from '../../http/input.ts';
import { type Json, loadDocument, type OperationSpec } from '../../spec/document.ts';
import { describeErrors } from '../../spec/findings.ts';
import { validatorsOf } from '../../spec/validators.ts';
import type { Resumable } from '../../state/resumable.ts';
import type { WorldFile } from '../../state/world-file.ts';
import type { ControlCall } from '../context.ts';
import { judgeWorld } from '../worlds/judge-world.ts';
import { readWorld, type UnjudgedWorld } from '../worlds/read-world.ts';

type Body = ControlCall<'compareWorlds'>['body'];
export type SideName = 'from' | 'to';
const SIDES: readonly SideName[] = ['from', 'to'];

/** What a comparison is asked for: its body without the exports, and these once they were judged. */
export interface AskedComparison {
  readonly body: Body;
  readonly exports: Readonly<Partial<Record<SideName, WorldFile>>>;
}

/**
 * Reads the body of a comparison. Exports in the form in which they are written are read record by record; those of any
 * other, within one step.
 *
 * @throws Unreadable saying what is wrong with the JSON, RuleViolation with all that is wrong with one part of it
 */
export function* readComparison(bytes: Buffer, currency: string): Resumable<AskedComparison> {
  const { frame, cut } = readFrame(bytes);
  const exports: { -readonly [S in SideName]?: WorldFile } = {};
  const asked: Record<string, unknown> = { ...frame };
  for (const side of SIDES) {
    const given = asked[side];
    if (!isObject(given) || given['export'] == null) continue;
    const { export: found, ...rest } = given;
    asked[side] = rest;
    exports[side] = yield* judgingAt(`${side}.export`, found, cut, currency);
  }
  refuseAll(describeErrors(validators()(asked)));
  return { body: asked as Body, exports };
}

function* judgingAt(
  place: string,
  found: unknown,
  cut: readonly Buffer[],
  currency: string,
): Resumable<WorldFile> {
  const bytes = typeof found === 'number' ? cut[found] : undefined;
  try {
    const world = bytes ? yield* readWorld(bytes) : (found as UnjudgedWorld);
    return yield* judgeWorld(world, currency);
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

function validators() {
  const document = loadDocument('control');
  return validatorsOf(document).body(document.operations.get('compareWorlds') as OperationSpec);
}

interface Frame {
  /** The body, in which a number stands in the place of each export that was cut out. */
  readonly frame: Json;
  readonly cut: readonly Buffer[];
}

/** How an export begins and ends in the form in which it is written. */
const [OPEN, CLOSE] = ['{\n  "format"', '\n}\n'];

function readFrame(bytes: Buffer): Frame {
  const cut: Buffer[] = [];
  const rest: Buffer[] = [];
  let at = 0;
  for (;;) {
    const start = bytes.indexOf(OPEN, at);
    const end = start < 0 ? start : bytes.indexOf(CLOSE, start);
    if (end < 0) break;
    rest.push(bytes.subarray(at, start), Buffer.from(String(cut.length)));
    at = end + CLOSE.length;
    cut.push(bytes.subarray(start, at));
  }
  rest.push(bytes.subarray(at));
  try {
    return { frame: readJson(Buffer.concat(rest)), cut };
  } catch (error) {
    if (!(error instanceof Unreadable) || cut.length === 0) throw error;
    return { frame: readJson(bytes), cut: [] };
  }
}

function readJson(bytes: Buffer): Json {
  const body = parseJson(bytes);
  refuseAll(findBadText(bytes, body));
  return body;
}
