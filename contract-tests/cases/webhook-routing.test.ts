import {
  type AnyBody,
  aConnectedAccount,
  aCustomerWorld,
  api,
  aReceiver,
  aSubscriber,
  asConnectedAccount,
  assuming,
  aUsageEvent,
  aWebhook,
  type CheckContext,
  check,
  eventually,
  expect,
  isOurs,
  momentOf,
  NotObservable,
  type OwnWebhook,
  signatureFault,
  type WorldCall,
} from '../kit/index.ts';
import {
  activation,
  activationItem,
  DATA,
  dispatch,
  dispatchToAll,
  enable,
  type Item,
  isMatched,
  log,
  logged,
  ODD_DATA,
  signersOf,
  TOPIC,
  TOPIC_LISTS,
} from './shared/webhooks.ts';

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
  'a test event to one destination → 202 with an `evt_` id, in the log with topic, data and that destination, whatever its topics, and no other of its URL; a disabled one is not matched',
  async (t) => {
    const webhook = await aWebhook(t);
    const twin = await aWebhook(t, { url: webhook.url });
    const id = await dispatch(webhook);
    const item = await logged(id);

    expect(id).toMatch(/^evt_/);
    expect(item).toMatchObject({ id, topic: TOPIC, data: DATA });
    expect(isMatched(item, webhook), 'the destination is matched').toBe(true);
    expect(isMatched(item, twin), 'another one of its URL').toBe(false);
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
      false,
      true,
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
  'a usage event submitted → no item in the webhook log before that of a later test event',
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

const isSuccess = ({ successful_at, failed_at }: Item) =>
  successful_at !== null && (failed_at ?? null) === null;

/** The first retry is assumed to follow after 5 seconds. */
const RETRY_WAIT_MS = 12_000;

check(
  'WHK-31',
  { requirement: 'R-WHK-53 R-WHK-58 R-WHK-59', effect: 'E2', assumes: 'A-1204' },
  'a receiver that returns 200, 202, 203, 204 and 299 → Success; five events to one destination → requests in the order of their dispatch; 410 → destination is disabled, and updated at that time',
  async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const successes = [200, 202, 203, 204, 299];
    for (const status of successes) {
      receiver.react(status);
      const item = await logged(await dispatch(webhook), (seen) => seen.successful_at !== null);
      expect(isSuccess(item), `after ${status}`).toBe(true);
    }
    const query = { destination_id: [webhook.id], status: 'Success' };
    expect((await log(query)).length).toBe(successes.length);

    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await dispatch(webhook));
    await receiver.next((delivery) => delivery.body?.id === sent.at(-1));
    const later = receiver.deliveries.slice(successes.length);
    expect(later.map(({ body }) => body.id)).toEqual(sent);

    receiver.react(410);
    await dispatch(webhook);
    const { enabled, created_at, updated_at } = await eventually(
      () => api('getWebhook', { path: { webhookId: webhook.id } }, 200),
      (shown) => !shown.enabled,
    );
    expect(enabled, 'enabled after 410').toBe(false);
    expect(updated_at > created_at, 'updated_at is later').toBe(true);
  },
);

check(
  'WHK-40',
  { requirement: 'R-WHK-52', effect: 'E2', assumes: 'A-1204' },
  'a receiver that returns 503, then 204 → a second attempt with the same bytes and a later t, and Success in the log',
  async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    receiver.react(503);
    const id = await dispatch(webhook, ODD_DATA);
    const first = await receiver.next((one) => one.body?.id === id);
    receiver.react(204);
    const again = await receiver
      .next((one) => one.body?.id === id && one !== first, RETRY_WAIT_MS)
      .catch(() => undefined);
    if (!again && !isOurs())
      throw new NotObservable('No second attempt came while it was waited for');
    const item = await logged(id, ({ successful_at }) => successful_at !== null);

    expect(again?.raw.equals(first.raw), 'the same bytes').toBe(true);
    expect(signersOf(again ?? first, [webhook])).toEqual([webhook]);
    expect(momentOf((again ?? first).signature), 't').toBeGreaterThan(
      momentOf(first.signature) as number,
    );
    expect(isSuccess(item), 'Success').toBe(true);
  },
);

/** A test event for all destinations. */
const ALL = { path: { topic: TOPIC }, body: DATA };

async function aDestination(call: WorldCall, url: string) {
  const { id, secret } = await call('createWebhook', { body: { url, topics: [TOPIC] } });
  const dispatch = async (): Promise<string> =>
    (
      await call('testWebhook', {
        path: { webhookId: id, topic: TOPIC },
        raw: ODD_DATA,
      })
    ).id;
  return { id, secret, dispatch };
}

