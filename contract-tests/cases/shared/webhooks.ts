import {
  aFreshCustomer,
  aProduct,
  api,
  type Body,
  eventually,
  type OwnWebhook,
} from '../../kit/index.ts';

export type Item = Body<'listWebhookEvents', 200>['items'][number];

export const TOPIC = 'subscription.activated';

export const DATA = { user_id: 'u-1', status: 'active' };

/** Sends a test event to one destination; answers its id. */
export async function dispatch({ id }: OwnWebhook, body: object = DATA): Promise<string> {
  const path = { webhookId: id, topic: TOPIC };
  return (await api('testWebhook', { path, body: body as never }, 202)).id;
}

export async function log(query: object = {}): Promise<readonly Item[]> {
  const whole = { limit: 1000, ...query };
  return (await api('listWebhookEvents', { query: whole as never }, 200)).items;
}

/** The log item of an event, once it is there and fits. */
export async function logged(eventId: string, fits = (_: Item) => true): Promise<Item> {
  const find = async () => (await log()).find(({ id }) => id === eventId);
  return (await eventually(find, (item) => item !== undefined && fits(item), 30_000)) as Item;
}

/** What an item tells of the attempts to deliver it. */
export const attemptsOf = ({ metadata }: Item) =>
  (metadata ?? { attempts: [] })['attempts'] as readonly {
    destination_id: string;
    at: string;
    status_code: number | null;
  }[];

const isSame = (one: string, other: string) => one.split('_')[1] === other.split('_')[1];

export const isMatched = (item: Item | undefined, { id }: Pick<OwnWebhook, 'id'>): boolean =>
  item?.matched_destination_ids.some((one) => isSame(one, id)) ?? false;

/** Whether a destination was tried; others of the account may have been, too. */
export const isTried = (item: Item, { id }: OwnWebhook): boolean =>
  attemptsOf(item).some((one) => isSame(one.destination_id, id));

/** Subscribes a new customer, which fires a real event; answers the id of the subscription. */
export async function activation(): Promise<{ customerId: string; subscriptionId: string }> {
  const [customer, product] = [await aFreshCustomer(), await aProduct('usage')];
  const body = { products: [{ id: product.id }] };
  const path = { customerId: customer.id };
  const { id } = await api('createSubscription', { path, body }, 201);
  return { customerId: customer.id, subscriptionId: id };
}

/** Whether a log item is of a subscription. */
export const isOf =
  (subscriptionId: string) =>
  ({ data }: Item): boolean =>
    (data as { readonly subscription_id?: string }).subscription_id === subscriptionId;

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
