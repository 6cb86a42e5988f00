import { instant } from '../calls.ts';
import { addressOf, type Hook, isEnabled, standing, TOPIC } from '../hooks.ts';
import type { Aspect, Stage } from './aspect.ts';

/** The existing destinations, by each filter and by id. Removed ones must not be found. */
export const destinations: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  for (const query of QUERIES) {
    const { enabled, connect } = query;
    const fit = standing(world.hooks)
      .filter((hook) => enabled === undefined || isEnabled(hook) === enabled)
      .filter((hook) => connect === undefined || hook.connect === connect);
    const items = fit.map((hook) => destination(hook, stage)).reverse();
    const found = await call('listWebhooks', { query });
    yield [`listWebhooks ${JSON.stringify(query)}`, found, { items, total_count: items.length }];
  }
  for (const hook of world.hooks) {
    const path = { webhookId: ids.hooks[hook.index] as string };
    if (hook.removedAt === undefined) {
      yield [`w${hook.index}`, await call('getWebhook', { path }), destination(hook, stage)];
      continue;
    }
    await call('getWebhook', { path }, [404]);
    await call('updateWebhook', { path, body: { enabled: true } }, [422]);
    await call('deleteWebhook', { path }, [422]);
    await call('testWebhook', { path: { ...path, topic: TOPIC }, body: {} }, [404]);
  }
};

const QUERIES: readonly { readonly enabled?: boolean; readonly connect?: boolean }[] = [
  {},
  { enabled: true },
  { enabled: false },
  { connect: true },
  { connect: false },
  { enabled: true, connect: false },
];

function destination(hook: Hook, { ids }: Stage): object {
  const { index, topics, connect, createdAt, toggles } = hook;
  return {
    ...{ id: ids.hooks[index], url: addressOf(hook, ids), topics, connect },
    enabled: isEnabled(hook),
    created_at: instant(createdAt),
    updated_at: instant(toggles.at(-1) ?? createdAt),
  };
}
