import {
  ADDRESSES,
  type AnyBody,
  aConnectedAccount,
  aFixedPrice,
  api,
  aUnitPrice,
  aWebhook,
  blackHole,
  type CheckContext,
  check,
  describe,
  expect,
  type OwnWebhook,
  refused,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { activation, activationItem, DATA, isMatched, logged, TOPIC } from './shared/webhooks.ts';

/** Topics that may be stored, and that no event has. */
const SIMILAR = [
  ...['subscription', 'subscription.activate', 'subscription.a', 's', 'activated'],
  ...['subscription.activated.now', 'subscription.activated.0', 'subscription.activated_'],
  ...['subscription.activated2', 'subscription.activateds', 'subscriptions.activated'],
  ...['a.subscription.activated', 'subscription_activated', 'subscription.activation'],
  ...['subscriptionactivated', 'subscriptionxactivated', 'activated.subscription'],
  ...['subscription.deactivated', 'customer.activated', 'subscription.activated.activated'],
  ...['subscription.subscription.activated', 'subscription._activated', 'all', 'any'],
];

/** Texts that are no topic. */
const NO_TOPICS = [
  ...['Subscription.Activated', 'SUBSCRIPTION.ACTIVATED', 'subscription.activateD'],
  ...['subscription.*', '*.activated', '*.*', '**', '.*', '* ', ' *', '*,subscription.activated'],
  ...['subscription.activated ', ' subscription.activated', 'subscription.activated\n'],
  ...['subscription..activated', '.subscription.activated', 'subscription.activated.', '.'],
  ...['subscription activated', 'subscription-activated', 'subscription/activated', ''],
  ...['subscription.activated,subscription.ended', '1subscription', '_subscription', 'süb'],
];

/** Lists of topics, and whether the event matches them. */
const LISTS: readonly (readonly [readonly string[], boolean])[] = [
  ...SIMILAR.map((topic) => [[topic], false] as const),
  [SIMILAR, false],
  [SIMILAR.toReversed(), false],
  [['*'], true],
  [[TOPIC], true],
  [[...SIMILAR, TOPIC], true],
  [[TOPIC, ...SIMILAR], true],
  [[...SIMILAR, '*'], true],
  [['*', ...SIMILAR], true],
  [[TOPIC, '*'], true],
];

const WANTED = LISTS.filter(([, isWanted]) => isWanted).map(([topics]) => topics);

/** A destination for each list; every other one gets its topics by an update. */
async function destinations(t: CheckContext, connect: boolean) {
  const made: { readonly webhook: OwnWebhook; readonly topics: readonly string[] }[] = [];
  for (const [index, [topics]] of LISTS.entries()) {
    const isUpdated = index % 2 === 1;
    const webhook = await aWebhook(t, { connect, topics: isUpdated ? ['*'] : [...topics] });
    const path = { webhookId: webhook.id };
    if (isUpdated) await api('updateWebhook', { path, body: { topics: [...topics] } }, 200);
    made.push({ webhook, topics });
  }
  return (item: Parameters<typeof isMatched>[0]) =>
    made.filter(({ webhook }) => isMatched(item, webhook)).map(({ topics }) => topics);
}

describe('topics similar to that of an event', () => {
  check(
    'WHK-82',
    { requirement: ['R-WHK-37', 'R-WHK-38', 'R-WHK-49'], level: 'MUST', effect: 'E4' },
    'destinations with topics that begin, end, contain or resemble that of an event, alone and in lists, at creation and by update, for the platform and for accounts → matched by activations and test events only if the topic itself or * is in the list',
    async (t) => {
      const [ofPlatform, ofAccounts] = [await destinations(t, false), await destinations(t, true)];
      const { subscriptionId } = await activation();
      const { id: connectedAccountId } = await aConnectedAccount();
      const path = { topic: TOPIC };
      const body = DATA as never;
      const sent = await api('testWebhooks', { path, body }, 202);
      const inAccount = { ...path, connectedAccountId };
      const other = await api('testConnectedWebhooks', { path: inAccount, body }, 202);

      expect(ofPlatform(await activationItem(subscriptionId))).toEqual(WANTED);
      expect(ofPlatform(await logged(sent.id))).toEqual(WANTED);
      expect(ofAccounts(await logged(other.id))).toEqual(WANTED);
    },
  );

  check(
    'WHK-85',
    {
      requirement: 'R-WHK-37',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-603', 'A-605'],
      needs: 'clock.movable',
    },
    'activations by a payment, at a later start, and by the late payment of a renewal → logged only for destinations that name the topic itself or *, whatever similar topics others name',
    async (t) => {
      const { call, path, subscribe, until } = await aCustomerWorld(t);
      const wanted: string[] = [];
      for (const [topics, isWanted] of LISTS) {
        const { id } = await call('createWebhook', { body: { url: blackHole(), topics } });
        if (isWanted) wanted.push(id);
      }
      const free = { name: 'Free', code: 'free', prices: [aUnitPrice('call')], publish: true };
      const { id: product } = await call('createProduct', { body: free });
      const starts_at = '2026-03-01T13:00:00.000Z';
      const later = { products: [{ id: product }], ...ADDRESSES, starts_at };
      const { id: started } = await call('createSubscription', { path, body: later });
      const paid = await subscribe([aFixedPrice()], [], true);
      await until('2026-04-01T13:00:00.000Z');
      await call('settlePayment', { path: { id: paid }, body: { outcome: 'succeeded' } });
      const { items } = await call('listWebhookEvents', {});

      expect(items.map(({ data }: AnyBody) => data.subscription_id)).toEqual([paid, started, paid]);
      for (const { matched_destination_ids } of items)
        expect(new Set(matched_destination_ids)).toEqual(new Set(wanted));
    },
  );

  check(
    'WHK-83',
    { requirement: 'R-WHK-49', level: 'ASSUMED', effect: 'E2', assumes: 'A-1202' },
    'texts in other letter case, with wildcards inside, spaces, empty parts and other signs as a topic, alone and next to one, at creation and by update → rejected, the topics stay',
    async (t) => {
      const webhook = await aWebhook(t, { topics: SIMILAR });
      const path = { webhookId: webhook.id };
      for (const text of NO_TOPICS)
        for (const topics of [[text], [TOPIC, text], [text, '*']]) {
          await refused('createWebhook', { body: { url: blackHole(), topics } });
          await refused('updateWebhook', { path, body: { topics } });
        }
      expect((await api('getWebhook', { path }, 200)).topics).toEqual(SIMILAR);
    },
  );
});
