import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type InterfaceDocument,
  type Json,
  loadDocument,
  type OperationSpec,
} from './spec/document.ts';
import type { OperationId } from './spec/operations.ts';
import { anyRequest } from './testing/arbitrary-request.ts';
import { createTestClient, type TestClient, worldOf } from './testing/client.ts';
import { imageOf } from './testing/worlds.ts';

interface Sent {
  readonly path: Record<string, string>;
  readonly query: Record<string, string | undefined>;
  readonly body: unknown;
}

const operationsOf = ({ operations }: InterfaceDocument) =>
  [...operations.values()].map((operation) => [operation.id, operation] as const);

/** Sends a request, and expects a status that the document lists or 404, never a defect. Returns the status. */
async function expectListed(
  { send }: TestClient,
  { id, replies }: OperationSpec,
  { path, query, body }: Sent,
): Promise<number> {
  const { status, text } = await send(id as OperationId, {
    path,
    query: query as Record<string, string>,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  });
  expect(replies.has(status) || status === 404, `${status} ${text}`).toBe(true);
  return status;
}

const openQuickstart = (settings: object = {}) => {
  const client = createTestClient({ fixture: 'quickstart', ...settings });
  return { client, world: worldOf(client.emulator) };
};

describe('any request to the service', () => {
  const document = loadDocument('openapi');
  const { client, world } = openQuickstart();
  // Webhook deliveries would change the world between the requests.
  client.emulator.dispatcher.close();

  const STRANGE = ['__proto__', 'cust_0', 'x'.repeat(300), '%', 'ü/ü', '\u0000', ' '];
  const idsIn = (table: 'customers' | 'subscriptions' | 'products' | 'tasks') =>
    [...world.tables[table].values()].map(({ id }) => id);
  const ids: Readonly<Record<string, readonly string[]>> = {
    customerId: idsIn('customers'),
    subscriptionId: idsIn('subscriptions'),
    productId: idsIn('products'),
    version: ['default', '1', '2', '0', 'x'],
    accountId: ['default:USD', 'default:credit', 'x'],
    assetCode: ['USD', 'CREDIT', 'NONE'],
    taskId: idsIn('tasks'),
    topic: ['subscription.activated', 'no.such'],
  };
  const stateOf = (): string => {
    const { tables, sequence } = imageOf(world);
    return JSON.stringify({ tables, sequence });
  };

  it.each(operationsOf(document))(
    'gets a documented status or 404, never 5xx, and changes nothing if it fails: %s',
    async (_, operation) => {
      const idsFor = (name: string) => [...(ids[name] ?? []), ...STRANGE];
      const requests = anyRequest(document, operation, idsFor, ['', '-1', '\u0000', 'x']);
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          await client.emulator.dispatcher.idle(world);
          const before = stateOf();
          const status = await expectListed(client, operation, request);

          expect(status).toBeLessThan(500);
          if (status < 400) return;
          await client.emulator.dispatcher.idle(world);
          expect(stateOf()).toBe(before);
        }),
        { numRuns: 60, seed: 7 },
      );
    },
  );
});

describe('any request to the control API', () => {
  const document = loadDocument('control');
  const { client } = openQuickstart({ limits: { MAX_DUE_ITEMS: 200, MAX_SANDBOXES: 20 } });
  const NAMES = [
    'emulator',
    'quickstart',
    'before',
    '__proto__',
    'constructor',
    '',
    'ü/ü',
    '\u0000',
    '%',
  ];
  const STRANGE_VALUES = ['', '-1', '\u0000', 'x', '1e99', '99999999999999999999', ...NAMES];

  /** Ids of records in the world at this moment, and ids of none. */
  function idsFor(parameter: string): readonly string[] {
    const { tables } = worldOf(client.emulator);
    const table = { customerId: tables.customers, id: tables.events }[parameter];
    const held = [...(table?.values() ?? [])].map(({ id }) => id);
    const unknown = ['cust_0', 'x'.repeat(300), '00000000-0000-4000-8000-000000000001'];
    return [...held, ...NAMES, ...unknown];
  }

  /** The body with a timeout of 0, so that no wait takes time. */
  function inNoTime(body: unknown): unknown {
    const { timeout_seconds: given } = (body ?? {}) as Json;
    const isPatient = given == null || (typeof given === 'number' && given > 0);
    return isPatient ? { ...(body as Json), timeout_seconds: 0 } : body;
  }

  it.each(operationsOf(document))(
    'gets a documented status or 404, and no 5xx but 503: %s',
    async (id, operation) => {
      const isWait = operation.body && id.startsWith('wait');
      await fc.assert(
        fc.asyncProperty(
          anyRequest(document, operation, idsFor, STRANGE_VALUES),
          async ({ body, ...request }) => {
            const sent = { ...request, body: isWait ? inNoTime(body) : body };
            const status = await expectListed(client, operation, sent);
            expect(status === 503 || status < 500, `${status}`).toBe(true);
          },
        ),
        { numRuns: 25, seed: 7, interruptAfterTimeLimit: 40_000 },
      );
    },
  );
});
