import type { components } from '../spec/openapi.d.ts';
import { compareExpected, show } from './expectations.ts';
import type { BalanceExpectation, DeliveryExpectation, Place, Problem } from './scenario.ts';
import { type ScenarioRun, type ScenarioTarget, wait } from './scenario-target.ts';

/** Checks one expectation, or each of a list, against the target. */
export function* judgeEach<E>(
  judge: (wanted: E, place: Place, target: ScenarioTarget) => ScenarioRun<readonly Problem[]>,
  expected: E | readonly E[],
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  if (!Array.isArray(expected)) return yield* judge(expected as E, place, target);
  const found: Problem[] = [];
  for (const [index, wanted] of expected.entries())
    found.push(...(yield* judge(wanted, [...place, index], target)));
  return found;
}

/** Reads a wallet and returns the balances that are not as expected. */
export function* judgeBalance(
  { customer, account, accounts }: BalanceExpectation,
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  const request = { call: 'getWallet', path: { customerId: customer }, account };
  const { status, body } = yield* wait(target.send(request));
  if (status !== 200)
    return [{ place: [...place, 'customer'], message: `There is no customer ${customer}.` }];
  const wallet = body as Partial<components['schemas']['Wallet']>;
  const held = new Map(wallet.accounts?.map(({ id, available }) => [id, available]));
  return Object.entries(accounts).flatMap(([name, amount]) => {
    const actual = held.get(name.includes(':') ? name : `default:${name}`);
    if (actual === (amount ?? undefined)) return [];
    const message = `${name}: expected ${show(amount)} available, got ${show(actual)}`;
    return [{ place: [...place, 'accounts', name], message }];
  });
}

type LoggedEvent = components['schemas']['WebhookEvent'];

/** Reads the log of webhook events and checks that the expected ones occur as often as expected. */
export function* judgeDelivery(
  wanted: DeliveryExpectation,
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  const { account, count = 1 } = wanted;
  const request = { call: 'listWebhookEvents', query: { limit: 1_000 }, account };
  const { body } = yield* wait(target.send(request));
  const log = (body as { items?: readonly LoggedEvent[] } | undefined)?.items ?? [];
  const actual = log.filter((event) => isAsExpected(event, wanted)).length;
  if (actual === count) return [];
  const newest = log[0] ? `the newest is ${describe(log[0])}` : 'the log is empty';
  return [{ place, message: `expected ${count} such webhook events, got ${actual}; ${newest}` }];
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

/** Counts the attempts of an event, at one destination or at all. */
function attemptsAt({ metadata }: LoggedEvent, destination: string | undefined): number {
  const attempts = metadata?.attempts ?? [];
  return attempts.filter((each) => destination === undefined || each.destination_id === destination)
    .length;
}

function describe(event: LoggedEvent): string {
  const { topic, matched_destination_ids, data } = event;
  const attempts = attemptsAt(event, undefined);
  return `${show({ topic, status: statusOf(event), attempts, matched_destination_ids, data })}`;
}
