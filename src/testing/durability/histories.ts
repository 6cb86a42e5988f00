import { join } from 'node:path';
import fc from 'fast-check';
import { readSettings } from '../../config/settings.ts';
import { openStorage } from '../../open-emulator.ts';
import type { Storage } from '../../store/storage/storage.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { newFolder } from '../files.ts';
import { freePort } from '../postgres/server.ts';
import { KEYS, takeStep, WorldModel, type WorldStep, worldSteps } from '../world-histories.ts';

const LOG = { info: () => {}, error: () => {} };

export type History = readonly WorldStep[];

/** Exports of all worlds at the end of a history: in one process, and again after a stop and a start. */
interface PlayedHistory {
  readonly memory: readonly string[];
  readonly file: readonly (readonly string[])[];
  readonly database: readonly (readonly string[])[];
}

/** Random histories of several worlds, without some steps. */
export const randomHistories = (
  numRuns: number,
  seed: number,
  without?: Parameters<typeof worldSteps>[0],
): readonly History[] => fc.sample(worldSteps(without), { numRuns, seed });

/** Plays a history in memory, in a file and in a schema of a database. */
export async function playOnEach(
  history: History,
  database: string,
  schema: string,
): Promise<PlayedHistory> {
  const opening = (data: string) => () => openStorage(readSettings({ data }), LOG);
  const [memory = []] = await play(history, opening(''));
  const file = await play(history, opening(join(newFolder(), 'data.json')));
  return { memory, file, database: await play(history, opening(`${database}?schema=${schema}`)) };
}

async function play(history: History, open: () => Promise<Storage>) {
  const model = new WorldModel(createTestClient({}, { storage: await open() }));
  for (const step of history) await takeStep(model, step);
  const keys = KEYS.filter((key) => model.client.emulator.worlds.has(key));
  const before = await exportsOf(model.client, keys);
  await model.client.emulator.close();
  const again = createTestClient({}, { storage: await open() });
  const after = await exportsOf(again, keys);
  await again.emulator.close();
  return [before, after];
}

/**
 * Plays a history with three emulators of a database, each request at another one, and returns the exports of all worlds.
 * It may not undo: what that returns to is in the memory of one emulator, and does not follow a world to another.
 */
export async function playOnSeveral(
  history: History,
  database: string,
  schema: string,
): Promise<readonly string[]> {
  const clients = await Promise.all([1, 2, 3].map(() => reachable(`${database}?schema=${schema}`)));
  const alternating = takingTurns(clients);
  const model = new WorldModel(alternating);
  for (const step of history) await takeStep(model, step);
  const keys = KEYS.filter((key) => clients.some(({ emulator }) => emulator.worlds.has(key)));
  const exports = await exportsOf(alternating, keys);
  for (const { emulator } of clients) await emulator.close();
  return exports;
}

async function reachable(data: string): Promise<TestClient> {
  const port = await freePort();
  const settings = { data, port, advertise: `http://127.0.0.1:${port}` };
  const storage = await openStorage(readSettings(settings), LOG);
  const client = createTestClient({ port }, { storage });
  await client.emulator.listen();
  return client;
}

const MAX_TRIES = 10;

/** Calls again, as clients do, where the body was on its way as the world moved to another emulator. */
async function whileMoving<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await call();
    } catch (error) {
      if (tries === MAX_TRIES || !String(error).includes('is being passed on')) throw error;
    }
}

/** @throws Error where the world was on its way to another emulator */
function refusingMoves(reply: Awaited<ReturnType<TestClient['send']>>) {
  if (reply.text.includes('is being passed on')) throw new Error(reply.text);
  return reply;
}

/** A client that sends each request to another emulator. */
function takingTurns(clients: readonly TestClient[]): TestClient {
  let turn = 0;
  const next = (): TestClient => {
    turn += 1;
    return clients[turn % clients.length] as TestClient;
  };
  return {
    ...(clients[0] as TestClient),
    get http() {
      return next().http;
    },
    api: (...call) => whileMoving(() => next().api(...call)),
    send: (...call) => whileMoving(async () => refusingMoves(await next().send(...call))),
  };
}

async function exportsOf(
  { http }: TestClient,
  keys: readonly string[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const key of keys)
    texts.push((await http.get('/_emulator/export').set('Authorization', `Bearer ${key}`)).text);
  return texts;
}
