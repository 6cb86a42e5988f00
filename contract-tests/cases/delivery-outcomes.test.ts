import {
  aConnectedAccount,
  api,
  aReceiver,
  assuming,
  aWebhook,
  check,
  describe,
  expect,
} from '../kit/index.ts';
import { DATA, isMatched, isTried, log, logged, TOPIC } from './shared/webhooks.ts';

/** Sends a test event to all destinations of the platform, or to all that hear of a connected account. */
async function dispatchToAll(connectedAccountId?: string): Promise<string> {
  const body = DATA as never;
  const path = { topic: TOPIC };
  if (connectedAccountId === undefined) return (await api('testWebhooks', { path, body }, 202)).id;
  const place = { ...path, connectedAccountId };
  return (await api('testConnectedWebhooks', { path: place, body }, 202)).id;
}

describe('test events for all destinations', () => {
  // WHK-60: test of a topic with a disabled destination and one of several topics, for the platform and for a connected
  // account → the first neither matched nor tried, by sentinel once it is enabled; the other tried once, and told the
  // connected account
  check('WHK-60', async (t) => {
    for (const accountId of [undefined, (await aConnectedAccount()).id]) {
      const [silent, heard] = [await aReceiver(t), await aReceiver(t)];
      const connect = accountId !== undefined;
      const off = await aWebhook(t, { url: silent.url, connect });
      const on = await aWebhook(t, { url: heard.url, connect, topics: ['*', TOPIC] });
      const enable = (enabled: boolean) =>
        api('updateWebhook', { path: { webhookId: off.id }, body: { enabled } }, 200);
      await enable(false);
      const sent = await dispatchToAll(accountId);
      const { body: told } = await heard.next(({ body }) => body?.id === sent);
      const item = await logged(sent);
      await enable(true);
      const sentinel = await dispatchToAll(accountId);
      for (const { next } of [silent, heard]) await next(({ body }) => body?.id === sentinel);

      expect([isMatched(item, on), isMatched(item, off)]).toEqual([true, false]);
      expect(silent.deliveries.map(({ body }) => body?.id)).toEqual([sentinel]);
      expect(heard.deliveries.map(({ body }) => body?.id)).toEqual([sent, sentinel]);
      await assuming('A-1206', t, async () => expect(told.account_id).toBe(accountId));
    }
  });

  // WHK-61: a test event of two destinations that both acknowledge, and that one or the other refuses → successful
  // only where both did; by destination, each by itself
  check('WHK-61', async (t) => {
    const receivers = [await aReceiver(t), await aReceiver(t)] as const;
    const [one, other] = [
      await aWebhook(t, { url: receivers[0].url }),
      await aWebhook(t, { url: receivers[1].url }),
    ];
    const statuses = async (id: string, destinations: readonly string[]) => {
      const found: string[] = [];
      for (const status of ['Success', 'Failed']) {
        const items = await log({ destination_id: destinations, status });
        if (items.some((item) => item.id === id)) found.push(status);
      }
      return found.join();
    };
    for (const [first, second, wanted] of [
      [204, 204, ['Success', 'Success', 'Success']],
      [204, 500, ['Success', 'Failed', 'Failed']],
      [500, 204, ['Failed', 'Success', 'Failed']],
    ] as const) {
      receivers[0].react(first);
      receivers[1].react(second);
      const id = await dispatchToAll();
      const item = await logged(id, (seen) => isTried(seen, one) && isTried(seen, other));
      const isDone = wanted[2] === 'Success';

      if (!isDone || item.matched_destination_ids.length === 2)
        expect([item.successful_at !== null, item.failed_at !== null]).toEqual([isDone, !isDone]);
      expect([
        await statuses(id, [one.id]),
        await statuses(id, [other.id]),
        await statuses(id, [one.id, other.id]),
      ]).toEqual(wanted);
    }
  });
});
