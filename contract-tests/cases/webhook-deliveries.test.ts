import {
  aConnectedAccount,
  api,
  aReceiver,
  assuming,
  aWebhook,
  call,
  check,
  environment,
  expect,
  momentOf,
  now,
  type OwnWebhook,
  type Receiver,
  table,
} from '../kit/index.ts';
import {
  activation,
  DATA,
  dispatch,
  dispatchToAll,
  enable,
  isMatched,
  isTried,
  log,
  logged,
  ODD_DATA,
  signersOf,
  TOPIC,
  triesOf,
} from './shared/webhooks.ts';

const nested = { name: 'Zoë ☕ 漢字 \u2028 "quoted" \\ </script>', deep: { list: [1.5, null] } };

table(
  'WHK-14',
  {
    requirement:
      'R-AUTH-07 R-AUTH-08 R-SIG-01 R-SIG-02 R-SIG-03 R-SIG-04 R-SIG-05 R-SIG-06 R-SIG-07 R-WHK-39 R-WHK-42 R-WHK-43',
    effect: 'E2',
  },
  'POST of JSON with an envelope of id, type, created, live_mode, data as sent; header `t=…,v0=…`: seconds, close to now, and HMAC-SHA256 over `t.body` raw bytes with the secret, lower-case hex',
  {
    'two texts': JSON.stringify(DATA),
    'non-ASCII text, nesting and a line separator': JSON.stringify(nested),
    'odd escapes and numbers': ODD_DATA,
    null: 'null',
    false: 'false',
    'an empty text': '""',
    'an empty list': '[]',
  },
  async (data, t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const id = await dispatch(webhook, data);
    const delivery = await receiver.next();
    const { method, headers, body } = delivery;

    expect(method).toBe('POST');
    expect(String(headers['content-type'])).toMatch(/^application\/json/);
    expect(body).toMatchObject({ id, type: TOPIC, live_mode: environment() === 'live' });
    expect(body.data).toEqual(JSON.parse(data));
    expect(Date.parse(body.created), 'created').not.toBeNaN();
    expect(delivery.signature).toMatch(/^t=\d+,v0=[0-9a-f]{64}(,[0-9a-f]{64})*$/);
    expect(signersOf(delivery, [webhook]), 'signature by the secret').toEqual([webhook]);
    const seconds = momentOf(delivery.signature) as number;
    expect(Math.abs(seconds - Date.parse(now()) / 1000), 't').toBeLessThan(60);
  },
);

check(
  'WHK-17',
  { requirement: 'R-WHK-44', effect: 'E4' },
  'an activation → subscription.activated, whose data has customer_id, subscription_id and occurred_at',
  async (t) => {
    const receiver = await aReceiver(t);
    await aWebhook(t, { url: receiver.url, topics: [TOPIC] });
    const { customerId, subscriptionId } = await activation();
    const { body } = await receiver.next(
      (delivery) => delivery.body?.data?.subscription_id === subscriptionId,
    );

    expect(body).toMatchObject({ type: TOPIC, data: { customer_id: customerId } });
    expect(Date.parse(body.data.occurred_at), 'occurred_at').not.toBeNaN();
  },
);

/** The deliveries of an event to a receiver: the places of the destinations whose secret signed it, and its text. */
const toldOf = (id: string, { deliveries }: Receiver, all: readonly OwnWebhook[]) =>
  deliveries
    .filter(({ body }) => body?.id === id)
    .map((one) => ({
      signers: signersOf(one, all).map((each) => all.indexOf(each)),
      text: one.raw.toString(),
    }));

table(
  'WHK-60',
  {
    requirement: 'R-SIG-04 R-SIG-05 R-WHK-11 R-WHK-31 R-WHK-37 R-WHK-40 R-WHK-41 R-WHK-55',
    effect: 'E4',
  },
  'test of a topic with two destinations of one URL, one of another and several topics, and one that is disabled → each called once, with the connected account if it is of one, data to the last digit, the same bytes, each signed with its own secret alone; one attempt and one log entry each; the disabled one is neither matched nor called',
  { 'for the platform': false, 'for a connected account': true },
  async (connect, t) => {
    const accountId = connect ? (await aConnectedAccount()).id : undefined;
    const [twice, once, silent] = [await aReceiver(t), await aReceiver(t), await aReceiver(t)];
    const off = await aWebhook(t, { url: silent.url, connect });
    await enable(off, false);
    const ours: OwnWebhook[] = [];
    for (const [{ url }, topics] of [
      [twice, ['*']],
      [twice, ['*']],
      [once, ['*', TOPIC]],
    ] as const)
      ours.push(await aWebhook(t, { url, connect, topics: [...topics] }));
    const id = await dispatchToAll(accountId, ODD_DATA);
    const item = await logged(id, (seen) => ours.every((each) => isTried(seen, each)));
    const told = [twice, once].map((receiver) => toldOf(id, receiver, ours));
    const texts = new Set(told.flat().map(({ text }) => text));

    expect(told.map((each) => each.map(({ signers }) => signers.join()).sort())).toEqual([
      ['0', '1'],
      ['2'],
    ]);
    expect(texts.size, 'bodies').toBe(1);
    const { account_id } = JSON.parse([...texts][0] as string);
    await assuming('A-1206', async () => expect(account_id, 'account_id').toBe(accountId));
    await assuming('A-1207', async () =>
      expect([...texts][0]).toContain('12345678901234567890.1234567890123456789'),
    );
    for (const each of ours) {
      expect(triesOf(item, each), 'attempts').toBe(1);
      expect((await log({ destination_id: [each.id] })).map((one) => one.id)).toEqual([id]);
    }
    expect(isMatched(item, off), 'the disabled one is matched').toBe(false);
    await enable(off, true);
    const sentinel = await dispatchToAll(accountId);
    await silent.next(({ body }) => body?.id === sentinel);
    expect(silent.deliveries.map(({ body }) => body?.id)).toEqual([sentinel]);
  },
);

