import { api, aWebhook, blackHole, check, eventually, expect } from '../kit/index.ts';
import { dispatch, TOPIC } from './shared/webhooks.ts';

const shown = (webhookId: string) => api('getWebhook', { path: { webhookId } }, 200);

check(
  'WHK-50',
  { requirement: ['R-WHK-02', 'R-WHK-04', 'R-WHK-10', 'R-WHK-22'], level: 'MUST', effect: 'E2' },
  'a destination read, listed and tested → unchanged, enabled by default, and the list shows everything but the secret; updated by one field → that one and a later updated_at, all others as before',
  async (t) => {
    const { id } = await aWebhook(t, { topics: [TOPIC], connect: true });
    let { updated_at, ...known } = await shown(id);
    expect(known).toMatchObject({ enabled: true, topics: [TOPIC], connect: true });
    await dispatch({ id } as never);
    const { items } = await api('listWebhooks', {}, 200);
    const { secret: _, ...listed } = { ...known, updated_at };

    expect(await shown(id)).toEqual({ ...known, updated_at });
    expect(items.find((item) => item.id === id)).toEqual(listed);
    for (const body of [
      { enabled: false },
      { url: blackHole() },
      { topics: ['contract.unheard_of', TOPIC] },
      { url: blackHole() },
      { enabled: true },
    ]) {
      const update = () => api('updateWebhook', { path: { webhookId: id }, body }, 200);
      const changed = await eventually(update, (now) => now.updated_at > updated_at);
      known = { ...known, ...body };
      updated_at = changed.updated_at;
      expect(await shown(id), JSON.stringify(body)).toEqual({ ...known, updated_at });
    }
    await api('updateWebhook', { path: { webhookId: id }, body: {} }, 200);
    expect(await shown(id), 'after an empty update').toMatchObject(known);
  },
);
