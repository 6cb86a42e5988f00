import {
  api,
  aReceiver,
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
  check(
    'WHK-14',
    {
      requirement: ['R-WHK-39', 'R-WHK-42', 'R-WHK-43'],
      level: 'MUST',
      effect: 'E2',
      needs: 'receiver',
    },
    'POST with an envelope of id, type, created, live_mode, data; id = the id of the dispatch',
    async (t) => {
      const receiver = await aReceiver(t);
      const webhook = await aWebhook(t, { url: receiver.url });
      const id = await dispatch(webhook);
      const { method, headers, body } = await receiver.next();

      expect(method).toBe('POST');
      expect(String(headers['content-type'])).toMatch(/^application\/json/);
      expect(body).toMatchObject({ id, type: TOPIC, live_mode: expect.any(Boolean), data: DATA });
      expect(Date.parse(body.created)).not.toBeNaN();
    },
  );

  check(
    'WHK-15',
    {
      requirement: [
        'R-AUTH-07',
        'R-AUTH-08',
        'R-SIG-01',
        'R-SIG-02',
        'R-SIG-04',
        'R-SIG-05',
        'R-SIG-06',
      ],
      level: 'MUST',
      effect: 'E2',
      needs: 'receiver',
    },
    'header `t=…,v0=…`; HMAC-SHA256 over `t.body` raw bytes with the secret, lower-case hex; one of several signatures may match',
    async (t) => {
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
    },
  );

  check(
    'WHK-16',
    { requirement: ['R-SIG-03', 'R-WHK-43'], level: 'MUST', effect: 'E2', needs: 'receiver' },
    '`t` in seconds, close to the current time; live_mode agrees with the environment',
    async (t) => {
      const receiver = await aReceiver(t);
      await dispatch(await aWebhook(t, { url: receiver.url }));
      const { signature, body } = await receiver.next();
      const unixSeconds = Number(/^t=(\d+)/.exec(signature ?? '')?.[1]);

      expect(Math.abs(unixSeconds - Date.parse(now()) / 1000)).toBeLessThan(60);
      expect(body.live_mode).toBe(environment() === 'live');
    },
  );

  check(
    'WHK-17',
    { requirement: 'R-WHK-44', level: 'MUST', effect: 'E4', needs: 'receiver' },
    'subscription.activated data has customer_id, subscription_id, occurred_at',
    async (t) => {
      const receiver = await aReceiver(t);
      await aWebhook(t, { url: receiver.url, topics: [TOPIC] });
      const { customerId, subscriptionId } = await activation();
      const { body } = await receiver.next(
        (delivery) => delivery.body?.data?.subscription_id === subscriptionId,
      );

      expect(body).toMatchObject({ type: TOPIC, data: { customer_id: customerId } });
      expect(Date.parse(body.data.occurred_at)).not.toBeNaN();
    },
  );

  check(
    'WHK-31',
    {
      requirement: 'R-WHK-53',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: 'A-1204',
      needs: 'receiver',
    },
    'receiver returns 200, 202 and 204 → Success',
    async (t) => {
      const receiver = await aReceiver(t);
      const webhook = await aWebhook(t, { url: receiver.url });
      for (const status of [200, 202, 204]) {
        receiver.react(status);
        const id = await dispatch(webhook);
        const item = await logged(id, ({ successful_at }) => successful_at !== null);

        expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
      }
      expect((await log({ destination_id: [webhook.id], status: 'Success' })).length).toBe(3);
    },
  );
});

describe('order and retries of webhook deliveries', () => {
  check(
    'WHK-38',
    {
      requirement: 'R-WHK-58',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: 'A-1204',
      needs: 'receiver',
    },
    'five events to one destination → requests in the order of their dispatch',
    async (t) => {
      const receiver = await aReceiver(t);
      const webhook = await aWebhook(t, { url: receiver.url });
      const sent: string[] = [];
      for (let count = 0; count < 5; count += 1) sent.push(await dispatch(webhook));
      await receiver.next((delivery) => delivery.body?.id === sent.at(-1));

      expect(receiver.deliveries.map(({ body }) => body.id)).toEqual(sent);
    },
  );

  check(
    'WHK-39',
    { requirement: ['R-SIG-04', 'R-WHK-42'], level: 'MUST', effect: 'E2', needs: 'receiver' },
    'data with non-ASCII text, nesting and a line separator → arrives as sent, the signature over the raw bytes verifies',
    async (t) => {
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
    },
  );

  check(
    'WHK-40',
    {
      requirement: 'R-WHK-52',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: 'A-1204',
      needs: 'receiver',
    },
    'receiver returns 503, then 204 → second attempt with the same bytes and a later t; log Success',
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

      expect(again?.raw.equals(first.raw)).toBe(true);
      expect(signersOf(again ?? first, [webhook])).toEqual([webhook]);
      expect(momentOf(again)).toBeGreaterThan(momentOf(first));
      expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
    },
  );

  check(
    'WHK-41',
    {
      requirement: 'R-WHK-59',
      level: 'ASSUMED',
      effect: 'E2',
      assumes: 'A-1204',
      needs: 'receiver',
    },
    'receiver returns 410 → destination is disabled',
    async (t) => {
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
    },
  );
});

/** The first retry is assumed to follow after 5 seconds. */
const RETRY_WAIT_MS = 12_000;

/** The instant in the signature of a delivery. */
function momentOf(delivery: Delivery | undefined): number {
  return Number(/^t=(\d+)/.exec(delivery?.signature ?? '')?.[1]);
}

describe('signature verification in this suite', () => {
  check(
    'WHK-35',
    { requirement: ['R-SIG-07', 'R-SIG-08'], level: 'MUST', effect: 'E0' },
    "the suite's own signature verifier, tested with vectors: changed byte, re-serialised body, wrong secret, upper-case hex, several signatures, old t, missing part",
    async () => {
      const secret = 'whsec_vector';
      const body = Buffer.from('{"a": 1}');
      // Made by: printf '1700000000.{"a": 1}' | openssl dgst -sha256 -hmac whsec_vector
      const digest = '893832b335273fb29c33df3d6e6c1603e46a63f18242fbb0856edf53ab7a3370';
      const other = '0'.repeat(64);
      const fault = (header: string, changes: object = {}) =>
        signatureFault({ header, body, secret, unixSeconds: 1_700_000_060, ...changes });

      expect(fault(`t=1700000000,v0=${digest}`)).toBeUndefined();
      expect(fault(`t=1700000000,v0=${other},${digest}`)).toBeUndefined();
      expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a": 2}') })).toBe(
        'mismatch',
      );
      expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a":1}') })).toBe('mismatch');
      expect(fault(`t=1700000000,v0=${digest}`, { secret: 'whsec_other' })).toBe('mismatch');
      expect(fault(`t=1700000000,v0=${digest.toUpperCase()}`)).toBe('malformed');
      expect(fault(`t=1700000000,v0=${digest}`, { unixSeconds: 1_700_000_900 })).toBe('stale');
      expect(fault(`v0=${digest}`)).toBe('malformed');
      expect(fault('t=1700000000')).toBe('malformed');
    },
  );
});
