import {
  after,
  before,
  type Instant,
  nearestInstant,
  parseDuration,
  parseInstant,
  toMillis,
} from '../domain/instant.ts';
import { compareExpected, compareHeaders, show } from './expectations.ts';
import { resolveReferences } from './references.ts';
import { findingsOf, insistOnText, judgeStatus, placeFaultField, Stop } from './refusals.ts';
import type {
  CallStep,
  FaultStep,
  PayStep,
  Place,
  Problem,
  ScenarioStep,
  StepExpectation,
  StreamedScenario,
} from './scenario.ts';
import {
  faultRequest,
  type ScenarioReply,
  type ScenarioRequest,
  type ScenarioRun,
  type ScenarioTarget,
  wait,
} from './scenario-target.ts';
import { judgeBalance, judgeDelivery, judgeEach } from './state-expectations.ts';

export interface StepOutcome {
  readonly index: number;
  readonly problems: readonly Problem[];
  /** Whether it was not run, because an earlier step failed. */
  readonly skipped: boolean;
}

interface Course {
  readonly target: ScenarioTarget;
  readonly start: Instant;
  readonly answers: Map<string, unknown>;
  /** Number of the step's repetition, from 1. */
  count: number;
  /** Whether a call was made. Before the first call, the clock can be set back. */
  begun: boolean;
}

/**
 * Runs the steps of a scenario in order and reports the outcome of each. After a step that cannot run or has an
 * unexpected status, the others are skipped.
 *
 * @assumes A-1303
 */
export function* runScenario(
  scenario: Pick<StreamedScenario, 'clock' | 'steps'>,
  target: ScenarioTarget,
  tell: (outcome: StepOutcome) => void,
): ScenarioRun<void> {
  const start = scenario.clock === undefined ? target.now : momentOf(scenario.clock, target.now);
  yield* wait(target.set(start));
  const course: Course = { target, start, answers: new Map(), count: 1, begun: false };
  let stopped = false;
  let index = -1;
  for (const step of scenario.steps) {
    index += 1;
    if (stopped) tell({ index, problems: [], skipped: true });
    else {
      const { problems, goesOn } = yield* tryStep(step, ['steps', index], course);
      tell({ index, problems, skipped: false });
      stopped = !goesOn;
    }
  }
}

function* tryStep(step: ScenarioStep, place: Place, course: Course) {
  course.count = 1;
  try {
    const problems = yield* runStep(step, place, course);
    return { problems, goesOn: true };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return {
      problems: error.problems.map((problem) => atRepetition(problem, course)),
      goesOn: false,
    };
  }
}

/** Adds the number of the repetition to a problem. */
const atRepetition = ({ place, message }: Problem, { count }: Course): Problem => ({
  place,
  message: count === 1 ? message : `${message} (with $n = ${count})`,
});

function* runStep(
  step: ScenarioStep,
  place: Place,
  course: Course,
): ScenarioRun<readonly Problem[]> {
  if ('set' in step) yield* wait(course.target.set(momentOf(step.set, course.start)));
  else if ('advance' in step) {
    const target = momentOf(step.advance, course.target.now);
    yield* moveOn(target, [...place, 'advance'], course);
  } else if (step.at !== undefined) {
    yield* moveOn(momentOf(step.at, course.start), [...place, 'at'], course);
  }
  course.begun = true;
  const found = yield* runRequest(step, place, course);
  // Otherwise the machine's speed decides whether a delivery is recorded before the next step.
  if (course.target.delivered) yield* wait(course.target.delivered());
  const expected = step.expect;
  return typeof expected === 'object'
    ? [...found, ...(yield* look(expected, [...place, 'expect'], course))]
    : found;
}

/** Moves the clock. It can only move forward, except before the first call. @assumes A-1304 */
function* moveOn(moment: Instant, place: Place, { target, begun }: Course): ScenarioRun<void> {
  if (!begun) return yield* wait(target.set(moment));
  if (moment < target.now)
    throw new Stop([
      { place, message: `${moment} is before ${target.now}, which is already reached.` },
    ]);
  if (moment <= target.now) return;
  try {
    yield* wait(target.advance(moment));
  } catch (error) {
    throw new Stop([{ place, message: (error as Error).message }]);
  }
}

