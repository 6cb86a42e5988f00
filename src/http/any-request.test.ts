import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDocument, type OperationSpec } from '../spec/document.ts';
import type { OperationId } from '../spec/operations.ts';
import { bodyOf, queryOf } from '../testing/arbitrary-request.ts';
import { createTestClient } from '../testing/client.ts';

const document = loadDocument('openapi');
const client = createTestClient({ fixture: 'quickstart' });
const world = client.emulator.worlds.find('key_test_emulator') as NonNullable<
  ReturnType<typeof client.emulator.worlds.find>
>;

// Webhook deliveries would change the world between the requests.
client.emulator.dispatcher.close();

/** Ids of each kind from the quickstart fixture, and some that do not exist. */
const ids: Readonly<Record<string, readonly string[]>> = {
  customerId: [...world.tables.customers.values()].map(({ id }) => id),
  subscriptionId: [...world.tables.subscriptions.values()].map(({ id }) => id),
  productId: [...world.tables.products.values()].map(({ id }) => id),
  version: ['default', '1', '2', '0', 'x'],
  accountId: ['default:USD', 'default:credit', 'x'],
  assetCode: ['USD', 'CREDIT', 'NONE'],
  taskId: [...world.tables.tasks.values()].map(({ id }) => id),
  topic: ['subscription.activated', 'no.such'],
};
const STRANGE_IDS = ['__proto__', 'cust_0', 'x'.repeat(300), '%', 'ü/ü', '\u0000', ' '];

function stateOf(): string {
  const { tables, sequence } = world.image();
  return JSON.stringify({ tables, sequence });
}

function pathOf(operation: OperationSpec): fc.Arbitrary<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return fc.record(
    Object.fromEntries(
      names.map((name) => [name, fc.constantFrom(...(ids[name] ?? []), ...STRANGE_IDS)]),
    ),
  );
}

const STRANGE_VALUES = ['', '-1', '\u0000', 'x'];

describe('any request', () => {
  it.each([...document.operations.values()].map((operation) => [operation.id, operation] as const))(
    'gets a documented status or 404, never 5xx, and changes nothing if it fails: %s',
    async (id, operation) => {
      const requests = fc.record({
        path: pathOf(operation),
        query: queryOf(document, operation, STRANGE_VALUES),
        body: bodyOf(document, operation),
      });
      await fc.assert(
        fc.asyncProperty(requests, async ({ path, query, body }) => {
          await client.emulator.dispatcher.idle(world);
          const before = stateOf();
          const response = await client.send(id as OperationId, {
            path,
            query: query as Record<string, string>,
            ...(body !== undefined && {
              body: JSON.stringify(body),
              headers: { 'Content-Type': 'application/json' },
            }),
          });

          expect(
            operation.replies.has(response.status) || response.status === 404,
            response.text,
          ).toBe(true);
          expect(response.status, response.text).toBeLessThan(500);
          if (response.status < 400) return;
          await client.emulator.dispatcher.idle(world);
          expect(stateOf()).toBe(before);
        }),
        { numRuns: 60, seed: 7 },
      );
    },
    60_000,
  );
});
