import {
  aConnectedAccount,
  api,
  aSubscriber,
  aUsageEvent,
  aWebhook,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  type OwnWebhook,
  unknownId,
} from '../kit/index.ts';
import {
  activation,
  activationItem,
  DATA,
  dispatch,
  dispatchToAll,
  type Item,
  isMatched,
  log,
  logged,
  TOPIC,
  TOPIC_LISTS,
} from './shared/webhooks.ts';

const enable = ({ id }: OwnWebhook, enabled: boolean) =>
  api('updateWebhook', { path: { webhookId: id }, body: { enabled } }, 200);

/** Sends a test event for a connected account to one destination. Returns its item in the log. */
async function testFor(connectedAccountId: string, { id: webhookId }: OwnWebhook): Promise<Item> {
  const path = { webhookId, topic: TOPIC, connectedAccountId };
  const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
  return logged(id);
}

/** A destination for each list of topics; every other one gets its topics by an update. */
async function aWebhookForEachList(t: CheckContext, connect: boolean) {
  const made: { readonly webhook: OwnWebhook; readonly topics: readonly string[] }[] = [];
  for (const [index, [topics]] of TOPIC_LISTS.entries()) {
    const isUpdated = index % 2 === 1;
    const webhook = await aWebhook(t, { connect, topics: isUpdated ? ['*'] : topics });
    const path = { webhookId: webhook.id };
    if (isUpdated) await api('updateWebhook', { path, body: { topics } }, 200);
    made.push({ webhook, topics });
  }
  return (item: Item) =>
    made.filter(({ webhook }) => isMatched(item, webhook)).map(({ topics }) => topics);
}

const MATCHED = TOPIC_LISTS.filter(([, isWanted]) => isWanted).map(([topics]) => topics);

describe('test events', () => {
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
    'per-destination test → 202 `evt_` id, found in the log with topic, data and that destination matched',
    async (t) => {
      const webhook = await aWebhook(t);
      const id = await dispatch(webhook);
      const item = await logged(id);

      expect(id).toMatch(/^evt_/);
      expect(item).toMatchObject({ id, topic: TOPIC, data: DATA });
      expect(isMatched(item, webhook), 'the destination is matched').toBe(true);
      expect(Date.parse(item.time), 'time').not.toBeNaN();
    },
  );

  check(
    'WHK-11',
    { requirement: ['R-ERR-10', 'R-WHK-32'], level: 'MUST', effect: 'E1' },
    'test to an unknown destination, and for an unknown connected account to one destination and to all → 404',
    async (t) => {
      const [{ id: webhookId }, { id }] = [
        await aWebhook(t, { connect: true }),
        await aConnectedAccount(),
      ];
      const [unknown, path] = [unknownId('dst'), { topic: TOPIC, webhookId }];
      const nobody = { ...path, connectedAccountId: unknownId('acc') };
      for (const [operation, at] of [
        ['testWebhook', { ...path, webhookId: unknown }],
        ['testConnectedWebhook', { ...path, webhookId: unknown, connectedAccountId: id }],
        ['testConnectedWebhook', nobody],
        ['testConnectedWebhooks', nobody],
      ] as const)
        await call(operation, { path: at, body: DATA }, [404]);
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
      await enable(off, false);
      const reached = await logged(await dispatch(other));
      const unreached = await logged(await dispatch(off));

      expect([isMatched(reached, other), isMatched(unreached, off)]).toEqual([true, false]);
    },
  );
});

describe('destinations of an event', () => {
  check(
    'WHK-09',
    { requirement: ['R-WHK-37', 'R-WHK-38', 'R-WHK-49'], level: 'MUST', effect: 'E3' },
    'destinations with topics that begin, end, contain or resemble that of an activation, alone and in lists, at creation and by update → matched only if the topic itself or * is in the list',
    async (t) => {
      const matchedBy = await aWebhookForEachList(t, false);
      const { subscriptionId } = await activation();

      expect(matchedBy(await activationItem(subscriptionId))).toEqual(MATCHED);
    },
  );

  check(
    'WHK-25',
    { requirement: ['R-WHK-28', 'R-WHK-37', 'R-WHK-38'], level: 'MUST', effect: 'E4' },
    'test of a topic, for the platform and for a connected account → 202, every destination of the run that is subscribed to it is matched; only if the target has no other destinations',
    async (t) => {
      const { id } = await aConnectedAccount();
      for (const accountId of [undefined, id]) {
        const matchedBy = await aWebhookForEachList(t, accountId !== undefined);
        const item = await logged(await dispatchToAll(accountId));

        expect(matchedBy(item), accountId ?? 'the platform').toEqual(MATCHED);
      }
    },
  );

  check(
    'WHK-10',
    {
      requirement: ['R-WHK-30', 'R-WHK-31', 'R-WHK-40', 'R-WHK-41'],
      level: 'MUST',
      effect: 'E3',
    },
    'connect true is not matched by events of the platform, nor connect false by those of connected accounts',
    async (t) => {
      const account = await aConnectedAccount();
      const platform = await aWebhook(t);
      const connected = await aWebhook(t, { connect: true });
      const own = await activationItem((await activation()).subscriptionId);
      const foreign = await testFor(account.id, connected);

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
      const isMatchedBy = async () =>
        isMatched(await activationItem((await activation()).subscriptionId), webhook);
      await enable(webhook, false);
      const whileOff = await isMatchedBy();
      await enable(webhook, true);

      expect([whileOff, await isMatchedBy()]).toEqual([false, true]);
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
