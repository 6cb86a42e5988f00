import supertest from 'supertest';
import { afterAll } from 'vitest';
import type { GivenSettings } from '../config/settings.ts';
import { findBreaches } from '../control/ledger.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../emulator.ts';
import { loadDocument } from '../spec/document.ts';
import type { ControlOperations, OperationId } from '../spec/operations.ts';
import { insistOnLaws } from './commit-laws.ts';

/** For tests: an emulator in this process, and calls by operation over HTTP. */
export interface CallParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: A test states the body it expects; the answer was checked against the document.
export type AnyBody = any;

export interface TestClient {
  readonly emulator: Emulator;
  readonly http: ReturnType<typeof supertest>;
  /** Calls an operation, insists on the status and answers the body. */
  api(operation: OperationId, parts: CallParts, status: number): Promise<AnyBody>;
  /** The same, with status, headers and raw text. */
  send(operation: OperationId, parts?: CallParts): Promise<supertest.Response>;
  /** Calls an operation of the control interface, insists on the status and answers the body. */
  control(operation: keyof ControlOperations, parts: CallParts, status: number): Promise<AnyBody>;
}

export const TEST_NOW = '2026-01-15T12:00:00.000Z';

/** Where each operation of both interfaces is. */
const operations = new Map([
  ...loadDocument('openapi').operations,
  ...loadDocument('control').operations,
]);

/** The emulators of a test file. Their ledgers are verified as a whole when it ends. */
const emulators: Emulator[] = [];
afterAll(() => {
  const worlds = emulators.flatMap((emulator) => [...emulator.worlds.values()]);
  const breaches = worlds.flatMap(({ tables }) => findBreaches(tables));
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches.slice(0, 5), null, 2));
});

/**
 * An emulator with an empty default world and a clock that stands still, and a client of it. Every commit is
 * judged by the laws of the ledger.
 */
export function createTestClient(
  settings: GivenSettings = {},
  options: Pick<EmulatorOptions, 'machine'> = {},
): TestClient {
  const emulator = createEmulator({
    ...options,
    onCommit: insistOnLaws,
    settings: {
      clock: 'frozen',
      clock_now: TEST_NOW,
      fixture: '',
      log_level: 'silent',
      ...settings,
    },
  });
  emulators.push(emulator);
  const http = supertest(emulator.handle);

  async function send(operation: string, parts: CallParts = {}): Promise<supertest.Response> {
    const { method, path } = operations.get(operation) ?? missing(operation);
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(parts.path?.[name])),
    );
    const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete';
    const request = http[verb](url)
      .set('Authorization', `Bearer ${parts.key ?? 'key_test_emulator'}`)
      .set(parts.headers ?? {})
      .query(parts.query ?? {});
    return parts.body === undefined ? request : request.send(parts.body as object);
  }

  async function api(operation: string, parts: CallParts, status: number): Promise<AnyBody> {
    const response = await send(operation, parts);
    if (response.status !== status)
      throw new Error(`${operation}: expected ${status}, got ${response.status} ${response.text}`);
    return response.text === '' ? undefined : response.body;
  }

  return { emulator, http, api, send, control: api };
}

function missing(operation: string): never {
  throw new Error(`There is no operation ${operation}.`);
}
