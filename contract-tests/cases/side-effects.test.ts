import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  eventually,
  expect,
  now,
} from '../kit/index.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { isMatched, isOf, log, TOPIC } from './shared/webhooks.ts';

/** The log items of some subscriptions' activations, oldest first. */
async function activationsOf(ids: readonly string[]) {
  const items = await log({ time_gte: now(-120_000) });
  return items.filter((item) => ids.some((id) => isOf(id)(item))).reverse();
}

const activated = (id: string) =>
  eventually(
    () => activationsOf([id]),
    (seen) => seen.length > 0,
  );

check(
  'WHK-48',
  { requirement: ['R-WHK-06', 'R-WHK-22', 'R-WHK-23', 'R-WHK-37'], level: 'MUST', effect: 'E3' },
  'topics changed by update, a destination removed → the next event is matched by the current state, former log items stay unchanged',
  async (t) => {
    const [one, other] = [await aWebhook(t, { topics: [TOPIC] }), await aWebhook(t)];
    const another = async () => {
      const { id } = await subscribe(await aFreshCustomer(), to(await aFreshProduct()));
      return (await activated(id))[0];
    };
    const first = await another();
    const path = { webhookId: one.id };
    await api('updateWebhook', { path, body: { topics: ['contract.unheard_of'] } }, 200);
    const second = await another();
    await api('updateWebhook', { path, body: { topics: ['*'], url: blackHole() } }, 200);
    await call('deleteWebhook', { path: { webhookId: other.id } }, [204]);
    const third = await another();

    expect([first, second, third].map((item) => isMatched(item, one))).toEqual([true, false, true]);
    expect([first, second, third].map((item) => isMatched(item, other))).toEqual([
      true,
      true,
      false,
    ]);
  },
);
