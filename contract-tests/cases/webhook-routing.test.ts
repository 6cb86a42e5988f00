import {
  aConnectedAccount,
  aFreshAccount,
  api,
  aReceiver,
  aSubscriber,
  assuming,
  aUsageEvent,
  aWebhook,
  call,
  check,
  describe,
  expect,
  send,
  table,
  unknownId,
} from '../kit/index.ts';
import {
  activation,
  activationItem,
  DATA,
  dispatch,
  isMatched,
  log,
  logged,
  TOPIC,
} from './shared/webhooks.ts';

describe('testWebhook', () => {
  check(
    'WHK-08',
    {
      requirement: [
        'R-CONV-14',
        'R-WHK-05',
        'R-WHK-06',
        'R-WHK-29',
        'R-WHK-34',
        'R-WHK-45',
        'R-WHK-46',
      ],
      level: 'MUST',
      effect: 'E2',
    },
    'per-destination test → 202 `evt_` id, found in the log with topic and that destination matched',
    async (t) => {
      const webhook = await aWebhook(t);
      const id = await dispatch(webhook);
      const item = await logged(id);

      expect(id).toMatch(/^evt_/);
      expect(item).toMatchObject({ id, topic: TOPIC });
      expect(isMatched(item, webhook)).toBe(true);
      expect(Date.parse(item.time)).not.toBeNaN();
    },
  );

  check(
    'WHK-11',
    { requirement: ['R-ERR-10', 'R-WHK-32'], level: 'MUST', effect: 'E1' },
    'test to unknown destination → 404',
    async () => {
      const path = { webhookId: unknownId('dst'), topic: TOPIC };
      await call('testWebhook', { path, body: DATA }, [404]);
    },
  );

  check(
    'WHK-87',
    { requirement: 'R-ERR-10', level: 'MUST', effect: 'E1' },
    'test dispatch for an unknown connected account, to one destination and to all, and for a known one to an unknown destination → 404',
    async (t) => {
      const { id: webhookId } = await aWebhook(t, { connect: true });
      const { id: connectedAccountId } = await aConnectedAccount();
      const path = { webhookId, topic: TOPIC, connectedAccountId: unknownId('acc') };
      await call('testConnectedWebhook', { path, body: DATA }, [404]);
      await call('testConnectedWebhooks', { path, body: DATA }, [404]);
      const elsewhere = { ...path, webhookId: unknownId('dst'), connectedAccountId };
      await call('testConnectedWebhook', { path: elsewhere, body: DATA }, [404]);
    },
  );

  check(
    'WHK-20',
    { requirement: 'R-WHK-50', level: 'ASSUMED', effect: 'E1', assumes: 'A-1202' },
    'test dispatch to an unknown topic, to one destination and to all → 404',
    async (t) => {
      const { id } = await aWebhook(t);
      const path = { webhookId: id, topic: 'contract.unheard_of' };
      await call('testWebhook', { path, body: DATA }, [404]);
      await call('testWebhooks', { path, body: DATA }, [404]);
    },
  );

  check(
    'WHK-33',
    { requirement: 'R-WHK-56', level: 'ASSUMED', effect: 'E2', assumes: 'A-1207' },
    'a test event sent to one destination reaches it whatever its topics; a disabled one → 202, no match',
    async (t) => {
      const other = await aWebhook(t, { topics: ['contract.unheard_of'] });
      const off = await aWebhook(t);
      await api('updateWebhook', { path: { webhookId: off.id }, body: { enabled: false } }, 200);
      const reached = await logged(await dispatch(other));
      const unreached = await logged(await dispatch(off));

      expect([isMatched(reached, other), isMatched(unreached, off)]).toEqual([true, false]);
    },
  );
});

