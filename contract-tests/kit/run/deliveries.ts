import { aWebhook } from '../builders/objects.ts';
import { exceeds, isLoopbackTarget, type RunPlan } from '../plan.ts';
import type { CheckEntry } from '../registry.ts';
import { type CheckContext, runCheck } from '../run-check.ts';
import { api } from '../target/api.ts';
import { aReceiver, closeReceiver } from '../target/receiver.ts';
import { beginSession } from '../target/session.ts';

const PROBE: CheckEntry = {
  id: 'deliveries',
  title: 'a test event arrives at the receiver of this run',
  level: 'MUST',
  effect: 'E2',
  resource: 'webhooks',
  requirements: [],
  assumes: [],
  needs: [],
};

/**
 * Sends one test event to the receiver of the run. Returns the receiver's address when the service dispatches it and it
 * does not arrive within the time, undefined when it arrives or the target cannot be asked.
 */
export async function unreachableReceiver(
  plan: RunPlan,
  withinMs = 5_000,
): Promise<string | undefined> {
  const { target, ceiling, receiver } = plan;
  const hasReceiver = receiver !== undefined || isLoopbackTarget(target.baseUrl);
  if (target.kind === 'ours' || !hasReceiver || exceeds('E2', ceiling)) return undefined;
  beginSession({ ...plan, selection: { only: [], skip: [] } });
  let address: string | undefined;
  await runCheck(PROBE, async (t: CheckContext) => {
    const { url, next } = await aReceiver(t);
    const { id } = await aWebhook(t, { url });
    const path = { webhookId: id, topic: 'subscription.activated' };
    await api('testWebhook', { path, body: {} }, 202);
    address = new URL(url).origin;
    await next(undefined, withinMs);
    address = undefined;
  });
  await closeReceiver();
  return address;
}
