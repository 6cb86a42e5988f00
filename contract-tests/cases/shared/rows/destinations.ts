import { api, blackHole, expect } from '../../../kit/index.ts';
import { each, pick, type Resource } from '../fields.ts';
import { TOPIC } from '../webhooks.ts';

export const destinations: Resource = async (_, t) => ({
  operation: 'createWebhook',
  state: async () => (await api('listWebhooks', {}, 200)).items,
  required: ['url'],
  request: async (fields) => ({ body: { url: blackHole(), ...fields } }),
  async shown({ id, secret, created_at }) {
    t.afterwards(() => api('deleteWebhook', { path: { webhookId: id } }, 204));
    const { items, ...page } = await api('listWebhooks', {}, 200);
    const detail = await api('getWebhook', { path: { webhookId: id } }, 200);
    const { secret: shown, ...listed } = detail;
    expect(id).toMatch(/^(dst|whd)_/);
    expect([shown === secret, secret === ''], 'secret as at creation').toEqual([true, false]);
    expect(detail, 'of a new destination').toMatchObject({ enabled: true, created_at });
    expect(items.find((item) => item.id === id)).toEqual(listed);
    expect(page, 'no limit and no offset').toEqual({ total_count: items.length });
    return [pick(detail, ['url', 'topics', 'connect'])];
  },
  presets: { topics: ['*'], connect: false },
  kept: [
    { url: blackHole(), topics: [TOPIC, 'contract.unheard_of'], connect: true },
    { topics: ['contract.b', 'contract.a', '*'], connect: false },
  ],
  wrong: each('url', [undefined, 'nowhere']),
  beyond: { 'A-1201': each('url', [blackHole().replace('//', '//user:secret@')]) },
});
