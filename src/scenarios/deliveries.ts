import type { components } from '../spec/openapi.d.ts';
import { compareExpected, show } from './expectations.ts';
import type { DeliveryExpectation, Place, Problem } from './scenario.ts';
import { type ScenarioRun, type ScenarioTarget, wait } from './scenario-target.ts';

type LoggedEvent = components['schemas']['WebhookEvent'];

/** Reads the log of webhook events and answers which expected ones are not there, or not so often. */
export function* judgeDeliveries(
  expected: DeliveryExpectation | readonly DeliveryExpectation[],
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  const isList = Array.isArray(expected);
  const list = [expected].flat() as readonly DeliveryExpectation[];
  const found: Problem[] = [];
  for (const [index, wanted] of list.entries()) {
    const log = yield* readLog(target, wanted.account);
    const { count = 1 } = wanted;
    const actual = log.filter((event) => isAsExpected(event, wanted)).length;
    if (actual === count) continue;
    const newest = log.length === 0 ? 'the log is empty' : `the newest is ${describe(log[0])}`;
    const message = `expected ${count} such webhook events, got ${actual}; ${newest}`;
    found.push({ place: isList ? [...place, index] : place, message });
  }
  return found;
}

function* readLog(
  target: ScenarioTarget,
  account: string | undefined,
): ScenarioRun<readonly LoggedEvent[]> {
  const request = { call: 'listWebhookEvents', query: { limit: 1_000 }, account };
  const { body } = yield* wait(target.send(request));
  return (body as { items?: readonly LoggedEvent[] } | undefined)?.items ?? [];
}

function isAsExpected(event: LoggedEvent, wanted: DeliveryExpectation): boolean {
  const { destination, topic, status, attempts, data } = wanted;
  return (
    (destination === undefined || event.matched_destination_ids.includes(destination)) &&
    (topic === undefined || event.topic === topic) &&
    (status === undefined || statusOf(event) === status) &&
    (attempts === undefined || attemptsAt(event, destination) === attempts) &&
    (data === undefined || compareExpected(data, event.data, []).length === 0)
  );
}

function statusOf({ successful_at, failed_at }: LoggedEvent): DeliveryExpectation['status'] {
  if (successful_at !== null) return 'delivered';
  return failed_at === null ? 'pending' : 'failed';
}

/** How often an event was tried, at one destination or at all. */
function attemptsAt({ metadata }: LoggedEvent, destination: string | undefined): number {
  const attempts = metadata?.attempts ?? [];
  return attempts.filter((each) => destination === undefined || each.destination_id === destination)
    .length;
}

function describe(event: LoggedEvent | undefined): string {
  if (!event) return 'none';
  const { topic, matched_destination_ids, data } = event;
  const attempts = attemptsAt(event, undefined);
  return `${show({ topic, status: statusOf(event), attempts, matched_destination_ids, data })}`;
}
