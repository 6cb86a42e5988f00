import type { TestClient } from '../client.ts';
import { freshKey } from '../usage.ts';

/** For tests of faults: calls in a new world with these rules. */
export async function aFaultyWorld(
  { emulator, send, control }: TestClient,
  ...rules: readonly object[]
) {
  const key = freshKey();
  await control('setFaults', { body: { rules }, key }, 200);
  const create = async (name = 'Ada'): Promise<number> =>
    (await send('createCustomer', { key, body: { name } })).status;
  const log = () => control('listRequests', { key }, 200);
  return {
    ...{ key, create, log },
    list: () => send('listCustomers', { key }),
    async statuses(count: number): Promise<number[]> {
      const found: number[] = [];
      for (let index = 0; index < count; index += 1) found.push(await create(`Ada ${index}`));
      return found;
    },
    /** Number of requests that each rule matched and was applied to. */
    async counts(): Promise<[seen: number, applied: number][]> {
      const states = (await control('listFaults', { key }, 200)).rules;
      return states.map(({ seen, applied }: Record<string, number>) => [seen, applied]);
    },
    customers: () => emulator.worlds.find(key)?.tables.customers.size,
    newest: async () => (await log()).items[0],
  };
}
