import { aReceiver, aUnitPrice, check, describe, eventually, expect } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { type Item, TOPIC } from './shared/webhooks.ts';

const OTHER = 'contract.unheard_of';

describe('webhook log beside updates of destinations', () => {
  check(
    'WHK-88',
    {
      requirement: ['R-WHK-06', 'R-WHK-22'],
      level: 'MUST',
      effect: 'E4',
      assumes: ['A-1204', 'A-1205', 'A-1212'],
      needs: 'clock.movable',
    },
    'an activation and test events that one destination acknowledged and another rejected, and one of a connected account; then each destination, also one that matched none, updated by url, topics and enabled, alone and together, rejected updates, destinations added, later events, and all removed → every item as it was, matched destinations and attempts too, alone and by each filter; a retry and the end of one are added to them',
    async (t) => {
      const { call, subscribe, until } = await aCustomerWorld(t);
      const [good, bad] = [
        [await aReceiver(t), await aReceiver(t)],
        [await aReceiver(t), await aReceiver(t)],
      ] as const;
      for (const receiver of bad) receiver.react(500);
      const destination = async (url: string, connect = false, topics = ['*']) =>
        (await call('createWebhook', { body: { url, connect, topics } })).id as string;
      const [heard, failed, connected] = [
        await destination(good[0].url),
        await destination(bad[0].url),
        await destination(good[0].url, true),
      ];
      const { id: connectedAccountId } = await call('createConnectedAccount', {
        body: { name: 'Shop' },
      });
      const path = { topic: TOPIC };
      const aloof = await destination(good[0].url, false, [OTHER]);
      await subscribe([aUnitPrice('call', 1)]);
      await call('testWebhooks', { path, body: { sent: 1 } });
      await call('testWebhook', { path: { ...path, webhookId: failed }, body: { sent: 2 } });
      const of = { ...path, connectedAccountId };
      await call('testConnectedWebhooks', { path: of, body: { sent: 3 } });

      const log = async (query: Record<string, unknown> = {}): Promise<readonly Item[]> =>
        (await call('listWebhookEvents', { query })).items;
      const lists = [undefined, [heard], [failed], [heard, failed, connected], [aloof]];
      const filters = lists.flatMap((destination_id) =>
        [undefined, 'Success', 'Failed'].map((status) => ({
          ...(destination_id && { destination_id }),
          ...(status && { status }),
        })),
      );
      const attempts = ({ metadata }: Item) => (metadata?.['attempts'] ?? []) as readonly object[];
      const done = (count: number) =>
        eventually(
          () => log(),
          (items) => items.flatMap(attempts).length === count,
        );
      const known = (await done(6)).map(({ id }) => id);
      const views = async () => {
        const all: (readonly Item[])[] = [];
        for (const query of filters)
          all.push((await log(query)).filter(({ id }) => known.includes(id)));
        return all;
      };
      const before = await views();
      expect(before.map((items) => items.length)).toEqual([
        ...[4, 1, 3],
        ...[2, 2, 0],
        ...[3, 0, 3],
        ...[4, 1, 3],
        ...[0, 0, 0],
      ]);

      for (const [webhookId, url] of [
        [heard, good[1].url],
        [failed, bad[1].url],
        [connected, good[1].url],
        [aloof, good[1].url],
      ] as const) {
        for (const body of [
          { url },
          { topics: [OTHER] },
          { enabled: false },
          {},
          { enabled: true },
          { url, topics: ['*', OTHER], enabled: false },
          { enabled: true },
        ]) {
          await call('updateWebhook', { path: { webhookId }, body });
          expect(await views(), JSON.stringify(body)).toEqual(before);
        }
        await call('updateWebhook', { path: { webhookId }, body: { url: 'none' } }, [400, 422]);
        expect(await views()).toEqual(before);
      }
      for (const connect of [false, true]) await destination(good[0].url, connect);
      expect(await views()).toEqual(before);
      await call('testWebhook', { path: { ...path, webhookId: heard }, body: { sent: 4 } });
      await done(7);
      expect(await views()).toEqual(before);

      await until('2026-03-01T12:00:05.000Z');
      const [retried] = await views();
      for (const [index, item] of (before[0] ?? []).entries()) {
        const later = retried?.[index] as Item;
        const changed = { failed_at: later.failed_at, metadata: later.metadata };
        expect(later).toEqual(item.failed_at === null ? item : { ...item, ...changed });
        expect(attempts(later).slice(0, attempts(item).length)).toEqual(attempts(item));
        expect(attempts(later).length - attempts(item).length).toBe(
          item.failed_at === null ? 0 : 1,
        );
      }

      const last = await views();
      for (const webhookId of [heard, connected, aloof]) {
        await call('deleteWebhook', { path: { webhookId } });
        expect(await views()).toEqual(last);
      }
      const kept = (items: readonly Item[]) =>
        items.map((item) => ({ ...item, failed_at: 0, metadata: attempts(item).slice(0, 2) }));
      await call('deleteWebhook', { path: { webhookId: failed } });
      expect((await views()).map(kept)).toEqual(last.map(kept));
    },
  );
});
