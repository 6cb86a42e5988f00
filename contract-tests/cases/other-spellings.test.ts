import {
  aConnectedAccount,
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  eventually,
  expect,
  spellingsOf,
} from '../kit/index.ts';
import { DATA, isMatched, log, logged, TOPIC } from './shared/webhooks.ts';

describe('both prefixes of destination ids', () => {
  // WHK-80: each operation and filter that takes a destination's id, with it as dst_ and as whd_ → the same destination: read,
  // updated, tested for the platform and for an account, deleted; in the log alone, with others, twice, with a status and by
  // cursor
  check('WHK-80', async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const connected = await aWebhook(t, { connect: true });
    const { id: connectedAccountId } = await aConnectedAccount();
    const topic = TOPIC;
    const sent: string[] = [];
    for (const webhookId of spellingsOf(one.id)) {
      const url = blackHole();
      const body = { url };
      expect((await api('updateWebhook', { path: { webhookId }, body }, 200)).url).toBe(url);
      for (const each of spellingsOf(one.id))
        expect((await api('getWebhook', { path: { webhookId: each } }, 200)).url).toBe(url);
      const path = { webhookId, topic };
      sent.unshift((await call('testWebhook', { path, body: DATA }, [202])).body.id);
    }
    for (const webhookId of spellingsOf(connected.id)) {
      const path = { webhookId, topic, connectedAccountId };
      const { id } = (await call('testConnectedWebhook', { path, body: DATA }, [202])).body;
      expect(isMatched(await logged(id), connected)).toBe(true);
    }
    const found = async (destination_id: readonly string[], more: object = {}) =>
      (await log({ destination_id, ...more })).map(({ id }) => id);
    const [dst, whd] = spellingsOf(one.id) as [string, string];
    for (const ids of [[dst], [whd], [whd, dst], [dst, ...spellingsOf(other.id)]])
      expect(await found(ids), ids.join()).toEqual(sent);
    for (const id of spellingsOf(other.id)) expect(await found([id])).toEqual([]);
    for (const id of [dst, whd]) {
      const failed = () => found([id], { status: 'Failed' });
      expect(await eventually(failed, ({ length }) => length === 2)).toEqual(sent);
      expect(await found([id], { status: 'Success' })).toEqual([]);
    }
    const query = { destination_id: [whd], limit: 1 };
    const { items, pagination } = await api('listWebhookEvents', { query }, 200);
    const next = { ...query, next: pagination.next as string };
    const second = await api('listWebhookEvents', { query: next }, 200);
    expect([...items, ...second.items].map(({ id }) => id)).toEqual(sent);

    for (const [webhook, place] of [
      [one, 0],
      [other, 1],
    ] as const) {
      const webhookId = spellingsOf(webhook.id)[place] as string;
      await api('deleteWebhook', { path: { webhookId } }, 204);
      for (const each of spellingsOf(webhook.id))
        await api('getWebhook', { path: { webhookId: each } }, 404);
    }
  });
});

describe('wallet account ids', () => {
  // WAL-68: the id of an account with its asset code in lower and in mixed case, and percent-encoded → the same account and
  // the same grants; the same code in another account, and a longer one → not it
  check('WAL-68', async () => {
    const { code } = await aFreshAsset({ precision: 2 });
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { asset: code, amount: 3 });
    await anAdjustment(customer, { asset: 'USD', amount: 5, account_name: 'default' });
    const mixed = code.toLowerCase().replace(/^./, (first) => first.toUpperCase());
    for (const name of [code, code.toLowerCase(), mixed]) {
      const path = { customerId: customer.id, accountId: `default:${name}` };
      for (const isPlainPath of [false, true]) {
        const { body } = await call('getWalletAccount', { path, isPlainPath }, [200]);
        expect(body).toMatchObject({ id: `default:${code}`, asset: code, available: 3 });
        const grants = (await call('listGrants', { path, isPlainPath }, [200])).body.items;
        expect(grants).toMatchObject([{ available: 3 }]);
      }
      for (const accountId of [`other:${name}`, `default:${name}0`, `default ${name}`]) {
        await call('getWalletAccount', { path: { ...path, accountId } }, [404]);
        await call('listGrants', { path: { ...path, accountId } }, [404]);
      }
    }
  });
});
