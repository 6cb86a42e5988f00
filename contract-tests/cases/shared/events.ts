import {
  aFreshCustomer,
  aFreshProduct,
  api,
  type Body,
  type OwnObject,
  unique,
} from '../../kit/index.ts';
import { subscribe, to } from './subscriptions.ts';

export type Stored = Body<'getEvent', 200>;

export type Listed = Body<'listEvents', 200>['items'][number];

export const stored = async (eventId: string): Promise<Stored> =>
  api('getEvent', { path: { eventId } }, 200);

/** The task of a customer's events with this subject. */
export const taskOf = ({ id }: Pick<OwnObject, 'id'>, subject: string) =>
  api('getTask', { path: { taskId: `${id}:${subject}` } }, 200);

/** Submits events of a customer in one batch. */
export async function submit({ id }: Pick<OwnObject, 'id'>, ...events: object[]): Promise<void> {
  await api('submitEvents', { body: { customer_id: id, events: events as never } }, 204);
}

export async function listed(query: object): Promise<Listed[]> {
  const { items } = await api('listEvents', { query: { limit: 1000, ...query } as never }, 200);
  return items;
}

/** A price in USD for one event type. */
export function price(
  eventType: string,
  usage_type: string,
  values: object[],
  more: object = {},
): object {
  return {
    name: 'Usage',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: {
      event_type: eventType,
      usage_type,
      ...(usage_type !== 'unit' && { volume_field: 'tokens' }),
      ...more,
    },
    pricing: [{ asset: 'USD', values }],
  };
}

/** A new customer, subscribed to a product with one price in USD. */
export const aPayerOf = (usage_type: string, values: object[], more: object = {}) =>
  aPayer((eventType) => [price(eventType, usage_type, values, more)]);

/** A new customer, subscribed to a product with these prices. */
export async function aPayer(pricesOf: (eventType: string) => object[]) {
  const eventType = `contract.${unique('use')}`;
  const product = await aFreshProduct({ prices: pricesOf(eventType) });
  const customer = await aFreshCustomer();
  await subscribe(customer, to(product));
  return { customer, product, eventType };
}

/** Tiers: 1 per token up to 100 tokens, 0.5 per token after that. */
export const ROWS = [{ up_to: 100, volume_rate: 1 }, { volume_rate: 0.5 }];

/** Prices of a pricing model, by volume of tokens by default. */
export const priced =
  (
    pricing_model: string,
    tiering: object | undefined,
    values: readonly object[],
    usage_type = 'volume',
  ) =>
  (eventType: string): object[] => [
    { ...price(eventType, usage_type, [...values]), pricing_model, ...(tiering && { tiering }) },
  ];

/** The costs of a vendor, of the current month unless the query names a period. */
export const vendorStats = (vendorId: string, query: object = {}) =>
  api('getVendorStats', { path: { vendorId }, query }, 200);

/** The id of a new vendor, which no other check uses. */
export async function aNewVendor(changes: object = {}): Promise<string> {
  const body = { name: 'Contract vendor', external_id: unique('vendor'), ...changes };
  return (await api('createVendor', { body }, 201)).id;
}
