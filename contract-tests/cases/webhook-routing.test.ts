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
  refused,
  send,
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
  // WHK-08: per-destination test → 202 `evt_` id, found in the log with topic and that destination
  // matched
  check('WHK-08', async (t) => {
    const webhook = await aWebhook(t);
    const id = await dispatch(webhook);
    const item = await logged(id);

    expect(id).toMatch(/^evt_/);
    expect(item).toMatchObject({ id, topic: TOPIC });
    expect(isMatched(item, webhook)).toBe(true);
    expect(Date.parse(item.time)).not.toBeNaN();
  });

  // WHK-11: test to unknown destination → 404
  check('WHK-11', async () => {
    const path = { webhookId: unknownId('dst'), topic: TOPIC };
    await call('testWebhook', { path, body: DATA }, [404]);
  });

  // WHK-87: test dispatch for an unknown connected account, to one destination and to all, and for a known one to an
  // unknown destination → 404
  check('WHK-87', async (t) => {
    const { id: webhookId } = await aWebhook(t, { connect: true });
    const { id: connectedAccountId } = await aConnectedAccount();
    const path = { webhookId, topic: TOPIC, connectedAccountId: unknownId('acc') };
    await call('testConnectedWebhook', { path, body: DATA }, [404]);
    await call('testConnectedWebhooks', { path, body: DATA }, [404]);
    const elsewhere = { ...path, webhookId: unknownId('dst'), connectedAccountId };
    await call('testConnectedWebhook', { path: elsewhere, body: DATA }, [404]);
  });

  // WHK-20: test dispatch to an unknown topic, to one destination and to all → 404
  check('WHK-20', async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id, topic: 'contract.unheard_of' };
    await call('testWebhook', { path, body: DATA }, [404]);
    await call('testWebhooks', { path, body: DATA }, [404]);
  });

  // WHK-27: test dispatch without body → rejected; nested object and array come back as data
  check('WHK-27', async (t) => {
    const webhook = await aWebhook(t);
    const path = { webhookId: webhook.id, topic: TOPIC };
    await refused('testWebhook', { path });
    const nested = { user: { id: 'u-1', tags: ['a', 'b'] }, count: 2 };

    const list = [1, { two: [null, 'x'] }];

    expect((await logged(await dispatch(webhook, nested))).data).toEqual(nested);
    expect((await logged(await dispatch(webhook, list))).data).toEqual(list);
  });

  // WHK-33: a test event sent to one destination reaches it whatever its topics; a disabled one → 202, no match
  check('WHK-33', async (t) => {
    const other = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const off = await aWebhook(t);
    await api('updateWebhook', { path: { webhookId: off.id }, body: { enabled: false } }, 200);
    const reached = await logged(await dispatch(other));
    const unreached = await logged(await dispatch(off));

    expect([isMatched(reached, other), isMatched(unreached, off)]).toEqual([true, false]);
  });
});

describe('routing of webhook events', () => {
  // WHK-09: destination with other topics is not matched; one with `*` or with the topic is
  check('WHK-09', async (t) => {
    const all = await aWebhook(t);
    const elsewhere = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const named = await aWebhook(t, { topics: ['contract.unheard_of', TOPIC] });
    const { subscriptionId } = await activation();
    const item = await activationItem(subscriptionId);

    expect([all, named, elsewhere].map((one) => isMatched(item, one))).toEqual([true, true, false]);
  });

  // WHK-10: connect true is not matched by events of the platform, nor connect false by those of connected accounts
  check('WHK-10', async (t) => {
    const account = await aConnectedAccount();
    const platform = await aWebhook(t);
    const connected = await aWebhook(t, { connect: true });
    const own = await activationItem((await activation()).subscriptionId);
    const path = { webhookId: connected.id, topic: TOPIC, connectedAccountId: account.id };
    const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
    const foreign = await logged(id);

    expect([isMatched(own, platform), isMatched(own, connected)]).toEqual([true, false]);
    expect([isMatched(foreign, platform), isMatched(foreign, connected)]).toEqual([false, true]);
  });

  // WHK-24: disabled destination is not matched; enabled again, it is
  check('WHK-24', async (t) => {
    const webhook = await aWebhook(t);
    const path = { webhookId: webhook.id };
    await api('updateWebhook', { path, body: { enabled: false } }, 200);
    const off = await activationItem((await activation()).subscriptionId);
    await api('updateWebhook', { path, body: { enabled: true } }, 200);
    const on = await activationItem((await activation()).subscriptionId);

    expect([isMatched(off, webhook), isMatched(on, webhook)]).toEqual([false, true]);
  });

  // WHK-25: test of a topic → 202, every destination of the run that is subscribed to it is matched; only if the target
  // has no other destinations
  check('WHK-25', async (t) => {
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
  });

  // WHK-26: test of one destination for a connected account → 202, matched; with a receiver the
  // envelope has account_id
  check('WHK-26', async (t) => {
    const { id: accountId } = await aFreshAccount();
    const webhook = await aWebhook(t, { connect: true });
    const path = { webhookId: webhook.id, topic: TOPIC, connectedAccountId: accountId };
    const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);

    expect(isMatched(await logged(id), webhook)).toBe(true);
  });

  check(
    'WHK-26',
    { title: 'with a receiver the envelope has the account_id of the connected account' },
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

  // WHK-86: test events of the platform and of a connected account, sent to one destination and to all → requests only at
  // destinations with connect false and true respectively
  for (const isToAll of [false, true])
    check(
      'WHK-86',
      isToAll ? { effect: 'E4', title: 'sent to all' } : { effect: 'E3', title: 'sent to one' },
      async (t) => {
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

  // WHK-28: usage event submitted → no new item in the webhook log, before that of a later test event
  check('WHK-28', async (t) => {
    const { customer, product } = await aSubscriber();
    const webhook = await aWebhook(t);
    const first = await dispatch(webhook);
    await aUsageEvent(customer, product.eventType);
    const sentinel = await dispatch(webhook);
    await logged(sentinel);
    const ids = (await log({ destination_id: [webhook.id] })).map(({ id }) => id);

    expect(ids).toEqual([sentinel, first]);
  });
});
