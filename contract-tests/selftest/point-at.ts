import { defaultPlan, type RunPlan, targetOf } from '../kit/plan.ts';
import { beginSession } from '../kit/target/session.ts';

/**
 * Starts a new session against this target, as for an emulator that the run started.
 *
 * @param changes fields of the plan that differ from the default plan
 * @param key opens a world of its own
 */
export async function pointAt(
  baseUrl: string,
  changes: Partial<RunPlan> = {},
  key = 'key_test_selftest',
): Promise<void> {
  const target = targetOf({ kind: 'ours', environment: 'test', baseUrl, key });
  await beginSession(defaultPlan(target, changes));
}
