import {
  aConnectedAccount,
  api,
  aReceiver,
  assuming,
  aWebhook,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  type OwnWebhook,
  type Receiver,
  spellingsOf,
  Untestable,
} from '../kit/index.ts';
import {
  aWebhookOf,
  DATA,
  dispatch,
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
    'WHK-92',
    {
      requirement: ['R-SIG-04', 'R-SIG-05', 'R-WHK-37'],
      level: 'IMPLIED',
      effect: 'E4',
      needs: 'receiver',
    },
    "test event with unusual data for the platform and for a connected account, with two destinations of one URL, one of another and one of the account's own → each called once, data to the last digit, the same bytes for all of the platform, each signed with its own secret alone; one attempt and one log entry each: the account's own destination is called for it alone",
    async (t) => {
      const { id: account } = await aConnectedAccount();
      const [shared, direct] = [await aReceiver(t), await aReceiver(t)];
      const own = await aWebhookOf(account, direct.url, t);
      const all = [own];
      for (const connect of [true, false])
        all.push(await aWebhook(t, { url: shared.url, connect }));
      const ids = [
        await dispatchToAll(undefined, ODD_DATA),
        await dispatchToAll(account, ODD_DATA),
      ];
      await direct.next(({ body }) => body?.id === ids[1]);
      for (const id of ids) await shared.next(({ body }) => body?.id === id);
      const told = ids.map((id) => toldOf(id, direct, all));

      expect(told.map((each) => each.map(({ signers }) => signers))).toEqual([[], ['0']]);
      await expectDigits(told.flat().map(({ text }) => text));
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

/** A destination that acknowledges, one that has not responded yet, and one that returns an error. */
type Place = 'good' | 'late' | 'bad';

const ALL = 'good+late+bad';

/**
 * The events that the log lists for some destinations: with status Success, with Failed and with any status, newest
 * first. Each event is named by the destinations it matched. The first row, without destinations, lists only events
 * that matched one destination.
 */
const FOUND: readonly (readonly [Place[], Success: string[], Failed: string[], any: string[]])[] = [
  [[], ['good'], ['bad'], ['bad', 'good', 'late']],
  [['good'], [ALL, 'good+late', 'good'], [], [ALL, 'good+late', 'good']],
  [['late'], [], [], [ALL, 'good+late', 'late']],
  [['bad'], [], [ALL, 'bad'], [ALL, 'bad']],
  [['good', 'late'], ['good'], [], [ALL, 'good+late', 'good', 'late']],
  [['late', 'bad'], [], [ALL, 'bad'], [ALL, 'bad', 'good+late', 'late']],
  [
    ['good', 'bad'],
    ['good+late', 'good'],
    [ALL, 'bad'],
    [ALL, 'bad', 'good+late', 'good'],
  ],
  [['good', 'late', 'bad'], ['good'], [ALL, 'bad'], [ALL, 'bad', 'good+late', 'good', 'late']],
];

/** Sends five events to three destinations. Returns once the destinations that respond have responded. */
async function fiveEvents(t: CheckContext) {
  const [quick, slow, wrong] = [await aReceiver(t), await aReceiver(t), await aReceiver(t)];
  slow.react('hang');
  wrong.react(500);
  const good = await aWebhook(t, { url: quick.url });
  const late = await aWebhook(t, { url: slow.url });
  const ids = [await dispatch(late), await dispatch(good), await dispatchToAll()];
  const bad = await aWebhook(t, { url: wrong.url });
  ids.push(await dispatch(bad), await dispatchToAll());
  const [first = '', , , fourth = '', last = ''] = ids;
  await slow.next(({ body }) => body?.id === first);
  await logged(fourth, (item) => isTried(item, bad));
  await logged(last, (item) => isTried(item, good) && isTried(item, bad));
  const isOver = async () => isTried(await logged(first), late);
  return { own: { good, late, bad }, ids, isOver };
}

/** The events that the log lists for the destinations and statuses of `FOUND`. */
async function lookedUp({ own, ids }: Awaited<ReturnType<typeof fiveEvents>>) {
  const named = async (at: readonly Place[], status?: string) => {
    // Either prefix means the same destination.
    const destination_id = at.map((place, index) => spellingsOf(own[place].id)[index % 2]);
    const items = await log({ status, ...(at.length > 0 && { destination_id }) });
    return items
      .filter(({ id }) => ids.includes(id))
      .map((item) => (Object.keys(own) as Place[]).filter((place) => isMatched(item, own[place])))
      .filter((places) => at.length > 0 || places.length === 1)
      .map((places) => places.join('+'));
  };
  const seen = [];
  for (const [at] of FOUND)
    seen.push([at, await named(at, 'Success'), await named(at, 'Failed'), await named(at)]);
  return seen;
}

describe('webhook log of acknowledged, rejected and pending events', () => {
  check(
    'WHK-68',
    {
      requirement: ['R-WHK-06', 'R-WHK-09', 'R-WHK-26', 'R-WHK-54'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1205',
      needs: 'receiver',
    },
    'events that one destination acknowledged, one rejected and one has not answered yet, alone and together → filtered by status and destinations, Success or Failed for these, the unanswered one neither; each item lists all destinations',
    async (t) => {
      // A delivery without a response fails after a while. If it failed before the log was read, try again.
      for (let tries = 0; tries < 4; tries += 1) {
        const events = await fiveEvents(t);
        const seen = await lookedUp(events);
        if (await events.isOver()) continue;
        expect(seen).toEqual(FOUND);
        return;
      }
      throw new Untestable('The target gave up waiting before its log had been looked at');
    },
  );
});