check(
  'WHK-62',
  {
    requirement: 'R-WHK-57',
    effect: 'E4',
    assumes: 'A-1204 A-1205 A-1211',
    needs: 'clock.movable',
  },
  'a delivery that always fails, of the platform and of a connected account → attempted ten times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and never again, each time with the same bytes and a valid signature; the platform, whose destination acknowledged the event of the account, has it as a success',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const account = await asConnectedAccount(call);
    const [receiver, heard] = [await aReceiver(t), await aReceiver(t)];
    receiver.react(500);
    const ofPlatform = await aDestination(call, receiver.url);
    const ofAccount = await aDestination(account, receiver.url);
    await call('createWebhook', { body: { url: heard.url, connect: true } });
    const ids = [await ofPlatform.dispatch(), (await account('testWebhooks', ALL)).id];
    const logOf = async (caller: WorldCall): Promise<readonly AnyBody[]> =>
      (await caller('listWebhookEvents', {})).items;
    const failures = async () => [(await logOf(call))[1], (await logOf(account))[0]];
    await eventually(failures, (found) => found.every((item) => item?.failed_at));
    await until('2026-03-31T12:00:00.000Z');

    for (const [index, { metadata, ...item }] of (await failures()).entries()) {
      expect(metadata.attempts.map(({ at }: AnyBody) => at)).toEqual([
        '2026-03-01T12:00:00.000Z',
        '2026-03-01T12:00:05.000Z',
        '2026-03-01T12:05:05.000Z',
        '2026-03-01T12:35:05.000Z',
        '2026-03-01T14:35:05.000Z',
        '2026-03-01T19:35:05.000Z',
        '2026-03-02T05:35:05.000Z',
        '2026-03-02T19:35:05.000Z',
        '2026-03-03T15:35:05.000Z',
        '2026-03-04T15:35:05.000Z',
      ]);
      const ends = { successful_at: null, failed_at: '2026-03-04T15:35:05.000Z' };
      expect(item, 'its end').toMatchObject({ id: ids[index], ...ends });
      const deliveries = receiver.deliveries.filter(({ body }) => body.id === ids[index]);
      expect(deliveries).toHaveLength(10);
      expect(new Set(deliveries.map(({ raw }) => raw.toString())).size).toBe(1);
      const both = [ofPlatform, ofAccount];
      for (const each of deliveries) expect(signersOf(each, both)).toEqual([both[index]]);
    }
    const [success] = await logOf(call);
    const at = '2026-03-01T12:00:00.000Z';
    expect(success, 'what was acknowledged').toMatchObject({
      id: ids[1],
      successful_at: at,
      failed_at: null,
      metadata: { attempts: [{ at }] },
    });
  },
);

check(
  'WHK-63',
  { requirement: 'R-SIG-11', effect: 'E4', assumes: 'A-1208', needs: 'clock.movable' },
  'a secret rotated → for 24 hours both secrets sign, the new one first; then the new one alone, also what is sent again',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const receiver = await aReceiver(t);
    const { id, secret: former, dispatch } = await aDestination(call, receiver.url);
    const { secret } = await call('rotateSecret', { body: { destination_id: id } });
    // So all are sent again, for days.
    receiver.react(500);
    const genuineBy = async () => {
      const event = await dispatch();
      const { signature, raw } = await receiver.next(({ body }) => body.id === event);
      const header = signature ?? '';
      const unixSeconds = Number(/^t=(\d+)/.exec(header)?.[1]);
      const isBy = (key: string, which: string) =>
        signatureFault({ header: which, body: raw, unixSeconds, secret: key }) === undefined;
      const [time, first, ...others] = header.split(',');
      return [1 + others.length, isBy(secret, `${time},${first}`), isBy(former, header)];
    };

    expect(await genuineBy()).toEqual([2, true, true]);
    await until('2026-03-02T11:59:59.999Z');
    expect(await genuineBy()).toEqual([2, true, true]);
    await until('2026-03-02T12:00:00.000Z');
    expect(await genuineBy()).toEqual([1, true, false]);
    const count = receiver.deliveries.length;
    await until('2026-03-04T12:00:00.000Z');
    const sentAgain = receiver.deliveries.slice(count);
    expect(sentAgain.length, 'what is sent again').toBeGreaterThan(3);
    for (const { signature = '' } of sentAgain) expect(signature?.split(',')).toHaveLength(2);
  },
);
