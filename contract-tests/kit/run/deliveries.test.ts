import { expect, it } from 'vitest';
import { closedAfterTest } from '../../testing/server.ts';
import { defaultPlan, type RunPlan, targetOf } from '../plan.ts';
import { startTarget } from '../target/session.ts';
import { unreachableReceiver } from './deliveries.ts';

const ELSEWHERE = 'http://127.0.0.1:9';

it.each<[string, Partial<RunPlan>, string | undefined]>([
  ['nothing for a receiver that the target reaches', {}, undefined],
  [
    'its address for one that the target does not reach',
    { receiver: { publicUrl: `${ELSEWHERE}/hooks`, port: 0 } },
    ELSEWHERE,
  ],
  ['nothing where no destination may be created', { ceiling: 'E1' }, undefined],
])('unreachableReceiver returns %s', { timeout: 30_000 }, async (_, changes, address) => {
  const { baseUrl, key, close } = await startTarget();
  closedAfterTest({ close });
  const known = { environment: 'test', accountId: undefined } as const;
  const target = targetOf({ kind: 'external', baseUrl, key, ...known });
  const found = await (
    await fetch(`${baseUrl}/accounts/self`, { headers: { [target.keyPlace.header]: key } })
  ).json();
  const plan = defaultPlan({ ...target, accountId: found.account_id }, changes);

  expect(await unreachableReceiver(plan)).toBe(address);
  const left = await fetch(`${baseUrl}/webhooks`, { headers: { [target.keyPlace.header]: key } });
  expect((await left.json()).items).toEqual([]);
});
