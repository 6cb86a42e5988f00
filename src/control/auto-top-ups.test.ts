import { beforeEach, describe, expect, it } from 'vitest';
import { asNewAccount, createTestClient, type TestClient } from '../testing/client.ts';
import { nextUuid } from '../testing/usage.ts';

let client: TestClient;
let customerId: string;

beforeEach(async () => {
  client = createTestClient();
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  const gift = { transaction_id: nextUuid(), asset: 'USD', amount: 20, reason: 'gift' };
  await client.api('adjustWallet', { path: { customerId }, body: gift }, 201);
});

const path = () => ({ customerId, accountId: 'default:USD' });
const balance = async () => (await client.api('getWalletAccount', { path: path() }, 200)).available;
const turnOn = (body: object = { threshold: 10, amount: 30 }, status = 204) =>
  client.control('setAutoTopUp', { path: path(), body }, status);
const list = () => client.control('listAutoTopUps', { path: { customerId } }, 200);

describe('setAutoTopUp', () => {
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
    for (const _ of ['once', 'again'])
      await client.control('setAutoTopUp', { path: account, body: { threshold: null } }, 204);
    await client.control('setPaymentMethod', { path: acme, body: { kind: 'none' } }, 204);
    expect(await items()).toBe(0);

    const near = await client.control('listAutoTopUps', { path: { customerId: 'acne' } }, 404);
    expect(near.detail).toContain('the nearest is acme');
  });

  it('is hidden from other connected accounts: listAutoTopUps and setPaymentMethod return 404', async () => {
    const headers = await asNewAccount(client.api);

    await client.control('listAutoTopUps', { path: { customerId }, headers }, 404);
    const parts = { path: { customerId }, headers, body: { kind: 'card' } };
    await client.control('setPaymentMethod', parts, 404);
  });
});
