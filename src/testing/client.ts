import supertest from 'supertest';
import { type ClientRequest, createClient } from '../client/index.ts';
import { type GivenSettings, readSettings } from '../config/settings.ts';
import { findViolations } from '../invariants/violations.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../main.ts';
import { openStorage } from '../open-emulator.ts';
import { addressOf } from '../spec/address.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import type { Change } from '../store/row.ts';
import type { Storage } from '../store/storage/storage.ts';
import type { World } from '../store/world.ts';
import { atFileEnd } from './at-file-end.ts';
import { startServer, type TestServer } from './server.ts';

/** For tests: an emulator in this process, and calls by operation over HTTP. */
export interface TestCallParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: A test states the body it expects; the response was checked against the document.
export type AnyBody = any;

export interface TestClient {
  readonly emulator: Emulator;
  readonly http: ReturnType<typeof supertest>;
  /** Calls an operation of either API, expects a status, 200 by default, and returns the body. */
  api(operation: AnyOperationId, parts?: TestCallParts, status?: number): Promise<AnyBody>;
  /** The same, but returns status, headers and raw text. */
  send(operation: AnyOperationId, parts?: TestCallParts): Promise<supertest.Response>;
}

export const TEST_KEY = 'key_test_emulator';

export const TEST_NOW = '2026-01-15T12:00:00.000Z';

/** The default world. */
export function worldOf({ worlds }: Pick<Emulator, 'worlds'>): World {
  return worlds.find(TEST_KEY) as World;
}

/** Creates a connected account. Returns the header of requests as that account. */
export async function asNewAccount(api: TestClient['api'], key = TEST_KEY) {
  const { id } = await api('createConnectedAccount', { key, body: { name: 'Branch' } }, 201);
  return { 'X-Service-Account': id as string };
}

/** @throws Error naming the invariants that a ledger breaks */
function verifyLedgers({ worlds }: Emulator): void {
  const violations = [...worlds.values()].flatMap(({ tables }) => findViolations(tables));
  if (violations.length > 0) throw new Error(JSON.stringify(violations.slice(0, 5), null, 2));
}

/**
 * Creates an emulator with an empty default world and a frozen clock, and a client of it. Every commit is
 * checked by the invariants of the ledger, and all ledgers when the test file ends.
 */
export function createTestClient(
  settings: GivenSettings = {},
  options: Pick<EmulatorOptions, 'machine' | 'storage' | 'log'> = {},
): TestClient {
  const storage = options.storage ?? spareStorage();
  const emulator = createEmulator({
    ...options,
    ...(storage && { storage }),
    onCommit: assertInvariants,
    settings: {
      clock: 'frozen',
      clock_now: TEST_NOW,
      fixture: '',
      log_level: 'silent',
      ...settings,
    },
  });
  atFileEnd(() => verifyLedgers(emulator));
  const api = callsTo(emulator);
  const http = supertest(emulator.handle);
  const send = sendingBy(http);
  return { emulator, http, api, send };
}

/** Calls through the emulator's own client. The first call starts a server. */
function callsTo({ handle }: Emulator): TestClient['api'] {
  let listening: Promise<TestServer> | undefined;
  return async (id, { key = TEST_KEY, ...parts } = {}, status = 200) => {
    listening ??= startServer(handle);
    const { url } = await listening;
    const client = createClient({ url, key });
    const reply = await client.send(id, parts as ClientRequest<AnyOperationId>);
    if (reply.status !== status)
      throw new Error(`${id}: expected ${status}, got ${reply.status} ${reply.text}`);
    return reply.text === '' ? undefined : JSON.parse(reply.text);
  };
}

function sendingBy(http: TestClient['http']): TestClient['send'] {
  return async (id, { key = TEST_KEY, ...parts } = {}) => {
    const { method, path, search } = addressOf(id, parts);
    const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
    const request = http[verb](`${path}?${search}`)
      .set('Authorization', `Bearer ${key}`)
      .set(parts.headers ?? {});
    return parts.body === undefined ? request : request.send(parts.body as object);
  };
}

/** A world of more records is verified when its test file ends: after each commit it would take longer and longer. */
const MAX_RECORDS = 300;

/**
 * Verifies a world after a commit.
 *
 * @throws Error if an invariant is broken, which rolls back the commit and fails its request
 */
function assertInvariants(changes: readonly Change[], { tables }: World): void {
  const rewritten = changes.find(({ table, before }) => table === 'transactions' && before);
  if (rewritten) throw new Error(`A commit changed the transaction ${rewritten.id}.`);
  const records = Object.values(tables).reduce((total, { size }) => total + size, 0);
  if (records > MAX_RECORDS) return;
  const violations = findViolations(tables);
  if (violations.length > 0)
    throw new Error(`A commit breaks the ledger: ${JSON.stringify(violations)}`);
}

const { TEST_DATABASE } = process.env;
const COUNT = 12;
const LOG = { info: () => {}, error: () => {} };

/**
 * Storages in schemas of their own, for a proof that runs tests on a database. They are opened ahead of the tests, because
 * opening one takes a wait, and creating a client does not.
 */
const spare = TEST_DATABASE === undefined ? [] : await openSchemas(TEST_DATABASE);

/** A storage for the next test client; undefined for memory. */
const spareStorage = (): Storage | undefined => spare.pop();

async function openSchemas(data: string): Promise<Storage[]> {
  const opened = Array.from({ length: COUNT }, async (_, place) => {
    const own = `${data}?schema=test_${process.pid}_${place}`;
    const storage = await openStorage(readSettings({ data: own }), LOG);
    await storage.shared?.prepare('key_test_emulator');
    return storage;
  });
  return Promise.all(opened);
}
