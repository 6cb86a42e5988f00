import type { History } from '../../contract-tests/model/history.ts';
import { playHistory, playSteps } from '../../contract-tests/model/play.ts';
import { after, type Instant } from '../domain/instant.ts';
import type { Emulator } from '../main.ts';
import type { World } from '../store/world.ts';
import { serialise } from '../text/exact-json.ts';
import { freshKey } from './catalog.ts';
import type { AnyBody } from './client.ts';

/** Calls an operation in a world, and returns the body. */
export type WorldCall = Parameters<typeof playHistory>[0];

/** For tests: changes the calls of a history on their way, such as to send one twice. */
export type Detour = (call: WorldCall, world: World) => WorldCall;

/**
 * Plays a random history of the contract model in a new world, through the pipeline without a socket.
 *
 * @param every also compares all credit and revenue after each such number of steps
 * @throws ContractFailure where the world differs from the model
 */
export async function playAsModelled(
  emulator: Emulator,
  history: History,
  detour: Detour = (call) => call,
  every?: number,
): Promise<World> {
  const world = emulator.worlds.find(freshKey()) as World;
  await playHistory(detour(callIn(emulator, world, 299), world), history, every);
  return world;
}

/** The same with what the model does not know. What it expects to succeed may then be rejected. */
export async function playBeyondModel(emulator: Emulator, history: History): Promise<World> {
  const world = emulator.worlds.find(freshKey()) as World;
  const call = beyondModel(callIn(emulator, world, 499), world);
  for await (const _ of playSteps(call, history));
  return world;
}

/** @param most the highest status that is accepted where a call names none */
function callIn(emulator: Emulator, world: World, most: number): WorldCall {
  const { send } = emulator.targetOf(world);
  return async (operation, { actingFor: account, ...parts }, statuses) => {
    const { status, body } = await send({ call: operation, ...parts, account });
    if (!(statuses?.includes(status) ?? status <= most))
      throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
    return body && JSON.parse(serialise(body).text);
  };
}

const OUTCOMES = ['succeeded', 'processing', 'succeeded', 'failed', 'abandoned'];

/** The same product with credit of every second week where it is of each. */
const fortnightly = ({ entitlements, ...body }: AnyBody): object => ({
  ...body,
  entitlements: entitlements.map(({ lifecycle, ...entitlement }: AnyBody) => ({
    ...entitlement,
    lifecycle: { ...lifecycle, duration_count: lifecycle.duration === 'week' ? 2 : 1 },
  })),
});

/**
 * Adds automatic top-ups, credit of every second week, payments with other outcomes, and renewals on other days or
 * never.
 */
function beyondModel(call: WorldCall, world: World): WorldCall {
  let count = 0;
  const someDay = (): Instant => after(world.now, `P${45 + (count % 40)}D`);
  const bodies: Readonly<Record<string, (body: AnyBody) => object>> = {
    createProduct: fortnightly,
    createProductVersion: fortnightly,
    createSubscription: (body) => (count % 3 ? body : { ...body, renews_at: someDay() }),
    updateSubscription: (body) => (count % 3 ? body : { renews_at: count % 2 ? null : someDay() }),
    settlePayment(body) {
      const outcome = OUTCOMES[count % OUTCOMES.length];
      return outcome === 'succeeded' ? body : { outcome };
    },
  };
  return async (operation, parts) => {
    count += 1;
    const body = bodies[operation]?.(parts.body) ?? parts.body;
    const answer = await call(operation, { ...parts, body });
    // The subscription has opened the accounts of its prices.
    if (operation === 'createSubscription')
      for (const asset of ['CR', 'USD']) {
        const path = { ...parts.path, accountId: `default:${asset}` };
        const terms = { threshold: 4, amount: 3, currency: 'USD' };
        await call('setAutoTopUp', { path, body: terms });
      }
    return answer;
  };
}
