import { describe, expect, it } from 'vitest';
import { instant } from '../domain/instant.ts';
import { World, type WorldOptions } from './world.ts';

const NOW = instant('2026-01-15T12:00:00Z');

const open = (options: Partial<WorldOptions> = {}): World =>
  new World({
    sandbox: 'shop',
    environment: 'test',
    seed: 'seed',
    secret: 'secret',
    clock: { mode: 'frozen', at: NOW },
    machine: () => 0,
    ...options,
  });

describe('ids of a world', () => {
  const firstId = (world: World, owner = 'acc_one') =>
    world.dryRun(() => world.nextId('vendor', owner));

  it('are equal in worlds with equal options', () => {
    expect(firstId(open())).toBe(firstId(open()));
  });

  it('differ by seed, sandbox, environment, owner, kind and ordinal', () => {
    const world = open();
    const ids = [
      firstId(world),
      firstId(open({ seed: 'other' })),
      firstId(open({ sandbox: 'other' })),
      firstId(open({ environment: 'live' })),
      firstId(world, 'acc_two'),
      world.dryRun(() => world.nextId('customer', 'acc_one')),
      world.dryRun(() => [1, 2].map(() => world.nextId('vendor', 'acc_one')))[1] as string,
    ].map((id) => id.slice(id.indexOf('_')));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('of one kind do not depend on how many of other kinds were created', () => {
    const world = open();
    const expected = firstId(world);
    const later = world.dryRun(() => {
      world.nextId('customer', 'acc_one');
      world.nextToken('webhook secret', 'acc_one');
      return world.nextId('vendor', 'acc_one');
    });

    expect(later).toBe(expected);
  });

  it('of the account and organisation are equal in test and live and differ by sandbox', () => {
    const [test, live, other] = [open(), open({ environment: 'live' }), open({ sandbox: 'other' })];

    expect(live.accountId).toBe(test.accountId);
    expect(live.organisationId).toBe(test.organisationId);
    expect(other.accountId).not.toBe(test.accountId);
    expect(other.organisationId).not.toBe(test.organisationId);
  });

  it('of tokens and transactions are equal in equal worlds and unique within one', () => {
    const draw = (world: World) =>
      world.dryRun(() => [
        world.nextToken('link', 'acc_one'),
        world.nextToken('link', 'acc_one'),
        world.nextUuid('transaction', 'acc_one'),
        world.nextUuid('transaction', 'acc_one'),
      ]);

    expect(draw(open())).toEqual(draw(open()));
    expect(new Set(draw(open())).size).toBe(4);
  });
});
