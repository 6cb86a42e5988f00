import { beforeEach } from 'vitest';
import type { Context } from '../../resources/context.ts';
import { setAutoTopUpRule } from '../../resources/payments/auto-top-ups.ts';
import { saveMethod } from '../../resources/payments/saved-method.ts';
import type { CustomerRow, PaymentMethod, WalletAccountRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import { inWorld, URLS } from '../catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../client.ts';
import { nextUuid } from '../usage.ts';

const CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };

/** For tests: before each, an emulator with a customer of its own, and what concerns automatic top-ups there. */
export function openAutoTopUps() {
  let client: TestClient;
  let customerId: string;
  beforeEach(async () => {
    client = createTestClient();
    customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
    const rates = [{ source: 'USD', rate: 0.05 }];
    await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits', rates } }, 201);
  });

  async function give(amount: number, asset = 'USD', more: object = {}): Promise<void> {
    const body = { transaction_id: nextUuid(), asset, amount, reason: 'gift', ...more };
    await client.api('adjustWallet', { path: { customerId }, body }, 201);
  }

  async function charge(amount: number, asset = 'USD'): Promise<void> {
    const body = { transaction_id: nextUuid(), asset, amount };
    await client.api('chargeWallet', { path: { customerId }, body }, 201);
  }

  async function balance(asset = 'USD'): Promise<AnyBody> {
    const path = { customerId, accountId: `default:${asset}` };
    return (await client.api('getWalletAccount', { path }, 200)).available;
  }

  const advance = (by: string) => client.control('advanceClock', { body: { by } }, 200);

  const accountOf = ({ tables }: Context, asset = 'USD') =>
    tables.wallet_accounts.get(key(customerId, `default:${asset}`)) as WalletAccountRow;

  /** Turns it on: 30 USD whenever less than 10 units are left, unless told. */
  function turnOn(terms: object = {}, asset = 'USD'): void {
    const preset = { threshold: '10', amount: '30', currency: 'USD', ...URLS };
    inWorld(client, (context) =>
      setAutoTopUpRule(context, accountOf(context, asset), { ...preset, ...terms }),
    );
  }

  function saveCard(method: PaymentMethod = CARD): void {
    inWorld(client, (context) =>
      saveMethod(context, context.tables.customers.get(customerId) as CustomerRow, method),
    );
  }

  const statuses = () =>
    inWorld(client, ({ tables }) =>
      tables.top_ups.list('customer', customerId).map(({ status }) => status),
    );

  const refusal = () =>
    inWorld(
      client,
      ({ tables }) => tables.auto_top_ups.get(key(customerId, 'default:USD'))?.refused?.reason,
    );

  return {
    get client() {
      return client;
    },
    get customerId() {
      return customerId;
    },
    ...{ give, charge, balance, advance, accountOf, turnOn, saveCard, statuses, refusal },
  };
}
