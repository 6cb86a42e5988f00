import {
  aReceiver,
  check,
  describe,
  eventually,
  expect,
  signatureFault,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ODD_DATA, signersOf, TOPIC } from './shared/webhooks.ts';

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

describe('webhook deliveries over days', () => {
  check(
    'WHK-62',
    {
      requirement: 'R-WHK-57',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1204',
      needs: ['clock.movable', 'receiver'],
    },
    'delivery that always fails → attempted ten times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and never again, each time with the same bytes and a valid signature',
    async (t) => {
      const { call, until } = await aCustomerWorld(t);
      const receiver = await aReceiver(t);
      receiver.react(500);
      const destination = await aDestination(call, receiver.url);
      const event = await destination.dispatch();
      const attempts = async (): Promise<readonly { at: string }[]> =>
        (await call('listWebhookEvents', {})).items.find(({ id }: { id: string }) => id === event)
          ?.metadata?.attempts ?? [];
      await eventually(attempts, (found) => found.length > 0);
      await until('2026-03-31T12:00:00.000Z');

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
      for (const each of receiver.deliveries)
        expect(signersOf(each, [destination])).toHaveLength(1);
    },
  );

  check(
    'WHK-63',
    {
      requirement: 'R-SIG-11',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1208',
      needs: ['clock.movable', 'receiver'],
    },
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
});
