import {
  aFreshCustomer,
  aProduct,
  api,
  type Body,
  call,
  type Delivery,
  eventually,
  expect,
  now,
  type OwnWebhook,
  signatureFault,
} from '../../kit/index.ts';
import { subscribe, to } from './subscriptions.ts';

export type Item = Body<'listWebhookEvents', 200>['items'][number];

export const TOPIC = 'subscription.activated';

export const DATA = { user_id: 'u-1', status: 'active' };

/** Topics that may be stored, and that no event has. */
export const SIMILAR_TOPICS = [
  'subscription',
  'subscription.activate',
  'subscription.a',
  's',
  'activated',
  'subscription.activated.now',
  'subscription.activated.0',
  'subscription.activated_',
  'subscription.activated2',
  'subscription.activateds',
  'subscriptions.activated',
  'a.subscription.activated',
  'subscription_activated',
  'subscription.activation',
  'subscriptionactivated',
  'subscriptionxactivated',
  'activated.subscription',
  'subscription.deactivated',
  'customer.activated',
  'subscription.activated.activated',
  'subscription.subscription.activated',
  'subscription._activated',
  'all',
  'any',
];

/** Lists of topics, and whether an activation matches them. */
export const TOPIC_LISTS: readonly (readonly [topics: string[], isMatched: boolean])[] = [
  [SIMILAR_TOPICS, false],
  [SIMILAR_TOPICS.toReversed(), false],
  [['subscription.activated.now'], false],
  [['subscription'], false],
  [['*'], true],
  [[TOPIC], true],
  [[...SIMILAR_TOPICS, TOPIC], true],
  [['*', ...SIMILAR_TOPICS], true],
  [[TOPIC, '*'], true],
];

/** Data that parsing and writing JSON again would change: scripts, escapes, key order and digits. */
export const ODD_DATA = String.raw`{"name":"Zoë Łukasz 漢字 Ελένη مريم दीपा é 👩‍👧 <b>&amp;","escaped":"\u00e9\/\ud83d\ude00\u2028\\","2":[1.10,1E2],"1":12345678901234567890.12345678901234567890}`;

/** Enables or disables a destination. */
export const enable = ({ id }: OwnWebhook, enabled: boolean) =>
  api('updateWebhook', { path: { webhookId: id }, body: { enabled } }, 200);

/** Sends a test event to one destination. Data given as text is sent unchanged. Returns the event's id. */
export async function dispatch({ id }: OwnWebhook, data: object | string = DATA): Promise<string> {
  const parts = typeof data === 'string' ? { raw: data } : { body: data };
  const path = { webhookId: id, topic: TOPIC };
  return (await call('testWebhook', { path, ...parts }, [202])).body.id;
}

/** Sends a test event to all destinations of the platform, or to all that receive events of a connected account. */
export async function dispatchToAll(
  connectedAccountId?: string,
  raw = JSON.stringify(DATA),
): Promise<string> {
  const path = { topic: TOPIC };
  if (connectedAccountId === undefined)
    return (await call('testWebhooks', { path, raw }, [202])).body.id;
  const ofAccount = { ...path, connectedAccountId };
  return (await call('testConnectedWebhooks', { path: ofAccount, raw }, [202])).body.id;
}

/** The destinations whose secret signed a delivery, verified on the received bytes. */
export function signersOf<W extends Pick<OwnWebhook, 'secret'>>(
  { signature, raw }: Delivery,
  destinations: readonly W[],
): readonly W[] {
  const unixSeconds = Math.floor(Date.parse(now()) / 1000);
  const signed = { header: signature, body: raw, unixSeconds };
  return destinations.filter(({ secret }) => signatureFault({ ...signed, secret }) === undefined);
}

export async function log(query: object = {}): Promise<readonly Item[]> {
  const whole = { limit: 1000, ...query };
  return (await api('listWebhookEvents', { query: whole as never }, 200)).items;
}

/**
 * Reads the log page by page to its end and back, and compares each page with the ids of the wanted events, newest
 * first. Pages are read by each of the queries in turn, which all mean the same.
 */
export async function walkLog(
  queries: readonly [object, ...object[]],
  wanted: readonly string[],
  limit = 1,
): Promise<void> {
  let [count, start] = [0, 0];
  const expectPage = async (cursor: object) => {
    const query = { ...queries[count++ % queries.length], limit, ...cursor };
    const { items, pagination } = await api('listWebhookEvents', { query: query as never }, 200);
    const [ids, { next = null, prev = null }] = [items.map(({ id }) => id), pagination];
    const asked = JSON.stringify(query);
    expect(ids, asked).toEqual(wanted.slice(start, start + limit));
    expect(pagination.limit, asked).toBe(limit);
    expect([prev === null, next === null], asked).toEqual([
      start === 0,
      start + limit >= wanted.length,
    ]);
    return { next, prev };
  };
  let edges = await expectPage({});
  for (const [edge, step] of [
    ['next', limit],
    ['prev', -limit],
  ] as const)
    while (edges[edge] !== null) {
      start += step;
      edges = await expectPage({ [edge]: edges[edge] });
    }
}

/** Waits for the log item of an event until it fits, and returns it. */
export async function logged(eventId: string, fits = (_: Item) => true): Promise<Item> {
  const find = async () => (await log()).find(({ id }) => id === eventId);
  return (await eventually(find, (item) => item !== undefined && fits(item), 30_000)) as Item;
}

/** The delivery attempts of a log item. */
const attemptsOf = ({ metadata }: Item) =>
  (metadata ?? { attempts: [] })['attempts'] as readonly {
    destination_id: string;
    at: string;
    status_code: number | null;
  }[];

const isSame = (one: string, other: string) => one.split('_')[1] === other.split('_')[1];

export const isMatched = (item: Item | undefined, { id }: Pick<OwnWebhook, 'id'>): boolean =>
  item?.matched_destination_ids.some((one) => isSame(one, id)) ?? false;

/** The number of delivery attempts to one destination. */
export const triesOf = (item: Item, { id }: OwnWebhook): number =>
  attemptsOf(item).filter((one) => isSame(one.destination_id, id)).length;

export const isTried = (item: Item, webhook: OwnWebhook): boolean => triesOf(item, webhook) > 0;

/** Subscribes a new customer, which causes a real event. Returns the ids of customer and subscription. */
export async function activation(): Promise<{ customerId: string; subscriptionId: string }> {
  const [customer, product] = [await aFreshCustomer(), await aProduct('usage')];
  const { id } = await subscribe(customer, to(product));
  return { customerId: customer.id, subscriptionId: id };
}

/** Whether a log item belongs to a subscription. */
export const isOf =
  (subscriptionId: string) =>
  ({ data }: Item): boolean =>
    // A test event can have null as data.
    (data as { readonly subscription_id?: string } | null)?.subscription_id === subscriptionId;

/** The log items of a subscription's activations. */
export const activationsOf = async (subscriptionId: string): Promise<readonly Item[]> =>
  (await log()).filter(isOf(subscriptionId));

/** The log item of a subscription's activation. */
export async function activationItem(subscriptionId: string): Promise<Item> {
  const [item] = await eventually(
    () => activationsOf(subscriptionId),
    (items) => items.length > 0,
  );
  return item as Item;
}
