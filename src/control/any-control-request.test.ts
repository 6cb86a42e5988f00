import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, loadDocument, type OperationSpec } from '../spec/document.ts';
import type { ControlOperations } from '../spec/operations.ts';
import { bodyOf, queryOf } from '../testing/arbitrary-request.ts';
import { createTestClient } from '../testing/client.ts';

const document = loadDocument('control');
const client = createTestClient({
  fixture: 'quickstart',
  limits: { MAX_DUE_ITEMS: 200, MAX_SANDBOXES: 20 },
});

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
const STRANGE = [...NAMES, 'cust_0', 'x'.repeat(300), '00000000-0000-4000-8000-000000000001'];

/** Ids of records in the world at this moment, and ids of none. */
function idsFor(parameter: string): readonly string[] {
  const { tables } = client.emulator.worlds.find('key_test_emulator') as never as {
    tables: Record<string, { values(): Iterable<{ id: string }> }>;
  };
  const table = { customerId: 'customers', id: 'events' }[parameter];
  const held = table === undefined ? [] : [...(tables[table]?.values() ?? [])];
  return [...held.map(({ id }) => id), ...STRANGE];
}

function pathOf({ path }: OperationSpec): fc.Arbitrary<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.nat().map((at) => idsFor(name).at(at % idsFor(name).length) as string),
      ]),
    ),
  );
}

const STRANGE_VALUES = ['', '-1', '\u0000', 'x', '1e99', '99999999999999999999', ...NAMES];

/** Bodies for an operation; those of a wait ask for a timeout of 0. */
function hastyBodyOf(operation: OperationSpec): fc.Arbitrary<unknown> {
  const made = bodyOf(document, operation);
  return operation.body && operation.id.startsWith('wait') ? made.map(inNoTime) : made;
}

/** The body with a timeout of 0, so that no wait takes time. */
function inNoTime(body: unknown): unknown {
  const { timeout_seconds: given } = (body ?? {}) as Json;
  const isPatient = given == null || (typeof given === 'number' && given > 0);
  return isPatient ? { ...(body as Json), timeout_seconds: 0 } : body;
}

describe('random requests to the control interface', () => {
  it.each([...document.operations.values()].map((operation) => [operation.id, operation] as const))(
    'return a status that the document lists: %s',
    async (id, operation) => {
      const requests = fc.record({
        path: pathOf(operation),
        query: queryOf(document, operation, STRANGE_VALUES),
        body: hastyBodyOf(operation),
      });
      await fc.assert(
        fc.asyncProperty(requests, async ({ path, query, body }) => {
          const response = await client.send(id as keyof ControlOperations as never, {
            path,
            query: query as Record<string, string>,
            ...(body !== undefined && {
              body: JSON.stringify(body),
              headers: { 'Content-Type': 'application/json' },
            }),
          });
          expect(
            operation.replies.has(response.status) || response.status === 404,
            `${response.status} ${response.text}`,
          ).toBe(true);
          expect(response.status === 503 || response.status < 500, response.text).toBe(true);
        }),
        { numRuns: 25, seed: 7, interruptAfterTimeLimit: 40_000 },
      );
    },
    60_000,
  );
});
