import { beforeEach } from 'vitest';
import type { Context } from '../../resources/context.ts';
import { TEST_CARD } from '../../resources/customers/payment-method.ts';
import { setAutoTopUpRule } from '../../resources/payments/auto-top-ups.ts';
import { saveMethod } from '../../resources/payments/payment-methods.ts';
import type { CustomerRow, PaymentMethod, WalletAccountRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { inWorld, URLS } from '../catalog.ts';
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
  const { credit, charge, balance, grants, advance } = callsFor(topped);
  return Object.assign(topped, termsOf(topped), outcomesOf(topped), {
    ...{ grants, advance },
    give: (amount: number, asset = 'USD', more: object = {}) =>
      credit(asset, amount, { reason: 'gift', ...more }),
    charge: (amount: number, asset = 'USD') => charge(asset, amount),
    balance: (asset = 'USD') => balance(asset),
  });
}

function termsOf(topped: ToppedUp) {
  const accountOf = ({ tables }: Context, asset = 'USD') =>
    tables.wallet_accounts.get(key(topped.customerId, `default:${asset}`)) as WalletAccountRow;
  return {
    accountOf,

    /** Turns on automatic top-ups. Default: 30 USD whenever fewer than 10 units are left. */
    turnOn(terms: object = {}, asset = 'USD'): void {
      const preset = { threshold: '10', amount: '30', currency: 'USD', ...URLS };
      inWorld(topped.client, (context) =>
        setAutoTopUpRule(context, accountOf(context, asset), { ...preset, ...terms }),
      );
    },

    saveCard(method: PaymentMethod = TEST_CARD): void {
      inWorld(topped.client, (context) => {
        const customer = context.tables.customers.get(topped.customerId) as CustomerRow;
        return saveMethod(context, customer, method);
      });
    },
  };
}

const outcomesOf = (topped: ToppedUp) => ({
  statuses: () =>
    inWorld(topped.client, ({ tables }) =>
      tables.top_ups.list('customer', topped.customerId).map(({ status }) => status),
    ),
  refusal: () =>
    inWorld(
      topped.client,
      ({ tables }) =>
        tables.auto_top_ups.get(key(topped.customerId, 'default:USD'))?.refused?.reason,
    ),
});
