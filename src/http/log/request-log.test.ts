import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import type { World } from '../../store/world.ts';
import { anEmptyWorld } from '../../testing/worlds.ts';
import type { Exchange } from './exchange.ts';
import { compilePath } from './match.ts';
import { RequestLog } from './request-log.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const at = instant('2026-01-15T12:00:00Z');

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
  const [world, other] = [anEmptyWorld({ sandbox: 'one' }), anEmptyWorld({ sandbox: 'two' })];
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

describe('a path pattern', () => {
  it.each([
    ['/customers', '/customers', true],
    ['/customers', '/customers/', false],
    ['/customers/*', '/customers/cust_1', true],
    ['/customers/*', '/customers/', true],
    ['/customers/*', '/customers/cust_1/wallet', false],
    ['/customers/*/wallet', '/customers/cust_1/wallet', true],
    ['/customers/**', '/customers/cust_1/wallet', true],
    ['/**/wallet', '/customers/cust_1/wallet', true],
    ['/**/wallet/*', '/customers/cust_1/wallet/accounts/x', false],
    ['/cust*/x', '/customers/x', true],
    ['**', '/anything/at/all', true],
    ['/a.c', '/abc', false],
    ['/(a+)+$', '/(a+)+$', true],
    ['/[a-z]*', '/b', false],
    ['/a***b', '/a/x/b', true],
  ])('%s is compared with %s', (pattern, path, expected) => {
    expect(compilePath(pattern)(path)).toBe(expected);
  });

  it('matches the same paths as the equivalent regular expression', () => {
    const text = (...parts: readonly string[]) =>
      fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text('/', 'a', 'b', '*', '**'), text('/', 'a', 'b'), (pattern, path) => {
        const source = pattern.replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
        expect(compilePath(pattern)(path)).toBe(new RegExp(`^${source}$`).test(path));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['**a', '*a'])('stays fast with many stars that almost match: %s', (part) => {
    const judge = compilePath(`/${part.repeat(60)}b`);
    const begin = performance.now();

    expect(judge(`/${'a'.repeat(8_000)}`)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