function* runRequest(
  step: ScenarioStep,
  place: Place,
  course: Course,
): ScenarioRun<readonly Problem[]> {
  if ('fault' in step) return yield* setFault(step, [...place, 'fault'], course);
  if (!('call' in step || 'pay' in step)) return [];
  const found: Problem[] = [];
  const times = 'call' in step ? (step.times ?? 1) : 1;
  for (course.count = 1; course.count <= times && found.length === 0; course.count += 1) {
    const reply = yield* wait(course.target.send(requestOf(step, place, course)));
    judgeStatus(step, reply, place);
    if (step.as !== undefined) course.answers.set(step.as, reply.body);
    const problems = judgeAnswer(step, reply, place, course);
    found.push(...problems.map((problem) => atRepetition(problem, course)));
  }
  course.count = 1;
  return found;
}

/** @throws Stop when a rule is refused */
function* setFault(
  { fault }: FaultStep,
  place: Place,
  course: Course,
): ScenarioRun<readonly Problem[]> {
  const { status, body } = yield* wait(
    course.target.send(faultRequest(resolve(fault, place, course))),
  );
  if (status < 300) return [];
  const found = findingsOf(body, (field) => placeFaultField(field, place));
  throw new Stop(found.length > 0 ? found : [{ place, message: `got ${status} ${show(body)}` }]);
}

function requestOf(step: CallStep | PayStep, place: Place, course: Course): ScenarioRequest {
  if ('call' in step) {
    const { call, path, query, body, account, headers } = step;
    const parts = resolve({ path, query, body, account, headers }, place, course);
    insistOnText(parts.path, [...place, 'path']);
    insistOnText({ account: parts.account }, place);
    return { call, ...parts };
  }
  const { outcome = 'succeeded', reason, payment_method } = step;
  const { pay: id, ...body } = resolve(
    { pay: step.pay, outcome, reason, payment_method },
    place,
    course,
  );
  insistOnText({ pay: id }, place);
  return { call: 'settlePayment', path: { id }, body };
}

function judgeAnswer(
  { expect: expected }: CallStep | PayStep,
  reply: ScenarioReply,
  place: Place,
  course: Course,
): readonly Problem[] {
  if (typeof expected !== 'object') return [];
  const { headers = {}, body, exact } = expected;
  const ofHeaders = [...place, 'expect', 'headers'];
  const found = compareHeaders(resolve(headers, ofHeaders, course), reply.headers, ofHeaders);
  if (body === undefined) return found;
  const ofBody = [...place, 'expect', 'body'];
  return [...found, ...compareExpected(resolve(body, ofBody, course), reply.body, ofBody, exact)];
}

function* look(
  expected: StepExpectation,
  place: Place,
  course: Course,
): ScenarioRun<readonly Problem[]> {
  const { target } = course;
  const found: Problem[] = [];
  const [ofBalance, ofDelivery] = [
    [...place, 'balance'],
    [...place, 'delivery'],
  ];
  if (expected.balance !== undefined) {
    const wanted = resolve(expected.balance, ofBalance, course);
    found.push(...(yield* judgeEach(judgeBalance, wanted, ofBalance, target)));
  }
  if (expected.delivery !== undefined && target.delivered) {
    const wanted = resolve(expected.delivery, ofDelivery, course);
    found.push(...(yield* judgeEach(judgeDelivery, wanted, ofDelivery, target)));
  }
  return found;
}

function resolve<T>(value: T, place: Place, { start, target, answers, count }: Course): T {
  const problems: Problem[] = [];
  const surroundings = { start, now: target.now, baseUrl: target.baseUrl, answers, count };
  const resolved = resolveReferences(value, surroundings, place, problems);
  if (problems.length > 0) throw new Stop(problems);
  return resolved;
}

/** Parses an instant, or a duration from `from`, back to the first instant of a clock. The form was checked before. */
function momentOf(text: string, from: Instant): Instant {
  const isBack = text.startsWith('-');
  const span = parseDuration(isBack ? text.slice(1) : text);
  if (span) return nearestInstant(toMillis(isBack ? before(from, span) : after(from, span)));
  const moment = parseInstant(text);
  if (moment === undefined) throw new RangeError(`${text} is not an instant.`);
  return moment;
}
