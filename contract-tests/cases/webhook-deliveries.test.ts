import {
  api,
  aReceiver,
  assuming,
  aWebhook,
  check,
  type Delivery,
  describe,
  environment,
  eventually,
  expect,
  isOurs,
  NotObservable,
  now,
  signatureFault,
} from '../kit/index.ts';
import {
  activation,
  DATA,
  dispatch,
  log,
  logged,
  ODD_DATA,
  signersOf,
  TOPIC,
} from './shared/webhooks.ts';

describe('webhook deliveries', () => {
  // WHK-14: POST with an envelope of id, type, created, live_mode, data; id = the id of the dispatch
  check('WHK-14', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const id = await dispatch(webhook);
    const { method, headers, body } = await receiver.next();

    expect(method).toBe('POST');
    expect(String(headers['content-type'])).toMatch(/^application\/json/);
    expect(body).toMatchObject({ id, type: TOPIC, live_mode: expect.any(Boolean), data: DATA });
    expect(Date.parse(body.created)).not.toBeNaN();
  });

  // WHK-15: header `t=…,v0=…`; HMAC-SHA256 over `t.body` raw bytes with the secret, lower-case hex; one of several
  // signatures may match
  check('WHK-15', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    await dispatch(webhook);
    const { signature, raw } = await receiver.next();
    const header = signature ?? '';
    const unixSeconds = Math.floor(Date.parse(now()) / 1000);

    expect(header).toMatch(/^t=\d+,v0=[0-9a-f]{64}(,[0-9a-f]{64})*$/);
    expect(
      signatureFault({ header, body: raw, unixSeconds, secret: webhook.secret }),
    ).toBeUndefined();
  });

  // WHK-16: `t` in seconds, close to the current time; live_mode agrees with the environment
  check('WHK-16', async (t) => {
    const receiver = await aReceiver(t);
    await dispatch(await aWebhook(t, { url: receiver.url }));
    const { signature, body } = await receiver.next();
    const unixSeconds = Number(/^t=(\d+)/.exec(signature ?? '')?.[1]);

    expect(Math.abs(unixSeconds - Date.parse(now()) / 1000)).toBeLessThan(60);
    expect(body.live_mode).toBe(environment() === 'live');
  });

  // WHK-17: subscription.activated data has customer_id, subscription_id, occurred_at
  check('WHK-17', async (t) => {
    const receiver = await aReceiver(t);
    await aWebhook(t, { url: receiver.url, topics: [TOPIC] });
    const { customerId, subscriptionId } = await activation();
    const { body } = await receiver.next(
      (delivery) => delivery.body?.data?.subscription_id === subscriptionId,
    );

    expect(body).toMatchObject({ type: TOPIC, data: { customer_id: customerId } });
    expect(Date.parse(body.data.occurred_at)).not.toBeNaN();
  });

  // WHK-18: receiver returns 500 or 302, or breaks the connection → log Failed; the number of attempts is recorded
  check('WHK-18', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const elsewhere = { status: 302, location: `${receiver.url}/elsewhere` };
    for (const reaction of [500, elsewhere, 'break'] as const) {
      receiver.react(reaction);
      const id = await dispatch(webhook);
      const item = await logged(id, ({ failed_at }) => failed_at !== null);

      expect([item.successful_at ?? null, typeof item.failed_at]).toEqual([null, 'string']);
    }
    t.observe('attempts within the check', receiver.deliveries.length);
  });

  // WHK-31: receiver returns 200, 202 and 204 → Success
  check('WHK-31', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    for (const status of [200, 202, 204]) {
      receiver.react(status);
      const id = await dispatch(webhook);
      const item = await logged(id, ({ successful_at }) => successful_at !== null);

      expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
    }
    expect((await log({ destination_id: [webhook.id], status: 'Success' })).length).toBe(3);
  });

  // WHK-34: three destinations, two of them with the same URL → each request verifies with its own secret only
  check('WHK-34', async (t) => {
    const [left, right] = [await aReceiver(t), await aReceiver(t)];
    const own = [];
    for (const { url } of [left, right, right]) own.push(await aWebhook(t, { url }));
    for (const [index, each] of own.entries()) {
      const id = await dispatch(each);
      const delivery = await (index === 0 ? left : right).next(({ body }) => body?.id === id);

      expect(signersOf(delivery, own)).toEqual([each]);
    }
    expect([left.deliveries.length, right.deliveries.length]).toEqual([1, 2]);
  });
});

