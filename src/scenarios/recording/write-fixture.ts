import type { Instant } from '../../domain/instant.ts';
import type { DeliveryExpectation, ExpectStep, Scenario, ScenarioStep } from '../scenario.ts';
import { PortableTexts } from './portable-texts.ts';
import type { LoggedCall, LoggedSession, RecordingOptions } from './session.ts';
import { type Course, type WrittenStep, writeStep } from './steps.ts';

export interface WrittenFixture {
  readonly scenario: Scenario;
  /** The parts of the session that it leaves out, and what it requires of its world. */
  readonly remarks: readonly string[];
}

/**
 * Writes a session as a fixture that works in any world: identifiers become references to responses, times
 * become distances from the start, and secrets are removed.
 */
export function writeFixture(session: LoggedSession, options: RecordingOptions): WrittenFixture {
  const texts = new PortableTexts(session, options);
  const course: Course = { ...{ session, options, texts }, clock: session.start };
  const remarks: string[] = [];
  const written: WrittenStep[] = [];
  for (const call of inOrderOfTime(session.calls)) {
    remarks.push(...strangersOf(call, texts));
    const found = writeStep(call, course);
    if (!found) continue;
    if ('why' in found) remarks.push(`Left out: ${found.why}.`);
    else written.push(found);
  }
  const { about, expect } = options;
  const closing = expect ? closingStep(session, texts, course.clock) : undefined;
  const steps = [...written.map(named), ...(closing ? [closing] : [])];
  return { scenario: { about, clock: session.start, steps }, remarks: [...new Set(remarks)] };
}

/**
 * Sorts the calls by the time they were handled, which can differ from the order of responses. No call is moved
 * past a clock change, which can set the time back.
 */
function inOrderOfTime(calls: readonly LoggedCall[]): readonly LoggedCall[] {
  const parts: LoggedCall[][] = [[]];
  for (const call of calls) {
    const isMove = call.operation === 'setClock' || call.operation === 'advanceClock';
    if (isMove) parts.push([call], []);
    else parts.at(-1)?.push(call);
  }
  return parts.flatMap((part) =>
    part.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0)),
  );
}

/** The identifiers in a successful request that no response of the session returned. */
function strangersOf({ path, search, body, status }: LoggedCall, texts: PortableTexts): string[] {
  if (status === 0 || status >= 400) return [];
  return [...Object.values(path), search, body]
    .flatMap((text) => texts.known.strangersIn(text))
    .filter(isOwn)
    .map(
      (id) => `No response of the session returned ${id}; a world without it responds differently.`,
    );
}

/** Whether an identifier was made by the service. UUIDs are made by clients. */
const isOwn = (token: string): boolean => /^[a-z]+_/.test(token);

function named({ step, draft }: WrittenStep): ScenarioStep {
  if (draft?.name === undefined) return step;
  const [[kind, what], ...rest] = Object.entries(step) as [[string, unknown]];
  return Object.fromEntries([[kind, what], ['as', draft.name], ...rest]) as never;
}

/** Maximum webhook events that one read of the log returns. */
const MOST_EVENTS = 1_000;

/**
 * Returns a step that expects the webhook events of a session, counted by topic and destination. Undefined if
 * there are none, too many for one read, or some after the last step.
 */
function closingStep(
  { webhookEvents = [] }: LoggedSession,
  texts: PortableTexts,
  clock: Instant,
): ExpectStep | undefined {
  const { length } = webhookEvents;
  if (length === 0 || length > MOST_EVENTS || webhookEvents.some(({ at }) => at > clock))
    return undefined;
  const counts = new Map<string, DeliveryExpectation & { readonly count: number }>();
  for (const { topic, account, destinations } of webhookEvents)
    for (const destination of [
      undefined,
      ...destinations.map((id) => texts.known.referenceTo(id)),
    ]) {
      const wanted = {
        ...(account !== undefined && { account: texts.request(account) }),
        ...(destination !== undefined && { destination }),
        topic,
      };
      const key = JSON.stringify(wanted);
      counts.set(key, { ...wanted, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  return { expect: { delivery: [...counts.values()] } };
}
