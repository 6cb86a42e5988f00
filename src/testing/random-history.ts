import type { History } from '../../contract-tests/model/history.ts';
import { playHistory } from '../../contract-tests/model/play.ts';
import type { Emulator } from '../main.ts';
import type { World } from '../store/world.ts';
import { serialise } from '../text/exact-json.ts';
import { freshKey } from './catalog.ts';

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

/**
 * Calls in a world, without a socket.
 *
 * @param most the highest status that is accepted where a call names none
 */
export function callIn(emulator: Emulator, world: World, most: number): WorldCall {
  const { send } = emulator.targetOf(world);
  return async (operation, { actingFor: account, ...parts }, statuses) => {
    const { status, body } = await send({ call: operation, ...parts, account });
    if (!(statuses?.includes(status) ?? status <= most))
      throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
    return body && JSON.parse(serialise(body).text);
  };
}
