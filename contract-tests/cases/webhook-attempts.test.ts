import {
  api,
  aReceiver,
  aWebhook,
  blackHole,
  check,
  type Delivery,
  eventually,
  expect,
  isOurs,
  NotObservable,
  signatureFault,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { dispatch, type Item, log, logged, ODD_DATA, signersOf, TOPIC } from './shared/webhooks.ts';

const isSuccess = ({ successful_at, failed_at }: Item) =>
  successful_at !== null && (failed_at ?? null) === null;

/** The instant in the signature of a delivery, in seconds. */
const momentOf = ({ signature }: Delivery) => Number(/^t=(\d+)/.exec(signature ?? '')?.[1]);

/** The first retry is assumed to follow after 5 seconds. */
const RETRY_WAIT_MS = 12_000;

check(
  'WHK-31',
  { requirement: 'R-WHK-53 R-WHK-58 R-WHK-59', effect: 'E2', assumes: 'A-1204', needs: 'receiver' },
  'receiver returns 200, 202 and 204 → Success; five events to one destination → requests in the order of their dispatch; 410 → destination is disabled',
  async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    for (const status of [200, 202, 204]) {
      receiver.react(status);
      const item = await logged(await dispatch(webhook), (seen) => seen.successful_at !== null);
      expect(isSuccess(item), `after ${status}`).toBe(true);
    }
    const query = { destination_id: [webhook.id], status: 'Success' };
    expect((await log(query)).length).toBe(3);

    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await dispatch(webhook));
    await receiver.next((delivery) => delivery.body?.id === sent.at(-1));
    expect(receiver.deliveries.slice(3).map(({ body }) => body.id)).toEqual(sent);

    receiver.react(410);
    await dispatch(webhook);
    const { enabled } = await eventually(
      () => api('getWebhook', { path: { webhookId: webhook.id } }, 200),
      (shown) => !shown.enabled,
    );
    expect(enabled, 'enabled after 410').toBe(false);
  },
);

check(
  'WHK-40',
  { requirement: 'R-WHK-52', effect: 'E2', assumes: 'A-1204', needs: 'receiver' },
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

    expect(again?.raw.equals(first.raw), 'the same bytes').toBe(true);
    expect(signersOf(again ?? first, [webhook])).toEqual([webhook]);
    expect(momentOf(again ?? first), 't').toBeGreaterThan(momentOf(first));
    expect(isSuccess(item), 'Success').toBe(true);
  },
);

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
  { requirement: 'R-WHK-57', effect: 'E4', assumes: 'A-1204', needs: 'clock.movable receiver' },
  'delivery that always fails, and one to a receiver that cannot be reached → attempted ten times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and never again, each time with the same bytes and a valid signature; none to another destination that has acknowledged it',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const receiver = await aReceiver(t);
    receiver.react(500);
    const destination = await aDestination(call, receiver.url);
    const event = await destination.dispatch();
    const unheard = await (await aDestination(call, blackHole())).dispatch();
    const attempts = async (of = event): Promise<readonly { at: string }[]> =>
      (await call('listWebhookEvents', {})).items.find(({ id }: { id: string }) => id === of)
        ?.metadata?.attempts ?? [];
    for (const each of [event, unheard])
      await eventually(
        () => attempts(each),
        (found) => found.length > 0,
      );
    await until('2026-03-31T12:00:00.000Z');
    expect(await attempts(unheard), 'attempts at what cannot be reached').toHaveLength(10);

    expect((await attempts()).map(({ at }) => at)).toEqual([
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
    expect(receiver.deliveries.length).toBe(10);
    expect(new Set(receiver.deliveries.map(({ raw }) => raw.toString())).size).toBe(1);
    for (const each of receiver.deliveries) expect(signersOf(each, [destination])).toHaveLength(1);

    const heard = await aReceiver(t);
    await aDestination(call, heard.url);
    const { id } = await call('testWebhooks', { path: { topic: TOPIC }, raw: ODD_DATA });
    await eventually(
      () => attempts(id),
      (found) => found.length === 3,
    );
    await until('2026-04-01T12:00:00.000Z');
    expect(heard.deliveries.length, 'deliveries to who acknowledged the first').toBe(1);
  },
);

check(
  'WHK-63',
  { requirement: 'R-SIG-11', effect: 'E4', assumes: 'A-1208', needs: 'clock.movable receiver' },
  'secret rotated → for 24 hours both sign, the new one first; then the new one alone',
  async (t) => {
    const { call, until } = await aCustomerWorld(t);
    const receiver = await aReceiver(t);
    const { id, secret: former, dispatch } = await aDestination(call, receiver.url);
    const { secret } = await call('rotateSecret', { body: { destination_id: id } });
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
  },
);
