import { api, aWebhook, blackHole, check, describe, eventually, expect } from '../kit/index.ts';
import { dispatch, TOPIC } from './shared/webhooks.ts';

describe('updates of webhook destinations', () => {
  const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

  check(
    'WHK-50',
    { requirement: ['R-WHK-02', 'R-WHK-04'], level: 'MUST', effect: 'E2' },
    'a destination read, listed and tested → updated_at unchanged; updated → later; created_at and secret never change, and the list shows everything but the secret',
    async (t) => {
      const { id } = await aWebhook(t, { topics: [TOPIC] });
      const before = await shown(id);
      await dispatch({ id } as never);
      const { items } = await api('listWebhooks', {}, 200);
      const { secret, ...rest } = before;

      expect(await shown(id)).toEqual(before);
      expect(items.find((item) => item.id === id)).toEqual(rest);
      const path = { webhookId: id };
      const update = () => api('updateWebhook', { path, body: { url: blackHole() } }, 200);
      const changed = await eventually(update, ({ updated_at }) => updated_at > before.updated_at);
      const after = await shown(id);

      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      expect([after.updated_at, after.url]).toEqual([changed.updated_at, changed.url]);
      expect([after.created_at, after.secret]).toEqual([before.created_at, secret]);
    },
  );

  check(
    'WHK-51',
    { requirement: ['R-WHK-10', 'R-WHK-22'], level: 'MUST', effect: 'E2' },
    'enabled left out at creation → enabled; left out at updates of a disabled destination → disabled until an update sets it; topics and connect unchanged by updates of others',
    async (t) => {
      const { id } = await aWebhook(t, { topics: [TOPIC], connect: true });
      const path = { webhookId: id };
      const update = (body: object) => api('updateWebhook', { path, body }, 200);
      const kept = async () => {
        const { enabled, topics, connect } = await shown(id);
        return { enabled, topics, connect };
      };
      expect(await kept()).toEqual({ enabled: true, topics: [TOPIC], connect: true });
      await update({ enabled: false });
      for (const body of [{}, { url: blackHole() }, { url: blackHole() }]) {
        await update(body);
        expect(await kept()).toEqual({ enabled: false, topics: [TOPIC], connect: true });
      }
      const topics = ['contract.unheard_of', TOPIC];
      await update({ topics });
      expect(await kept()).toEqual({ enabled: false, topics, connect: true });
      await update({ enabled: true });
      expect(await kept()).toEqual({ enabled: true, topics, connect: true });
    },
  );
});