describe('order and retries of webhook deliveries', () => {
  // WHK-37: disabled destination → no request at its receiver, while another receives a later event
  check('WHK-37', async (t) => {
    const [silent, heard] = [await aReceiver(t), await aReceiver(t)];
    const [one, other] = [
      await aWebhook(t, { url: silent.url }),
      await aWebhook(t, { url: heard.url }),
    ];
    await api('updateWebhook', { path: { webhookId: one.id }, body: { enabled: false } }, 200);
    await dispatch(one);
    const sentinel = await dispatch(other);
    await heard.next((delivery) => delivery.body?.id === sentinel);

    await assuming('A-1207', async () => expect(silent.deliveries).toEqual([]));
  });

  // WHK-38: five events to one destination → requests in the order of their dispatch
  check('WHK-38', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await dispatch(webhook));
    await receiver.next((delivery) => delivery.body?.id === sent.at(-1));

    expect(receiver.deliveries.map(({ body }) => body.id)).toEqual(sent);
  });

  // WHK-39: data with non-ASCII text, nesting and a line separator → arrives as sent, the signature over the raw bytes
  // verifies
  check('WHK-39', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const nested = {
      name: 'Zoë ☕ 漢字 \u2028 "quoted" \\ </script>',
      deep: { list: [1.5, null] },
    };
    for (const data of [JSON.stringify(nested), ODD_DATA]) {
      const id = await dispatch(webhook, data);
      const delivery = await receiver.next(({ body }) => body?.id === id);

      expect(delivery.body.data).toEqual(JSON.parse(data));
      expect(signersOf(delivery, [webhook])).toEqual([webhook]);
    }
  });

  // WHK-40: receiver returns 503, then 204 → second attempt with the same bytes and a later t; log Success
  check('WHK-40', async (t) => {
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

    expect(again?.raw.equals(first.raw)).toBe(true);
    expect(signersOf(again ?? first, [webhook])).toEqual([webhook]);
    expect(momentOf(again)).toBeGreaterThan(momentOf(first));
    expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
  });

  // WHK-41: receiver returns 410 → destination is disabled
  check('WHK-41', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    receiver.react(410);
    await dispatch(webhook);
    const path = { webhookId: webhook.id };
    const { enabled } = await eventually(
      () => api('getWebhook', { path }, 200),
      (shown) => !shown.enabled,
    );

    expect(enabled).toBe(false);
  });
});

/** The first retry is assumed to follow after 5 seconds. */
const RETRY_WAIT_MS = 12_000;

/** The instant in the signature of a delivery. */
function momentOf(delivery: Delivery | undefined): number {
  return Number(/^t=(\d+)/.exec(delivery?.signature ?? '')?.[1]);
}

describe('signature verification in this suite', () => {
  // WHK-35: the suite's own signature verifier, tested with vectors: changed byte, re-serialised body, wrong secret,
  // upper-case hex, several signatures, old t, missing part
  check('WHK-35', async () => {
    const secret = 'whsec_vector';
    const body = Buffer.from('{"a": 1}');
    // Made by: printf '1700000000.{"a": 1}' | openssl dgst -sha256 -hmac whsec_vector
    const digest = '893832b335273fb29c33df3d6e6c1603e46a63f18242fbb0856edf53ab7a3370';
    const other = '0'.repeat(64);
    const fault = (header: string, changes: object = {}) =>
      signatureFault({ header, body, secret, unixSeconds: 1_700_000_060, ...changes });

    expect(fault(`t=1700000000,v0=${digest}`)).toBeUndefined();
    expect(fault(`t=1700000000,v0=${other},${digest}`)).toBeUndefined();
    expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a": 2}') })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a":1}') })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest}`, { secret: 'whsec_other' })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest.toUpperCase()}`)).toBe('malformed');
    expect(fault(`t=1700000000,v0=${digest}`, { unixSeconds: 1_700_000_900 })).toBe('stale');
    expect(fault(`v0=${digest}`)).toBe('malformed');
    expect(fault('t=1700000000')).toBe('malformed');
  });
});
