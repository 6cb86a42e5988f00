import { describe, expect, it } from 'vitest';
import { closedAfterTest } from '../../testing/server.ts';
import { defaultPlan, isLoopbackTarget, type RunPlan, targetOf } from '../plan.ts';
import { startTarget } from '../target/session.ts';
import { unreachableReceiver } from './deliveries.ts';
import { type CeilingQuestion, decideCeiling } from './plan-run.ts';

const remote: CeilingQuestion = {
  isOurs: false,
  baseUrl: 'https://api.example.com',
  found: { environment: 'test', accountId: 'acc_1' },
  effects: undefined,
  confirmAccount: undefined,
  acceptsLiveWritesOf: undefined,
  isUnattended: true,
};
const live = { found: { environment: 'live', accountId: 'acc_1' } } as const;
const unknown = { found: { environment: 'unknown', accountId: undefined } } as const;
const near = { baseUrl: 'http://127.0.0.1:9' };
const confirmed = { confirmAccount: 'acc_1' };

describe('decideCeiling', () => {
  it.each<[string, Partial<CeilingQuestion>, string]>([
    ['an emulator of ours', { isOurs: true, ...unknown }, 'E4'],
    ['a test account on loopback', near, 'E4'],
    ['a live account on loopback', { ...near, ...live }, 'E0'],
    ['something unknown on loopback', { ...near, ...unknown }, 'E0'],
    ['a remote test account', {}, 'E2'],
    ['a remote live account', live, 'E0'],
    ['something unknown', unknown, 'E0'],
    ['less than the preset', { effects: 'E1' }, 'E1'],
    ['more on a confirmed test account', { effects: 'E4', ...confirmed }, 'E4'],
    ['E2 on a confirmed live account', { ...live, effects: 'E2', ...confirmed }, 'E2'],
    [
      'E3 on a live account that accepts it',
      { ...live, effects: 'E3', ...confirmed, acceptsLiveWritesOf: 'acc_1' },
      'E3',
    ],
    [
      'E4 on a live account that accepts it, attended',
      { ...live, effects: 'E4', ...confirmed, acceptsLiveWritesOf: 'acc_1', isUnattended: false },
      'E4',
    ],
  ])('returns the highest allowed effect class: %s', (_, change, ceiling) => {
    expect(decideCeiling({ ...remote, ...change })).toBe(ceiling);
  });

  it.each<[string, Partial<CeilingQuestion>, string]>([
    ['more without confirmation', { effects: 'E3' }, '--confirm-account'],
    ['more for another account', { effects: 'E3', confirmAccount: 'acc_2' }, 'another account'],
    [
      'more where the account is unknown',
      { ...unknown, effects: 'E1', confirmAccount: 'acc_1' },
      'which account',
    ],
    [
      'E3 on live without acceptance',
      { ...live, effects: 'E3', ...confirmed },
      'CONTRACT_ACCEPT_LIVE_WRITES',
    ],
    [
      'E3 on live with acceptance of another',
      { ...live, effects: 'E3', ...confirmed, acceptsLiveWritesOf: 'acc_2' },
      'CONTRACT_ACCEPT_LIVE_WRITES',
    ],
    [
      'E4 on live, unattended',
      { ...live, effects: 'E4', ...confirmed, acceptsLiveWritesOf: 'acc_1' },
      'unattended',
    ],
  ])('throws: %s', (_, change, reason) => {
    expect(() => decideCeiling({ ...remote, ...change })).toThrow(reason);
  });
});

describe('isLoopbackTarget', () => {
  it.each([
    ['http://127.0.0.1:80', true],
    ['http://localhost', true],
    ['http://[::1]:8080', true],
    ['https://localhost.example.com', false],
    ['https://127.0.0.1.example.com', false],
    ['http://10.0.0.1', false],
  ])('tells whether %s is on loopback', (address, answer) => {
    expect(isLoopbackTarget(address)).toBe(answer);
  });
});

const ELSEWHERE = 'http://127.0.0.1:9';

it.each<[string, Partial<RunPlan>, string | undefined, number?]>([
  ['nothing for a receiver that the target reaches', {}, undefined],
  [
    'its address for one that the target does not reach',
    { receiver: { publicUrl: `${ELSEWHERE}/hooks`, port: 0 } },
    ELSEWHERE,
    500,
  ],
  ['nothing where no destination may be created', { ceiling: 'E1' }, undefined],
])('unreachableReceiver returns %s', async (_, changes, address, withinMs) => {
  const { baseUrl, key, close } = await startTarget();
  closedAfterTest({ close });
  const known = { environment: 'test', accountId: undefined } as const;
  const target = targetOf({ kind: 'external', baseUrl, key, ...known });
  const found = await (
    await fetch(`${baseUrl}/accounts/self`, { headers: { [target.keyPlace.header]: key } })
  ).json();
  const plan = defaultPlan({ ...target, accountId: found.account_id }, changes);

  expect(await unreachableReceiver(plan, withinMs)).toBe(address);
  const left = await fetch(`${baseUrl}/webhooks`, { headers: { [target.keyPlace.header]: key } });
  expect((await left.json()).items).toEqual([]);
});
