import type { Client, ClientResponse } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';

export interface NewCustomer {
  /** Default: its external id, or `Customer`. */
  readonly name?: string;
  readonly external_id?: string;
  readonly email?: string;
  /** Code of the product that it subscribes to, or several. */
  readonly plan?: string | readonly string[];
  /** Whether a payment that the subscription asks for succeeds, by a card that also pays renewals. */
  readonly paid?: boolean;
  /** Credit that it is given, by asset, such as `{ USD: 20 }`. */
  readonly credit?: Readonly<Record<string, number>>;
}

/** Customers of a world, and what they have. */
export interface CustomerControls {
  readonly customers: {
    /** Creates a customer with what a test needs it to have. @throws ApiError for what the service rejects */
    create(customer?: NewCustomer): Promise<ClientResponse<'getCustomer'>>;
  };
  /**
   * What a customer has available.
   *
   * @param customer id or external id
   * @param asset code of an asset, or an account such as `bonus:USD`. Default: USD
   * @throws ApiError for an unknown customer
   */
  balance(customer: string, asset?: string): Promise<number>;
}

/** The payment page leads there; nothing in a test opens it. */
const URLS = {
  return_url: 'https://example.com/paid',
  failure_url: 'https://example.com/not-paid',
};

/** Ids of transactions are unique by customer, so that these can be the same for each new one. */
const transactionId = (place: number): string =>
  `c4ed1700-0000-4000-8000-${String(place).padStart(12, '0')}`;

export function customersOf(client: Client): CustomerControls {
  const { call } = client;
  return {
    customers: { create: (customer = {}) => createCustomer(client, customer) },
    async balance(customer, asset = 'USD') {
      const path = { customerId: await customerIdOf(client, customer) };
      const { accounts } = await call('getWallet', { path });
      const id = asset.includes(':') ? asset : `default:${asset}`;
      return accounts.find((account) => account.id === id)?.available ?? 0;
    },
  };
}

async function createCustomer({ call }: Client, customer: NewCustomer) {
  const { plan, paid = false, credit = {}, external_id = null, ...rest } = customer;
  const products = [plan ?? []].flat().map((code) => ({ code }));
  const subscriptions = products.length > 0 ? [{ products, ...URLS }] : [];
  const body = { name: external_id ?? 'Customer', ...rest, external_id, subscriptions };
  const { id } = await call('createCustomer', { body });
  const path = { customerId: id };
  for (const [place, [asset, amount]] of Object.entries(credit).entries()) {
    const gift = { transaction_id: transactionId(place), asset, amount, reason: 'gift' } as const;
    await call('adjustWallet', { path, body: gift });
  }
  const created = await call('getCustomer', { path });
  if (!paid) return created;
  for (const { id: subscription, status } of created.subscriptions)
    if (status === 'action_required') {
      const payment = { outcome: 'succeeded', payment_method: { kind: 'card' } } as const;
      await call('settlePayment', { path: { id: subscription }, body: payment });
    }
  return call('getCustomer', { path });
}

/**
 * Returns the id of a customer of an account that is named by id or external id.
 *
 * @throws ApiError if nobody has it
 */
export async function customerIdOf(
  { call }: Pick<Client, 'call'>,
  name: string,
  account?: string,
): Promise<string> {
  if (name.startsWith('cust_')) return name;
  // A match redirects to the customer.
  const found: object = await call('listCustomers', {
    query: { external_id: name },
    account,
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new ApiError('listCustomers', 404, '', `No customer has the external id ${name}.`);
  });
  return (found as { readonly id: string }).id;
}
