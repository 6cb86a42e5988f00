import { beforeEach, describe, expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import { nextDue, runDueJob } from '../../jobs/due.ts';
import type { Due } from '../../jobs/job.ts';
import type {
  CustomerRow,
  PaymentMethod,
  TransactionRow,
  WalletAccountRow,
} from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import { aCatalogProduct, EVERY_MONTH, entitlement, inWorld, URLS } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { nextUuid } from '../../testing/usage.ts';
import type { Context } from '../context.ts';
import { setAutoTopUpRule } from './auto-top-ups.ts';
import { saveMethod } from './saved-method.ts';

const CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };

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

describe('an automatic top-up on the way of the clock', () => {
  it('pays where credit expires, at that instant', async () => {
    saveCard();
    await give(20, 'USD', { expires_at: '2026-01-20T00:00:00Z' });
    turnOn();

    const { items } = await advance('P10D');

    expect(items).toMatchObject([
      { kind: 'grant_expiry', at: '2026-01-20T00:00:00.000Z' },
      { kind: 'auto_top_up', at: '2026-01-20T00:00:00.000Z', outcome: 'paid' },
    ]);
    expect(await balance()).toBe(30);
  });

  it('stands in the changes of the item that it follows, beside those of the item itself', async () => {
    saveCard();
    await give(20, 'USD', { expires_at: '2026-01-20T00:00:00Z' });
    turnOn();
    const { world } = inWorld(client, (context) => context);
    world.clock.state = { mode: 'frozen', at: instant('2026-01-20T00:00:00Z') };

    const { kind, changes } = runDueJob(world, nextDue(world) as Due, client.emulator.settings);

    expect(kind).toBe('grant_expiry');
    const moved = changes
      .filter(({ table }) => table === 'transactions')
      .map(({ after }) => (after as TransactionRow).source);
    expect(moved).toEqual(['expiry', 'top_up']);
  });

  it('does not pay where a refresh of the same instant lifts the balance', async () => {
    saveCard();
    await aCatalogProduct(client, 'plan', { entitlements: [entitlement(1000, EVERY_MONTH)] });
    const order = { products: [{ code: 'plan' }] };
    await client.api('createSubscription', { path: { customerId }, body: order }, 201);
    turnOn({ threshold: '50' }, 'CREDIT');

    await advance('P2M');

    expect([await balance('CREDIT'), statuses()]).toEqual([1000, []]);
  });
});
