import {
  aConnectedAccount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aWebhook,
  type CheckContext,
  call,
  check,
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

check(
  'WHK-08',
  {
    requirement: 'R-CONV-14 R-WHK-05 R-WHK-06 R-WHK-29 R-WHK-34 R-WHK-45 R-WHK-46 R-WHK-56',
    effect: 'E2',
    partly: 'A-1207',
  },
  'per-destination test → 202 `evt_` id, found in the log with topic, data and that destination matched, whatever its topics; a disabled one is not',
  async (t) => {
    const webhook = await aWebhook(t);
    const id = await dispatch(webhook);
    const item = await logged(id);

    expect(id).toMatch(/^evt_/);
    expect(item).toMatchObject({ id, topic: TOPIC, data: DATA });
    expect(isMatched(item, webhook), 'the destination is matched').toBe(true);
    expect(Date.parse(item.time), 'time').not.toBeNaN();

    await assuming('A-1207', async () => {
      const other = await aWebhook(t, { topics: ['contract.unheard_of'] });
      expect(isMatched(await logged(await dispatch(other)), other), 'another topic').toBe(true);
      await enable(webhook, false);
      const unheard = await logged(await dispatch(webhook));
      expect(isMatched(unheard, webhook), 'while it is disabled').toBe(false);
    });
  },
);

check(
  'WHK-11',
  { requirement: 'R-ERR-10 R-WHK-32 R-WHK-50', effect: 'E1', partly: 'A-1202' },
  'test to an unknown destination, and for an unknown connected account to one destination and to all, or of an unknown topic → 404',
  async (t) => {
    const [{ id: webhookId }, { id }] = [await aWebhook(t), await aConnectedAccount()];
    const [unknown, path] = [unknownId('dst'), { topic: TOPIC, webhookId }];
    const nobody = { ...path, connectedAccountId: unknownId('acc') };
    for (const [operation, at] of [
      ['testWebhook', { ...path, webhookId: unknown }],
      ['testConnectedWebhook', { ...path, webhookId: unknown, connectedAccountId: id }],
      ['testConnectedWebhook', nobody],
      ['testConnectedWebhooks', nobody],
    ] as const)
      await call(operation, { path: at, body: DATA }, [404]);
    const unheard = { ...path, topic: 'contract.unheard_of' };
    for (const operation of ['testWebhook', 'testWebhooks'] as const)
      await assuming('A-1202', () => call(operation, { path: unheard, body: DATA }, [404]));
  },
);

check(
  'WHK-09',
  { requirement: 'R-WHK-10 R-WHK-11 R-WHK-37 R-WHK-38 R-WHK-49', effect: 'E3' },
  'destinations with topics that begin, end, contain or resemble that of an activation, alone and in lists, at creation and by update → matched only if the topic itself or * is in the list, it is enabled, and not for connected accounts',
  async (t) => {
    const matchedBy = await aWebhookForEachList(t, false);
    const [connected, off] = [await aWebhook(t, { connect: true }), await aWebhook(t)];
    await enable(off, false);
    const item = await activationItem((await activation()).subscriptionId);
    await enable(off, true);
    const next = await activationItem((await activation()).subscriptionId);

    expect(matchedBy(item)).toEqual(MATCHED);
    expect(isMatched(item, connected), 'for connected accounts').toBe(false);
    expect([isMatched(item, off), isMatched(next, off)], 'disabled, then enabled').toEqual([
      ...[false, true],
    ]);
  },
);

check(
  'WHK-25',
  { requirement: 'R-WHK-28 R-WHK-30 R-WHK-37 R-WHK-38', effect: 'E4' },
  'test of a topic, for the platform and for a connected account → 202, every destination of the run that is subscribed to it is matched, and none for the other; only if the target has no other destinations',
  async (t) => {
    const { id } = await aConnectedAccount();
    for (const accountId of [undefined, id]) {
      const matchedBy = await aWebhookForEachList(t, accountId !== undefined);
      const other = await aWebhook(t, { connect: accountId === undefined });
      const item = await logged(await dispatchToAll(accountId));

      expect(matchedBy(item), accountId ?? 'the platform').toEqual(MATCHED);
      expect(isMatched(item, other), 'one that is for the other').toBe(false);
    }
  },
);

check(
  'WHK-28',
  { requirement: 'R-WHK-47', effect: 'E3' },
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
