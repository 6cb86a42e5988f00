import { beforeEach } from 'vitest';
import { rowsOf } from '../../store/query/rows-of.ts';
import { inWorld } from '../catalog.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { callsFor } from '../customer.ts';

interface ToppedUp {
  client: TestClient;
  customerId: string;
}

/** For tests: before each, a new emulator with a customer, and calls about its automatic top-ups. */
export function openAutoTopUps() {
  const topped = {} as ToppedUp;
  beforeEach(async () => {
    const client = createTestClient();
    const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    const rates = [{ source: 'USD', rate: 0.05 }];
    await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits', rates } }, 201);
    Object.assign(topped, { client, customerId: id });
  });
  const { api, control, credit, charge, balance, grants, advance } = callsFor(topped);
  return Object.assign(topped, termsOf(topped), outcomesOf(topped), {
    ...{ api, control, grants, advance },
    give: (amount: number, asset = 'USD', more: object = {}) =>
      credit(asset, amount, { reason: 'gift', ...more }),
    charge: (amount: number, asset = 'USD') => charge(asset, amount),
    balance: (asset = 'USD') => balance(asset),
  });
}

function termsOf(topped: ToppedUp) {
  const { control } = callsFor(topped);
  const path = (asset: string) => ({
    customerId: topped.customerId,
    accountId: `default:${asset}`,
  });
  return {
    /** Turns on automatic top-ups. Default: 30 USD whenever fewer than 10 units are left. */
    turnOn(terms: object = {}, asset = 'USD', status = 204) {
      const body = { threshold: 10, amount: 30, currency: 'USD', ...terms };
      return control('setAutoTopUp', { path: path(asset), body }, status);
    },

    turnOff: (asset = 'USD') =>
      control('setAutoTopUp', { path: path(asset), body: { threshold: null } }, 204),

    saveMethod: (method: object = { kind: 'card' }) =>
      control('setPaymentMethod', { path: { customerId: topped.customerId }, body: method }, 204),
  };
}

const outcomesOf = (topped: ToppedUp) => ({
  /** Why the automatic top-ups of each account came to nothing. */
  async refusals(): Promise<(string | undefined)[]> {
    const path = { customerId: topped.customerId };
    const { items } = await topped.client.control('listAutoTopUps', { path }, 200);
    return items.map(({ refused }: { refused?: string }) => refused);
  },
  /** The statuses of the customer's top-ups, which no operation lists. */
  statuses: () =>
    inWorld(topped.client, ({ tables }) =>
      rowsOf(tables.top_ups, { customer_id: topped.customerId }).map(({ status }) => status),
    ),
});
