import { after, type Instant, isoDuration, parseDuration, toMillis } from '../../domain/instant.ts';
import type { OperationSpec } from '../../spec/document.ts';
import { exactJsonIn } from '../../text/json-in.ts';
import { operationNamed } from '../check.ts';
import type { CallStep, ScenarioStep } from '../scenario.ts';
import { expectationOf } from './expectation.ts';
import type { PortableTexts } from './portable-texts.ts';
import { fromStart } from './relative-time.ts';
import type { LoggedCall, LoggedSession, RecordingOptions } from './session.ts';
import { draftOf, type StepDraft } from './step-draft.ts';

/** The state while steps are written. */
export interface Course {
  readonly session: LoggedSession;
  readonly options: RecordingOptions;
  readonly texts: PortableTexts;
  /** The time of the clock when the step runs. */
  clock: Instant;
}

/** A written step. Its name is known once all steps are written. */
export interface WrittenStep {
  readonly step: ScenarioStep;
  readonly draft?: StepDraft;
}

/** Why a part of the session is not in the fixture. */
export interface LeftOut {
  readonly why: string;
}

type Writer = (call: LoggedCall, course: Course) => WrittenStep | LeftOut | undefined;

/** Control calls that have their own kind of step. */
const OWN_STEPS: Readonly<Record<string, Writer>> = {
  advanceClock: writeAdvance,
  setClock: writeSet,
  settlePayment: writePayment,
  addFault: (call, course) =>
    writeFault(course.texts.request(exactJsonIn(call.body)), call, course),
  setFaults: (call, course) => {
    const { rules } = course.texts.request(exactJsonIn(call.body)) as { rules: object[] };
    return writeFault(rules, call, course);
  },
  clearFaults: (call, course) => writeFault('none', call, course),
};

/** Returns the step that repeats a call, or undefined if the call had no effect. */
export function writeStep(call: LoggedCall, course: Course): WrittenStep | LeftOut | undefined {
  const { operation = '', method, target, status } = call;
  const write = OWN_STEPS[operation];
  if (write) return write(call, course);
  const spec = operationNamed(operation);
  if (spec) return writeCall(call, spec, course);
  return { why: `${method} ${target} (${status}): no operation has this path` };
}

function writeCall(call: LoggedCall, spec: OperationSpec, course: Course): WrittenStep | LeftOut {
  const { texts } = course;
  const body = exactJsonIn(call.body);
  const trouble = unwritable(call, spec, body);
  if (trouble !== undefined) return { why: `${spec.id} (${call.status}): ${trouble}` };
  const query = queryOf(call, spec);
  const { path, account } = call;
  texts.known.noteRequest([path, query, body, account]);
  const draft = draftOf(spec.id);
  const step = {
    call: spec.id as CallStep['call'],
    ...timeOf(call, course),
    ...(account !== undefined && { account: texts.request(account) }),
    ...(call.fault !== undefined && { headers: { 'X-Emulator-Fault': call.fault } }),
    ...(Object.keys(path).length > 0 && { path: texts.request(path) }),
    ...(Object.keys(query).length > 0 && { query: texts.request(query) }),
    ...(body !== undefined && spec.body && { body: texts.request(body) }),
    expect: expectationOf(call, draft, course),
  };
  return { step, draft };
}

/** Returns why no step can send a request. Such a request was rejected and changed nothing. */
function unwritable(call: LoggedCall, spec: OperationSpec, body: unknown): string | undefined {
  if (spec.body && call.body !== '' && body === undefined) return 'its body is not JSON';
  const names = [...new URLSearchParams(call.search).keys()];
  const strange = names.filter((name) => !spec.parameters.some((known) => known.name === name));
  if (strange.length > 0 && call.status >= 400) return `there is no ${strange.join(', ')}`;
  return undefined;
}

function queryOf({ search }: LoggedCall, spec: OperationSpec): Record<string, string> {
  const known = spec.parameters.filter((parameter) => parameter.in === 'query');
  const given = [...new URLSearchParams(search)];
  return Object.fromEntries(given.filter(([name]) => known.some((each) => each.name === name)));
}

/** Returns the time of a step, if it is later than the clock. */
function timeOf({ at }: LoggedCall, course: Course): { at?: string } {
  if (at <= course.clock) return {};
  course.clock = at;
  return { at: fromStart(course.session.start, at) };
}

function writePayment(call: LoggedCall, course: Course): WrittenStep {
  const { texts } = course;
  const { outcome, ...rest } = exactJsonIn(call.body) as { readonly outcome?: 'succeeded' };
  texts.known.noteRequest([call.path, rest]);
  const draft = draftOf('settlePayment');
  const step = {
    pay: texts.request(call.path['id'] as string),
    ...timeOf(call, course),
    ...(outcome !== undefined && { outcome }),
    ...texts.request(rest),
    expect: expectationOf(call, draft, course),
  };
  return { step, draft };
}

function writeFault(fault: unknown, call: LoggedCall, course: Course): WrittenStep {
  return { step: { ...timeOf(call, course), fault: fault as 'none' } };
}

interface ClockAnswer {
  readonly now: Instant;
  readonly mode: 'real' | 'frozen' | 'offset';
}

function writeAdvance({ body, answer }: LoggedCall, course: Course): WrittenStep | undefined {
  const { by, dry_run } = exactJsonIn(body) as { by?: string; dry_run?: boolean };
  const { now } = exactJsonIn(answer) as ClockAnswer;
  return dry_run ? undefined : advanceTo(now, by, course);
}

function advanceTo(now: Instant, by: string | undefined, course: Course): WrittenStep | undefined {
  if (now === course.clock) return undefined;
  const exact = isoDuration(toMillis(now) - toMillis(course.clock));
  const span = by === undefined ? undefined : parseDuration(by);
  const isSpan = span !== undefined && after(course.clock, span) === now;
  course.clock = now;
  return { step: { advance: isSpan ? span.toISO() : exact } };
}

/**
 * If a running clock is set forward, the jobs it passes run at once, as in an advance. A frozen clock, or a
 * clock set back, runs no jobs.
 */
function writeSet({ answer }: LoggedCall, course: Course): WrittenStep | undefined {
  const { now, mode } = exactJsonIn(answer) as ClockAnswer;
  if (now === course.clock) return undefined;
  if (now > course.clock && mode !== 'frozen') return advanceTo(now, undefined, course);
  course.clock = now;
  return { step: { set: fromStart(course.session.start, now) } };
}