check(
  'WHK-12',
  { requirement: 'R-WHK-07 R-WHK-09 R-WHK-25 R-WHK-26 R-WHK-27 R-WHK-46', effect: 'E2' },
  'log by destination_id, also several, by status, and by time_gte and time_lte, both inclusive → the matching items, each with exactly one of successful_at and failed_at once it was attempted',
  async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const since = now(-1000);
    const [first, second] = [await dispatch(one), await dispatch(other)];
    await enable(other, false);
    const unheard = await dispatch(other);
    const settled = await logged(first, ({ failed_at }) => failed_at !== null);
    const of = { destination_id: [one.id] };
    const { time } = settled;

    for (const [query, wanted] of [
      [of, [first]],
      [{ destination_id: [one.id, other.id] }, [second, first]],
      [{ ...of, status: 'Failed' }, [first]],
      [{ ...of, status: 'Success' }, []],
      [{ ...of, time_gte: since }, [first]],
      [{ ...of, time_lte: since }, []],
      [{ ...of, time_gte: time, time_lte: time }, [first]],
      [{ ...of, time_gte: now(60_000) }, []],
    ] as const)
      expect(
        (await log(query)).map(({ id }) => id),
        JSON.stringify(query),
      ).toEqual(wanted);
    const failed = await log({ status: 'Failed', time_gte: since });
    expect(
      failed.map(({ id }) => id),
      'an event that went nowhere',
    ).not.toContain(unheard);
    const ends = [settled.successful_at ?? null, settled.failed_at ?? null];
    expect(ends.filter((end) => end !== null).length, 'ends of an item').toBe(1);
  },
);

check(
  'WHK-22',
  { requirement: 'R-LIM-03 R-LIM-04 R-PAGE-07 R-PAGE-10', effect: 'E0', partly: 'A-1205' },
  'log without limit → pagination.limit 100; with 1 and 1000 → echoed; 0 and 1001 → rejected, or not echoed, and the response is recorded; next or prev that is not a cursor → 400',
  async (t) => {
    const limitOf = async (query: object) =>
      (await api('listWebhookEvents', { query }, 200)).pagination.limit;
    expect(await limitOf({})).toBe(100);
    for (const limit of [1, 1000]) expect(await limitOf({ limit })).toBe(limit);
    for (const limit of [0, 1001]) {
      const parts = { query: { limit } };
      const { status, body } = await call('listWebhookEvents', parts, [200, 400, 422]);
      t.observe(`limit ${limit}`, status);
      if (status === 200) expect(body.pagination.limit).not.toBe(limit);
    }
    for (const edge of ['next', 'prev'])
      await assuming('A-1205', () =>
        call('listWebhookEvents', { query: { [edge]: 'no cursor' } }, [400]),
      );
  },
);

check(
  'WHK-61',
  { requirement: 'R-WHK-54', effect: 'E4', assumes: 'A-1205' },
  'a test event to two destinations that both acknowledge, or of which one fails → Success only if both did; filtered by destination, each by its own result, with both destinations in each item',
  async (t) => {
    const receivers = [await aReceiver(t), await aReceiver(t)] as const;
    const [one, other] = [
      await aWebhook(t, { url: receivers[0].url }),
      await aWebhook(t, { url: receivers[1].url }),
    ];
    const statusesBy = async (id: string, ...destination_id: readonly string[]) => {
      const found: string[] = [];
      for (const status of ['Success', 'Failed']) {
        const item = (await log({ destination_id, status })).find((each) => each.id === id);
        if (!item) continue;
        found.push(status);
        expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);
      }
      return found.join();
    };
    for (const [first, second, ofFirst, ofSecond, ofBoth] of [
      [204, 204, 'Success', 'Success', 'Success'],
      [204, 500, 'Success', 'Failed', 'Failed'],
      [500, 204, 'Failed', 'Success', 'Failed'],
    ] as const) {
      receivers[0].react(first);
      receivers[1].react(second);
      const id = await dispatchToAll();
      const item = await logged(id, (seen) => isTried(seen, one) && isTried(seen, other));
      const isDone = ofBoth === 'Success';

      if (!isDone || item.matched_destination_ids.length === 2)
        expect([item.successful_at !== null, item.failed_at !== null]).toEqual([isDone, !isDone]);
      expect([
        await statusesBy(id, one.id),
        await statusesBy(id, other.id),
        await statusesBy(id, one.id, other.id),
      ]).toEqual([ofFirst, ofSecond, ofBoth]);
    }
  },
);
