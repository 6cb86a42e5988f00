import { onTestFinished } from 'vitest';
import { instant } from '../domain/instant.ts';
import { runToCompletion } from '../store/time-sliced.ts';
import { World, type WorldImage, type WorldOptions } from '../store/world.ts';
import { aCatalogProduct, CREDIT_ASSET, EVERY_DAY, entitlement, freshKey } from './catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from './client.ts';

/** An empty world without an emulator, whose clock stands. */
export const anEmptyWorld = (options: Partial<WorldOptions> = {}): World =>
  new World({
    sandbox: 'shop',
    environment: 'test',
    seed: 'seed',
    secret: 'secret',
    clock: { mode: 'frozen', at: instant(TEST_NOW) },
    machine: () => 0,
    ...options,
  });

/** The whole state of a world, with the rows of each table in the order of creation. */
export const imageOf = (world: World | undefined): WorldImage =>
  runToCompletion((world as World).imaging());

/** Replaces the whole state of a world. */
export const restoreWorld = (world: World | undefined, image: WorldImage): void =>
  runToCompletion((world as World).restoring(image));

/** For tests of worlds: control API calls, and customers as their contents. */
export function worldCalls(client: () => TestClient) {
  const api: TestClient['api'] = (...call) => client().api(...call);
  return {
    api,
    create: (name: string, key?: string) =>
      client().api('createCustomer', { body: { name }, ...(key && { key }) }, 201),
    async names(key = 'key_test_emulator'): Promise<string[]> {
      const { items } = await client().api('listCustomers', { key });
      return items.map(({ name }: AnyBody) => name);
    },
    exported: (key?: string) => api('exportWorld', key === undefined ? {} : { key }),
    /** Exports the default world as text. */
    textOf: async (): Promise<string> => (await client().send('exportWorld')).text,
  };
}

export const BUSY = 'key_test_busy';

/** For one test: a client of an emulator that is closed when the test ends. */
export function openBusy(settings = {}): TestClient {
  const client = createTestClient(settings);
  onTestFinished(() => client.emulator.close());
  return client;
}

export const advance = (client: TestClient, body: object, key = BUSY) =>
  client.send('advanceClock', { key, body });

/** Fills a world with jobs on every day. */
export async function aBusyWorld(client: TestClient, key: string): Promise<void> {
  await client.api('createAsset', { key, body: CREDIT_ASSET }, 201);
  const content = { entitlements: [entitlement(50, EVERY_DAY)] };
  await aCatalogProduct(client, 'daily', content, { key });
  for (const name of ['Acme', 'Globex', 'Initech']) {
    const body = { name, subscriptions: [{ products: [{ code: 'daily' }] }] };
    await client.api('createCustomer', { key, body }, 201);
  }
}

/** For tests of faults: calls in a new world with these rules. */
export async function aFaultyWorld(
  { emulator, send, api }: TestClient,
  ...rules: readonly object[]
) {
  const key = freshKey();
  await api('setFaults', { body: { rules }, key });
  const create = async (name = 'Ada'): Promise<number> =>
    (await send('createCustomer', { key, body: { name } })).status;
  const log = () => api('listRequests', { key });
  return {
    key,
    create,
    log,
    list: () => send('listCustomers', { key }),
    async statuses(count: number): Promise<number[]> {
      const found: number[] = [];
      for (let index = 0; index < count; index += 1) found.push(await create(`Ada ${index}`));
      return found;
    },
    /** Number of requests that each rule matched and was applied to. */
    async counts(): Promise<[seen: number, applied: number][]> {
      const states = (await api('listFaults', { key })).rules;
      return states.map(({ seen, applied }: Record<string, number>) => [seen, applied]);
    },
    customers: () => emulator.worlds.find(key)?.tables.customers.size,
    newest: async () => (await log()).items[0],
  };
}
