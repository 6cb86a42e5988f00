import {
  ADDRESSES,
  aFreshCustomer,
  aFreshProduct,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
} from '../kit/index.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
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

describe('updates of subscriptions', () => {
  check(
    'SUB-41',
    {
      requirement: ['R-SUB-04', 'R-SUB-41'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-606', 'A-307'],
    },
    'renews_at of null, at creation and by update → a perpetual subscription without renews_at; set again → as given; in the past → rejected',
    async () => {
      const product = await aFreshProduct();
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const none = await subscribe(customer, { ...to(product), renews_at: null });
      const body = { ...to(product), ...ADDRESSES, renews_at: now(DAY_MS) };
      const given = await subscribe(customer, body);
      const of = { ...path, subscriptionId: given.id };
      const renewal = async () => {
        const { subscriptions } = await api('getCustomer', { path }, 200);
        return subscriptions?.find((each) => each.id === given.id)?.renews_at ?? null;
      };
      const update = (renews_at: unknown, status: number) =>
        call('updateSubscription', { path: of, body: { renews_at } }, [status]);
      const later = now(2 * DAY_MS);

      expect(none.renews_at ?? null).toBeNull();
      expect(await renewal()).toBe(body.renews_at);
      await update(null, 204);
      expect(await renewal()).toBeNull();
      await update(later, 204);
      expect(await renewal()).toBe(later);
      await update(now(-1_000), 422);
      expect(await renewal()).toBe(later);
    },
  );
});
