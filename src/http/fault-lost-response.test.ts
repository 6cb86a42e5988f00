import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FAULT_HEADER } from '../faults/text.ts';
import type { ScenarioReply, ScenarioRequest, ScenarioTarget } from '../fixtures/scenario.ts';
import { loadDocument } from '../spec/document.ts';
import { createTestClient, worldOf } from '../testing/client.ts';
import { playOn } from '../testing/recorded.ts';
import { imageOf, restoreWorld } from '../testing/worlds.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Writes without an idempotency key: each repetition takes effect again. */
const UNSAFE = [
  'createPortalSession',
  'createProductVersion',
  'createSubscription',
  'createTopUp',
  'createWebhook',
  'setAssetRate',
  'testConnectedWebhook',
  'testConnectedWebhooks',
  'testWebhook',
  'testWebhooks',
  'updateProductVersion',
];

/** Writes whose repetition is rejected, because what they make or delete is there, or gone, already. */
const REJECTED = [
  'createAsset',
  'createConnectedAccount',
  'createCustomer',
  'createProduct',
  'createVendor',
  'deleteProduct',
  'deleteWebhook',
];

interface RepeatedWrite {
  readonly call: string;
  readonly whole: ScenarioReply;
  readonly again: ScenarioReply;
  /** Whether the world ends as if no response had been lost. */
  readonly isSafe: boolean;
}

/** Plays a fixture. Before each write that succeeds, the same is tried with its response lost twice and cut off once. */
async function repeatWrites(text: string): Promise<readonly RepeatedWrite[]> {
  const { emulator } = createTestClient();
  // Delivery attempts record how long they take, which differs in each run.
  emulator.dispatcher.close();
  const world = worldOf(emulator);
  const target = emulator.targetOf(world);
  const repeated: RepeatedWrite[] = [];
  const send = async (request: ScenarioRequest): Promise<ScenarioReply> => {
    if (!isWrite(request)) return target.send(request);
    const before = imageOf(world);
    const losing = (fault: string) =>
      target.send({ ...request, headers: { ...request.headers, [FAULT_HEADER]: fault } });
    for (const fault of ['lost_response', 'lost_response', 'connection=truncated'])
      await losing(fault);
    const again = await target.send(request);
    const afterAll = imageOf(world);
    restoreWorld(world, before);
    const whole = await target.send(request);
    if (whole.status < 300) {
      const isSafe = JSON.stringify(afterAll) === JSON.stringify(imageOf(world));
      repeated.push({ call: request.call, whole, again, isSafe });
    }
    return whole;
  };
  const repeating: ScenarioTarget = Object.create(target, { send: { value: send } });
  expect(await playOn(repeating, text)).toEqual([]);
  return repeated;
}

const { operations } = loadDocument('openapi');
const isWrite = ({ call }: ScenarioRequest): boolean =>
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(operations.get(call)?.method ?? 'GET');

it('a write is safe to repeat after a lost response, except those that docs/faults.md lists', async () => {
  const repeated = await repeatWrites(read('../control/every-operation.yaml'));
  const writes = [...operations.values()].filter(({ method }) => method !== 'GET');
  const effects = repeated.filter(({ isSafe }) => !isSafe).map(({ call }) => call);
  const page = read('../../docs/faults.md');

  expect([...new Set(repeated.map(({ call }) => call))].sort()).toEqual(
    writes.map(({ id }) => id).sort(),
  );
  expect([...new Set(effects)].sort()).toEqual(UNSAFE);
  expect(UNSAFE.filter((id) => !page.includes(`\`${id}\``))).toEqual([]);
  const rejected = repeated.filter(({ whole, again }) => again.status !== whole.status);
  expect(rejected.filter(({ again }) => again.status !== 422)).toEqual([]);
  expect([...new Set(rejected.map(({ call }) => call))].sort()).toEqual(REJECTED);
});
