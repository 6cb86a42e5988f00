import { ADDRESSES, anOwnWorld, type CheckContext, uuid, type WorldCall } from '../../kit/index.ts';

const ACCOUNT = 'default:USD';

/** A world with a customer. Its clock is frozen, at noon of 1 March unless given. */
export async function aCustomerWorld(
  t: CheckContext,
  now = '2026-03-01T12:00:00.000Z',
  environment?: 'test' | 'live',
): Promise<CustomerWorld> {
  const call = anOwnWorld(t, environment);
  await call('setClock', { body: { mode: 'frozen', now } });
  const { id } = await call('createCustomer', { body: { name: 'Ada' } });
  return new CustomerWorld(call, id);
}

class CustomerWorld {
  readonly path: { readonly customerId: string };
  #plans = 0;

  constructor(
    readonly call: WorldCall,
    customerId: string,
  ) {
    this.path = { customerId };
  }

  readonly until = (to: string) => this.call('advanceClock', { body: { to } });

  /** Subscribes the customer to a new plan, and pays its fee by card. Returns the subscription's id. */
  readonly subscribe = async (
    prices: readonly object[],
    entitlements: readonly object[] = [],
    declines_later = false,
  ): Promise<string> => {
    const { call, path } = this;
    this.#plans += 1;
    const plan = { name: 'Plan', code: `plan-${this.#plans}`, prices, entitlements, publish: true };
    const { id: product } = await call('createProduct', { body: plan });
    const body = { products: [{ id: product }], ...ADDRESSES };
    const { id, status } = await call('createSubscription', { path, body });
    const payment = { outcome: 'succeeded', payment_method: { kind: 'card', declines_later } };
    if (status === 'action_required') await call('settlePayment', { path: { id }, body: payment });
    return id;
  };

  readonly use = async (): Promise<void> => {
    const { now: occurred_at } = await this.call('getClock', {});
    const events = [{ id: uuid(), event_type: 'call', occurred_at, data: {} }];
    const body = { customer_id: this.path.customerId, events };
    await this.call('submitEvents', { body });
  };

  readonly adjust = (body: object) =>
    this.call('adjustWallet', {
      path: this.path,
      body: { transaction_id: uuid(), asset: 'USD', ...body },
    });

  readonly available = async (): Promise<number> => {
    const { accounts } = await this.call('getWallet', { path: this.path });
    return accounts[0]?.available ?? 0;
  };

  /** The ends of grants with credit left. */
  readonly ends = async (): Promise<readonly (string | null)[]> => {
    const { items } = await this.call('listGrants', { path: { ...this.path, accountId: ACCOUNT } });
    return items
      .filter(({ available }: { available: number }) => available > 0)
      .map(({ expires_at }: { expires_at: string }) => expires_at);
  };

  readonly subscription = async (id: string) => {
    const { subscriptions } = await this.call('getCustomer', { path: this.path });
    return subscriptions.find((each: { id: string }) => each.id === id);
  };

  /** The gross revenue of the customer. */
  readonly revenue = async (): Promise<number> =>
    (await this.call('getCustomerStats', { path: this.path })).gross_revenue;
}
