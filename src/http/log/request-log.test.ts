import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import { World } from '../../store/world.ts';
import type { Exchange } from './exchange.ts';
import { RequestLog } from './request-log.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const at = instant('2026-01-15T12:00:00Z');

function openWorld(sandbox: string): World {
  const clock = { mode: 'frozen', at } as const;
  return new World({
    sandbox,
    environment: 'test',
    seed: 'seed',
    secret: 'secret',
    clock,
    machine: () => 0,
  });
}

function anExchange(world: World): Exchange {
  return {
    ordinal: 1,
    isMove: false,
    world,
    at,
    requestId: 'req_1',
    receivedAt: 0,
    took: 0,
    rawRequest: { method: 'GET', path: '/', search: '', headers: {} },
    requestBody: Buffer.alloc(0),
    rawResponse: { status: 204, headers: {}, text: '' },
    changes: [],
    operation: undefined,
    path: {},
    owner: world.accountId,
  };
}

/** Returns the number of exchanges that are still in memory. */
async function countHeld(exchanges: readonly WeakRef<Exchange>[]): Promise<number> {
  await turn();
  collectGarbage();
  return exchanges.filter((exchange) => exchange.deref()).length;
}

it('frees exchanges of a replaced world or above the limit, and no others', async () => {
  const log = new RequestLog({ MAX_LOGGED_REQUESTS: 30, MAX_LOG_BYTES: 1_000_000 });
  const [world, other] = [openWorld('one'), openWorld('two')];
  const add = (to: World) =>
    Array.from({ length: 50 }, () => {
      const exchange = anExchange(to);
      log.record(exchange);
      return new WeakRef(exchange);
    });
  const [mine, theirs] = [add(world), add(other)];

  expect(await countHeld(mine)).toBe(30);
  world.restore(world.image());
  expect(await countHeld(mine)).toBe(0);
  expect(await countHeld(theirs)).toBe(30);
  expect(log.list(other)).toHaveLength(30);
});
