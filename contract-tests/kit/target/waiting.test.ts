import { beforeAll, describe, expect, it } from 'vitest';
import { defaultPlan, targetOf } from '../plan.ts';
import { now } from './names.ts';
import { beginSession } from './session.ts';
import { aheadOf } from './waiting.ts';

beforeAll(async () => {
  const baseUrl = 'http://127.0.0.1:9';
  const target = targetOf({ kind: 'ours', environment: 'test', baseUrl, key: 'key_test_x' });
  await beginSession(defaultPlan(target));
});

/** Resolves once the instant is in the past. */
async function past(instant: string): Promise<void> {
  while (now() <= instant) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('aheadOf', () => {
  it('repeats a step that ended after its instant, with more time', async () => {
    const instants: string[] = [];
    const seen = await aheadOf(async (instant) => {
      instants.push(instant);
      if (instants.length === 1) await past(instant);
      return instants.length;
    });

    expect(seen).toBe(2);
    expect(Date.parse(instants[1] ?? '')).toBeGreaterThan(Date.parse(instants[0] ?? '') + 500);
  });

  it('repeats a step that failed after its instant, and throws if it fails before', async () => {
    let tries = 0;
    const begun = aheadOf(async (instant) => {
      tries += 1;
      if (tries === 1) await past(instant);
      throw new Error(`try ${tries}`);
    });

    await expect(begun).rejects.toThrow('try 2');
  });
});
