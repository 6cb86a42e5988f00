import { after, before, type Instant, parseDuration, parseInstant } from '../domain/instant.ts';

/** A scenario: requests at dates, replayed as a client would send them. */
export interface Scenario {
  readonly about: string;
  /** Where its clock starts; relative to the replay's start when absent. */
  readonly clock?: string;
  readonly then?: 'real';
  readonly steps: readonly Step[];
}

export interface Step {
  /** The operation to call. */
  readonly call: string;
  /** Name under which later steps find the answer. */
  readonly as?: string;
  /** When: an instant, or a duration from the start of the replay such as `-P20D`. */
  readonly at?: string;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Status it is answered with, where that is no success. */
  readonly expect?: number;
}

export interface StepReply {
  readonly status: number;
  readonly body: unknown;
}

/** What a replay needs of the world it goes into. */
export interface Stage {
  readonly now: Instant;
  moveTo(moment: Instant): void;
  send(step: Step): StepReply;
}

/** A step that was not answered as it wanted. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';

  constructor(
    readonly index: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Plays a scenario's steps in order.
 *
 * @throws StepFailure naming the first step that was answered otherwise than it wanted
 * @assumes A-1303
 */
export function replay(scenario: Scenario, stage: Stage): void {
  const start = scenario.clock === undefined ? stage.now : momentOf(scenario.clock, stage.now, 0);
  stage.moveTo(start);
  const answers = new Map<string, unknown>();
  for (const [index, step] of scenario.steps.entries()) {
    if (step.at !== undefined) stage.moveTo(momentOf(step.at, start, index));
    const wanted = substitute(step, answers, { start, now: stage.now, index }) as Step;
    const reply = stage.send(wanted);
    const met = step.expect === undefined ? reply.status < 300 : reply.status === step.expect;
    if (!met) {
      const expected = step.expect ?? 'a success';
      const got = `${reply.status} ${JSON.stringify(reply.body ?? null)}`;
      throw new StepFailure(
        index,
        `step ${index + 1} (${step.call}): expected ${expected}, got ${got}`,
      );
    }
    if (step.as !== undefined) answers.set(step.as, reply.body);
  }
}

function momentOf(text: string, start: Instant, index: number): Instant {
  const absolute = parseInstant(text);
  if (absolute !== undefined) return absolute;
  const negative = text.startsWith('-');
  const span = parseDuration(negative ? text.slice(1) : text);
  if (!span)
    throw new StepFailure(index, `step ${index + 1}: ${text} is neither an instant nor a duration`);
  return negative ? before(start, span) : after(start, span);
}

interface Place {
  readonly start: Instant;
  readonly now: Instant;
  readonly index: number;
}

const REFERENCE = /^\$([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)$/;

/** Replaces `$name.field` by that field of an earlier answer, and `$now` by the step's moment. */
function substitute(value: unknown, answers: ReadonlyMap<string, unknown>, place: Place): unknown {
  if (typeof value === 'string' && value.startsWith('$')) return lookUp(value, answers, place);
  if (Array.isArray(value)) return value.map((inner) => substitute(inner, answers, place));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    substitute(inner, answers, place),
  ]);
  return Object.fromEntries(entries);
}

function lookUp(text: string, answers: ReadonlyMap<string, unknown>, place: Place): unknown {
  if (text === '$now') return place.now;
  const match = REFERENCE.exec(text);
  const name = match?.[1];
  if (name === undefined || !answers.has(name))
    throw new StepFailure(place.index, `step ${place.index + 1}: ${text} names no earlier answer`);
  let value = answers.get(name);
  for (const step of (match?.[2] ?? '').match(/\w+/g) ?? [])
    value = (value as Record<string, unknown> | undefined)?.[step];
  if (value === undefined)
    throw new StepFailure(place.index, `step ${place.index + 1}: the answer has no ${text}`);
  return value;
}
