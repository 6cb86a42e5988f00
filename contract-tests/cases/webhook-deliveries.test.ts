import {
  aConnectedAccount,
  api,
  aReceiver,
  assuming,
  aWebhook,
  check,
  type Delivery,
  environment,
  expect,
  now,
  type OwnWebhook,
  type Receiver,
  send,
  table,
} from '../kit/index.ts';
import {
  activation,
  DATA,
  dispatch,
  dispatchToAll,
  isMatched,
  isTried,
  log,
  logged,
  ODD_DATA,
  signersOf,
  TOPIC,
  triesOf,
} from './shared/webhooks.ts';

/** The instant in the signature of a delivery, in seconds. */
const momentOf = ({ signature }: Delivery) => Number(/^t=(\d+)/.exec(signature ?? '')?.[1]);

const nested = { name: 'Zoë ☕ 漢字 \u2028 "quoted" \\ </script>', deep: { list: [1.5, null] } };

table(
  'WHK-14',
  {
    requirement:
      'R-AUTH-07 R-AUTH-08 R-SIG-01 R-SIG-02 R-SIG-03 R-SIG-04 R-SIG-05 R-SIG-06 R-SIG-07 R-WHK-39 R-WHK-42 R-WHK-43',
    effect: 'E2',
    needs: 'receiver',
  },
  'POST of JSON with an envelope of id, type, created, live_mode, data as sent; header `t=…,v0=…`: seconds, close to now, and HMAC-SHA256 over `t.body` raw bytes with the secret, lower-case hex',
  {
    'two texts': JSON.stringify(DATA),
    'non-ASCII text, nesting and a line separator': JSON.stringify(nested),
    'odd escapes and numbers': ODD_DATA,
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
    expect(Math.abs(momentOf(delivery) - Date.parse(now()) / 1000), 't').toBeLessThan(60);
  },
);

check(
  'WHK-17',
  { requirement: 'R-WHK-44', effect: 'E4', needs: 'receiver' },
  'subscription.activated data has customer_id, subscription_id, occurred_at',
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

table(
  'WHK-86',
  {
    requirement: 'R-WHK-31 R-WHK-40 R-WHK-41 R-WHK-55',
    effect: 'E4',
    partly: 'A-1206',
    needs: 'receiver',
  },
  'test events of the platform and of a connected account, sent to one destination and to all → requests only at destinations with connect false and true respectively, these with the id of the account',
  { 'sent to one': '', 'sent to all': 's' } as const,
  async (all, t) => {
    const { id: connectedAccountId } = await aConnectedAccount();
    for (const connect of [true, false]) {
      const receiver = await aReceiver(t);
      const { id } = await aWebhook(t, { url: receiver.url, connect });
      const path = { topic: TOPIC, ...(all === '' && { webhookId: id }) };
      const ofAccount = { path: { ...path, connectedAccountId }, body: DATA };
      const sendAs = (isOfAccount: boolean) =>
        isOfAccount
          ? send(`testConnectedWebhook${all}`, ofAccount)
          : send(`testWebhook${all}`, { path, body: DATA });
      await sendAs(!connect);
      const { body: sent } = await sendAs(connect);
      const { body } = await receiver.next((delivery) => delivery.body?.id === sent.id);

      expect(receiver.deliveries.map((one) => one.body.id)).toEqual([sent.id]);
      expect(body.data).toEqual(DATA);
      await assuming('A-1206', async () =>
        expect(body.account_id).toBe(connect ? connectedAccountId : undefined),
      );
    }
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
  { requirement: 'R-SIG-04 R-SIG-05 R-WHK-11 R-WHK-37 R-WHK-55', effect: 'E4', needs: 'receiver' },
  'test of a topic with two destinations of one URL, one of another and several topics, and one that is disabled → each called once, data to the last digit, the same bytes, each signed with its own secret alone; one attempt and one log entry each; the disabled one is neither matched nor called',
  { 'for the platform': false, 'for a connected account': true },
  async (connect, t) => {
    const accountId = connect ? (await aConnectedAccount()).id : undefined;
    const [twice, once, silent] = [await aReceiver(t), await aReceiver(t), await aReceiver(t)];
    const off = await aWebhook(t, { url: silent.url, connect });
    const enable = (enabled: boolean) =>
      api('updateWebhook', { path: { webhookId: off.id }, body: { enabled } }, 200);
    await enable(false);
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
    await assuming('A-1207', async () =>
      expect([...texts][0]).toContain('12345678901234567890.1234567890123456789'),
    );
    for (const each of ours) {
      expect(triesOf(item, each), 'attempts').toBe(1);
      expect((await log({ destination_id: [each.id] })).map((one) => one.id)).toEqual([id]);
    }
    expect(isMatched(item, off), 'the disabled one is matched').toBe(false);
    await enable(true);
    const sentinel = await dispatchToAll(accountId);
    await silent.next(({ body }) => body?.id === sentinel);
    expect(silent.deliveries.map(({ body }) => body?.id)).toEqual([sentinel]);
  },
);
