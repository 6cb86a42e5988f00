import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';
import { act, type Outcome } from './act.ts';
import { type Ids, instant, perform } from './calls.ts';
import { type Compared, compare, type Stage } from './compare.ts';
import { advance } from './due.ts';
import { type ContentSketch, type History, type Step, sentContent } from './history.ts';
import { accountItem, creditIn, periodsIn, totalsIn } from './money.ts';
import type { UsageRecord } from './records.ts';
import {
  shownSubscription,
  shownSubscriptions,
  storedEvent,
  subscriptionsIn,
  usageIn,
} from './views.ts';
import { ModelWorld, pendingIn } from './world.ts';

/**
 * Plays a history in a new world and in the model. Compares the last event, the balance or the subscriptions of each
 * step, and everything that there is after the last step; credit and revenue midway too.
 *
 * @param every also compares everything after each such number of steps
 * @throws ContractFailure at the first difference
 */
export async function playHistory(
  call: WorldCall,
  history: History,
  every = Number.POSITIVE_INFINITY,
): Promise<void> {
  for await (const { stage, index, step, outcome, found } of playSteps(call, history)) {
    const { world } = stage;
    const where = `step ${index} (${step.action.do}) at ${instant(world.now)}`;
    if (outcome)
      compare(
        `In ${where}`,
        [['answer', found, expectedResponse(stage, outcome, found)]],
        world.slack,
      );
    const parts = partsAfter(index, history.steps.length, every);
    advance(world, world.now);
    const all: Compared[] = [];
    for (const part of parts) for await (const each of part(stage)) all.push(each);
    compare(`After ${where}`, all, world.slack);
  }
}

/** What is compared after a step: everything after the last one, and midway credit and revenue. */
function partsAfter(index: number, count: number, every: number) {
  if (index === count - 1 || index % every === every - 1)
    return [creditIn, totalsIn, periodsIn, subscriptionsIn, usageIn];
  return index === Math.ceil(count / 2) ? [creditIn, totalsIn] : [];
}

/** A step that the world and the model have made. */
interface PlayedStep {
  readonly stage: Stage;
  readonly index: number;
  readonly step: Step;
  /** Undefined if the model found the step impossible, which is not requested then. */
  readonly outcome: Outcome | undefined;
  /** What the service showed. */
  readonly found: AnyBody;
}

/** Plays a history in a new world and in the model, and compares nothing. */
export async function* playSteps(
  call: WorldCall,
  history: History,
): AsyncGenerator<PlayedStep, void> {
  await call('setClock', { body: { mode: 'frozen', now: instant(history.start) } });
  const world = new ModelWorld(history);
  const stage = { call, world, ids: await createCatalog(call, history) };
  for (const [index, step] of history.steps.entries()) {
    const now = world.now + step.after;
    if (step.after > 0) await call('advanceClock', { body: { to: instant(now) } });
    const outcome = act(world, step, now);
    const found = outcome && (await perform(stage, step, outcome));
    yield { stage, index, step, outcome, found };
  }
}

/** The expected response to a step, and the account that it used. */
function expectedResponse(stage: Stage, outcome: Outcome, found: AnyBody) {
  const { world, ids } = stage;
  const { events, account } = outcome;
  const subscription = world.subscriptions[outcome.subscription ?? -1];
  return {
    ...(events && { event: storedEvent(events.at(-1) as UsageRecord) }),
    ...(subscription &&
      (found.made
        ? { made: shownSubscription(ids, subscription) }
        : { subscriptions: shownSubscriptions(stage, subscription.customer) })),
    ...(account && {
      account: { ...accountItem(account), pending_in: pendingIn(world, account), pending_out: 0 },
    }),
  };
}

async function createCatalog(
  call: WorldCall,
  { assets, products, customers, steps }: History,
): Promise<Ids> {
  const ids: Ids = {
    products: [],
    customers: [],
    subscriptions: [],
    vendors: [],
    topUps: [],
    own: 0,
  };
  const hasUsage = steps.some(({ action }) => action.do === 'events');
  for (const { code, ...given } of assets)
    await call('createAsset', { body: { code, name: code, ...given } });
  for (const [index, [first, ...others]] of products.entries()) {
    const code = `p${index}`;
    const body = { name: code, code, publish: true, ...sentContent(first as ContentSketch) };
    const { id: productId } = await call('createProduct', { body });
    ids.products.push(productId);
    for (const other of others)
      await call('createProductVersion', {
        path: { productId },
        body: { publish: true, ...sentContent(other) },
      });
  }
  for (const name of hasUsage ? ['v0', 'v1'] : [])
    ids.vendors.push((await call('createVendor', { body: { name } })).id);
  for (let index = 0; index < customers; index += 1)
    ids.customers.push((await call('createCustomer', { body: { name: `c${index}` } })).id);
  return ids;
}
