import { expect, it } from 'vitest';
import { instant } from '../domain/instant.ts';
import { adopt } from './adopt.ts';
import { runToCompletion } from './time-sliced.ts';
import { World, type WorldImage } from './world.ts';

const clock = { mode: 'frozen', at: instant('2026-01-15T12:00:00Z') } as const;
const world = new World({
  sandbox: 'copy',
  environment: 'test',
  seed: 'seed',
  secret: 'secret',
  clock,
  machine: () => 0,
});
const from = { sandbox: 'source', environment: 'test', accountId: 'acc_source' } as const;

it('adopt() replaces the account id in every text and shares the parts that do not contain it', () => {
  const [fees, data] = [[{ id: 'fee_1' }], { note: 'of acc_source alone' }];
  const row = { id: 'acc_source\ne1', seq: 1, owner: 'acc_source', fees, data };
  const image: WorldImage = { sequence: 1, requests: 0, clock, tables: { events: [row] } };

  const { tables } = runToCompletion(adopt(image, from, world, []));

  const { accountId } = world;
  expect(tables['events']).toEqual([
    {
      id: `${accountId}\ne1`,
      seq: 1,
      owner: accountId,
      fees: [{ id: 'fee_1' }],
      data: { note: `of ${accountId} alone` },
    },
  ]);
  expect(tables['events']?.[0]).toHaveProperty('fees', fees);
  expect(Object.values(tables['events']?.[0] ?? {})).toContain(fees);
});