describe('routing of webhook events', () => {
  check(
    'WHK-09',
    { requirement: ['R-WHK-37', 'R-WHK-38'], level: 'MUST', effect: 'E3' },
    'destination with other topics is not matched; one with `*` or with the topic is',
    async (t) => {
      const all = await aWebhook(t);
      const elsewhere = await aWebhook(t, { topics: ['contract.unheard_of'] });
      const named = await aWebhook(t, { topics: ['contract.unheard_of', TOPIC] });
      const { subscriptionId } = await activation();
      const item = await activationItem(subscriptionId);

      expect([all, named, elsewhere].map((one) => isMatched(item, one))).toEqual([
        true,
        true,
        false,
      ]);
    },
  );

  check(
    'WHK-10',
    { requirement: ['R-WHK-30', 'R-WHK-40', 'R-WHK-41'], level: 'MUST', effect: 'E3' },
    'connect true is not matched by events of the platform, nor connect false by those of connected accounts',
    async (t) => {
      const account = await aConnectedAccount();
      const platform = await aWebhook(t);
      const connected = await aWebhook(t, { connect: true });
      const own = await activationItem((await activation()).subscriptionId);
      const path = { webhookId: connected.id, topic: TOPIC, connectedAccountId: account.id };
      const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
      const foreign = await logged(id);

      expect([isMatched(own, platform), isMatched(own, connected)]).toEqual([true, false]);
      expect([isMatched(foreign, platform), isMatched(foreign, connected)]).toEqual([false, true]);
    },
  );

  check(
    'WHK-24',
    { requirement: 'R-WHK-11', level: 'IMPLIED', effect: 'E3' },
    'disabled destination is not matched; enabled again, it is',
    async (t) => {
      const webhook = await aWebhook(t);
      const path = { webhookId: webhook.id };
      await api('updateWebhook', { path, body: { enabled: false } }, 200);
      const off = await activationItem((await activation()).subscriptionId);
      await api('updateWebhook', { path, body: { enabled: true } }, 200);
      const on = await activationItem((await activation()).subscriptionId);

      expect([isMatched(off, webhook), isMatched(on, webhook)]).toEqual([false, true]);
    },
  );

  check(
    'WHK-25',
    { requirement: 'R-WHK-28', level: 'MUST', effect: 'E4' },
    'test of a topic → 202, every destination of the run that is subscribed to it is matched; only if the target has no other destinations',
    async (t) => {
      const [one, other] = [await aWebhook(t), await aWebhook(t, { topics: [TOPIC] })];
      const path = { topic: TOPIC };
      const { id } = await api('testWebhooks', { path, body: DATA as never }, 202);
      const item = await logged(id);

      expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);

      const { id: connectedAccountId } = await aConnectedAccount();
      const connected = await aWebhook(t, { connect: true });
      const ofAccount = { path: { ...path, connectedAccountId }, body: DATA as never };
      const sent = await api('testConnectedWebhooks', ofAccount, 202);

      expect(isMatched(await logged(sent.id), connected)).toBe(true);
    },
  );

  check(
    'WHK-26',
    { requirement: ['R-WHK-31', 'R-WHK-55'], level: 'MUST', effect: 'E3', assumes: 'A-1206' },
    'test of one destination for a connected account → 202, matched; with a receiver the envelope has account_id',
    async (t) => {
      const { id: accountId } = await aFreshAccount();
      const webhook = await aWebhook(t, { connect: true });
      const path = { webhookId: webhook.id, topic: TOPIC, connectedAccountId: accountId };
      const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);

      expect(isMatched(await logged(id), webhook)).toBe(true);
    },
  );

  check(
    'WHK-94',
    { requirement: ['R-WHK-31', 'R-WHK-55'], level: 'MUST', effect: 'E3', assumes: 'A-1206' },
    'test of one destination for a connected account → 202, matched; with a receiver the envelope has account_id: with a receiver the envelope has the account_id of the connected account',
    async (t) => {
      const receiver = await aReceiver(t);
      const { id: connectedAccountId } = await aFreshAccount();
      const webhook = await aWebhook(t, { url: receiver.url, connect: true });
      const path = { webhookId: webhook.id, topic: TOPIC, connectedAccountId };
      const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
      const { body } = await receiver.next((delivery) => delivery.body?.id === id);

      expect(body).toMatchObject({ id, data: DATA });
      await assuming('A-1206', async () => expect(body.account_id).toBe(connectedAccountId));
    },
  );

  table(
    'WHK-86',
    { requirement: ['R-WHK-40', 'R-WHK-41'], level: 'MUST', effect: 'E4', needs: 'receiver' },
    'test events of the platform and of a connected account, sent to one destination and to all → requests only at destinations with connect false and true respectively',
    { 'sent to one': false, 'sent to all': true },
    async (isToAll, t) => {
      const { id: connectedAccountId } = await aConnectedAccount();
      for (const connect of [true, false]) {
        const receiver = await aReceiver(t);
        const { id } = await aWebhook(t, { url: receiver.url, connect });
        const path = { topic: TOPIC, ...(!isToAll && { webhookId: id }) };
        const all = isToAll ? 's' : '';
        const sendAs = (isOfAccount: boolean) =>
          isOfAccount
            ? send(`testConnectedWebhook${all}`, {
                path: { ...path, connectedAccountId },
                body: DATA,
              })
            : send(`testWebhook${all}`, { path, body: DATA });
        await sendAs(!connect);
        const { body: sent } = await sendAs(connect);
        await receiver.next(({ body }) => body?.id === sent.id);

        expect(receiver.deliveries.map(({ body }) => body.id)).toEqual([sent.id]);
      }
    },
  );

  check(
    'WHK-28',
    { requirement: 'R-WHK-47', level: 'MUST', effect: 'E3' },
    'usage event submitted → no new item in the webhook log, before that of a later test event',
    async (t) => {
      const { customer, product } = await aSubscriber();
      const webhook = await aWebhook(t);
      const first = await dispatch(webhook);
      await aUsageEvent(customer, product.eventType);
      const sentinel = await dispatch(webhook);
      await logged(sentinel);
      const ids = (await log({ destination_id: [webhook.id] })).map(({ id }) => id);

      expect(ids).toEqual([sentinel, first]);
    },
  );
});
