import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../testing/client.ts';
import { nextUuid } from '../testing/usage.ts';

let client: TestClient;
let customerId: string;

beforeEach(async () => {
  client = createTestClient();
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  await move('adjustWallet', { amount: 20, reason: 'gift' });
});

const move = (operation: 'adjustWallet' | 'chargeWallet', more: object) => {
  const body = { transaction_id: nextUuid(), asset: 'USD', ...more };
  return client.api(operation, { path: { customerId }, body }, 201);
};
const path = () => ({ customerId, accountId: 'default:USD' });
const balance = async () => (await client.api('getWalletAccount', { path: path() }, 200)).available;
const setMethod = (body: object, status = 204) =>
  client.control('setPaymentMethod', { path: { customerId }, body }, status);
const turnOn = (body: object = { threshold: 10, amount: 30 }, status = 204) =>
  client.control('setAutoTopUp', { path: path(), body }, status);
const list = () => client.control('listAutoTopUps', { path: { customerId } }, 200);

describe('setAutoTopUp', () => {
  it('tops up a wallet below the threshold with the saved payment method', async () => {
    await setMethod({ kind: 'card' });
    await turnOn();
    expect((await list()).items).toEqual([
      { account_id: 'default:USD', threshold: 10, amount: 30, currency: 'USD' },
    ]);

    await move('chargeWallet', { amount: 12.5 });

    expect(await balance()).toBe(37.5);
  });

  it('reports a declined payment and tops up once another payment method is saved', async () => {
    await setMethod({ kind: 'card', last4: '0341', declines_later: true });
    await turnOn();

    await move('chargeWallet', { amount: 15 });
    expect((await list()).items[0].refused).toBe('declined');

    await setMethod({ kind: 'card', last4: '4242' });
    expect([await balance(), (await list()).items[0].refused]).toEqual([35, undefined]);
  });

  it('rejects invalid amounts with 422 and an account that does not exist with 404', async () => {
    const problem = await turnOn({ threshold: 10, amount: 0.001, currency: 'EUR' }, 422);
    expect(problem.errors).toBeDefined();
    await turnOn({ threshold: -1, amount: 1 }, 422);
    await turnOn({ threshold: 1, amount: 0 }, 422);

    const elsewhere = { customerId, accountId: 'default:EUR' };
    const parts = { path: elsewhere, body: { threshold: 1, amount: 1 } };
    await client.control('setAutoTopUp', parts, 404);
    expect((await list()).items).toEqual([]);
  });

  it('accepts the external id of a customer, as do the other operations', async () => {
    await client.api(
      'updateCustomer',
      { path: { customerId }, body: { external_id: 'acme' } },
      204,
    );
    const acme = { customerId: 'acme' };
    const account = { ...acme, accountId: 'default:USD' };
    const items = async (named = acme) =>
      (await client.control('listAutoTopUps', { path: named }, 200)).items.length;

    await client.control('setPaymentMethod', { path: acme, body: { kind: 'card' } }, 204);
    const body = { threshold: 25, amount: 30 };
    await client.control('setAutoTopUp', { path: account, body }, 204);
    expect([await balance(), await items(), await items({ customerId })]).toEqual([50, 1, 1]);
    await client.control('setAutoTopUp', { path: account, body: { threshold: null } }, 204);
    await client.control('setPaymentMethod', { path: acme, body: { kind: 'none' } }, 204);
    expect(await items()).toBe(0);

    const near = await client.control('listAutoTopUps', { path: { customerId: 'acne' } }, 404);
    expect(near.detail).toContain('the nearest is acme');
  });

  it('is hidden from other connected accounts: listAutoTopUps and setPaymentMethod return 404', async () => {
    const { id } = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
    const headers = { 'X-Service-Account': id };

    await client.control('listAutoTopUps', { path: { customerId }, headers }, 404);
    const parts = { path: { customerId }, headers, body: { kind: 'card' } };
    await client.control('setPaymentMethod', parts, 404);
  });
});

describe('setAutoTopUp with the threshold null', () => {
  it('stops automatic top-ups, and returns 204 when called again', async () => {
    await setMethod({ kind: 'card' });
    await turnOn();

    await client.control('setAutoTopUp', { path: path(), body: { threshold: null } }, 204);
    await client.control('setAutoTopUp', { path: path(), body: { threshold: null } }, 204);
    await move('chargeWallet', { amount: 15 });

    expect(await balance()).toBe(5);
  });
});

describe('setPaymentMethod with none', () => {
  it('makes the next automatic top-up fail with no_payment_method', async () => {
    await setMethod({ kind: 'card' });
    await turnOn();

    await client.control('setPaymentMethod', { path: { customerId }, body: { kind: 'none' } }, 204);
    await move('chargeWallet', { amount: 15 });

    expect((await list()).items[0].refused).toBe('no_payment_method');
  });
});
