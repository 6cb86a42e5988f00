import {
  aConnectedAccount,
  api,
  aReceiver,
  assuming,
  aWebhook,
  call,
  check,
  describe,
  expect,
  type OwnWebhook,
  type Receiver,
} from '../kit/index.ts';
import {
  DATA,
  isMatched,
  isTried,
  log,
  logged,
  ODD_DATA,
  signersOf,
  TOPIC,
  triesOf,
} from './shared/webhooks.ts';

/** Sends a test event to all destinations of the platform, or to all that receive events of a connected account. */
async function dispatchToAll(
  connectedAccountId?: string,
  raw = JSON.stringify(DATA),
): Promise<string> {
  const path = { topic: TOPIC };
  if (connectedAccountId === undefined)
    return (await call('testWebhooks', { path, raw }, [202])).body.id;
  const place = { ...path, connectedAccountId };
  return (await call('testConnectedWebhooks', { path: place, raw }, [202])).body.id;
}

/** The deliveries of an event to a receiver: the places of the destinations whose secret signed it, and its text. */
const toldOf = (id: string, { deliveries }: Receiver, all: readonly OwnWebhook[]) =>
  deliveries
    .filter(({ body }) => body?.id === id)
    .map((one) => ({
      signers: signersOf(one, all)
        .map((each) => all.indexOf(each))
        .join(),
      text: one.raw.toString(),
    }));

const expectDigits = (texts: readonly string[]) =>
  assuming('A-1207', async () => {
    for (const text of texts) expect(text).toContain('12345678901234567890.1234567890123456789');
  });

describe('test events for all destinations', () => {
  check(
    'WHK-60',
    {
      requirement: ['R-WHK-11', 'R-WHK-37', 'R-WHK-55'],
      level: 'IMPLIED',
      effect: 'E4',
      needs: 'receiver',
    },
    'test of a topic with a disabled destination and one with several topics, for the platform and for a connected account → the disabled one is neither matched nor called; the other is called once, with the id of the connected account',
    async (t) => {
      for (const accountId of [undefined, (await aConnectedAccount()).id]) {
        const [silent, heard] = [await aReceiver(t), await aReceiver(t)];
        const connect = accountId !== undefined;
        const off = await aWebhook(t, { url: silent.url, connect });
        const on = await aWebhook(t, { url: heard.url, connect, topics: ['*', TOPIC] });
        const enable = (enabled: boolean) =>
          api('updateWebhook', { path: { webhookId: off.id }, body: { enabled } }, 200);
        await enable(false);
        const sent = await dispatchToAll(accountId);
        const { body: told } = await heard.next(({ body }) => body?.id === sent);
        const item = await logged(sent);
        await enable(true);
        const sentinel = await dispatchToAll(accountId);
        for (const { next } of [silent, heard]) await next(({ body }) => body?.id === sentinel);

        expect([isMatched(item, on), isMatched(item, off)]).toEqual([true, false]);
        expect(silent.deliveries.map(({ body }) => body?.id)).toEqual([sentinel]);
        expect(heard.deliveries.map(({ body }) => body?.id)).toEqual([sent, sentinel]);
        await assuming('A-1206', async () => expect(told.account_id).toBe(accountId));
      }
    },
  );

  check(
    'WHK-75',
    {
      requirement: ['R-SIG-04', 'R-SIG-05', 'R-WHK-37'],
      level: 'IMPLIED',
      effect: 'E4',
      needs: 'receiver',
    },
    "test event with unusual data for the platform and for a connected account, with two destinations of one URL, one of another and one of the account's own → each called once, data to the last digit, the same bytes for all of the platform, each signed with its own secret alone; one attempt and one log entry each",
    async (t) => {
      const { id: account } = await aConnectedAccount();
      const [twice, once] = [await aReceiver(t), await aReceiver(t)];
      for (const accountId of [undefined, account]) {
        const connect = accountId !== undefined;
        const ours: OwnWebhook[] = [];
        for (const { url } of [twice, twice, once]) ours.push(await aWebhook(t, { url, connect }));
        const id = await dispatchToAll(accountId, ODD_DATA);
        const item = await logged(id, (seen) => ours.every((each) => isTried(seen, each)));
        const told = [twice, once].map((receiver) => toldOf(id, receiver, ours));
        const texts = told.flat().map(({ text }) => text);

        expect(told.map((each) => each.map(({ signers }) => signers).sort())).toEqual([
          ['0', '1'],
          ['2'],
        ]);
        expect(new Set(texts).size).toBe(1);
        await expectDigits(texts);
        for (const each of ours) {
          expect(triesOf(item, each)).toBe(1);
          expect((await log({ destination_id: [each.id] })).map((one) => one.id)).toEqual([id]);
        }
      }
    },
  );

  check(
    'WHK-61',
    {
      requirement: 'R-WHK-54',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1205',
      needs: 'receiver',
    },
    'a test event to two destinations that both acknowledge, or of which one fails → Success only if both did; filtered by destination, each by its own result',
    async (t) => {
      const receivers = [await aReceiver(t), await aReceiver(t)] as const;
      const [one, other] = [
        await aWebhook(t, { url: receivers[0].url }),
        await aWebhook(t, { url: receivers[1].url }),
      ];
      const statuses = async (id: string, destinations: readonly string[]) => {
        const found: string[] = [];
        for (const status of ['Success', 'Failed']) {
          const items = await log({ destination_id: destinations, status });
          if (items.some((item) => item.id === id)) found.push(status);
        }
        return found.join();
      };
      for (const [first, second, wanted] of [
        [204, 204, ['Success', 'Success', 'Success']],
        [204, 500, ['Success', 'Failed', 'Failed']],
        [500, 204, ['Failed', 'Success', 'Failed']],
      ] as const) {
        receivers[0].react(first);
        receivers[1].react(second);
        const id = await dispatchToAll();
        const item = await logged(id, (seen) => isTried(seen, one) && isTried(seen, other));
        const isDone = wanted[2] === 'Success';

        if (!isDone || item.matched_destination_ids.length === 2)
          expect([item.successful_at !== null, item.failed_at !== null]).toEqual([isDone, !isDone]);
        expect([
          await statuses(id, [one.id]),
          await statuses(id, [other.id]),
          await statuses(id, [one.id, other.id]),
        ]).toEqual(wanted);
      }
    },
  );
});
