import { expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../testing/client.ts';

const EVENT = 'AbCdEf01-0000-4000-8000-00000000000a';
const COST = 'C0000000-0000-4000-8000-00000000000b';
const TRANSACTION = 'F0000000-0000-4000-8000-00000000000c';

const client = createTestClient();

/** @assumes A-310 */
it('the ids of usage events, costs and transactions are compared without regard to case', async () => {
  const { id: customer_id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const { id: vendor_id } = await client.api('createVendor', { body: { name: 'Chips' } }, 201);
  const submit = (id: string, cost: string, status: number): Promise<AnyBody> => {
    const costs = [{ id: cost, amount: 1, vendor_id }];
    const event = { id, event_type: 'call', occurred_at: '2026-01-15T11:00:00Z', costs };
    return client.api('submitEvents', { body: { customer_id, events: [event] } }, status);
  };
  await submit(EVENT, COST, 204);
  await submit(EVENT.toUpperCase(), COST.toLowerCase(), 204);
  const { errors } = await submit('aaaaaaaa-0000-4000-8000-00000000000d', COST.toLowerCase(), 422);
  const path = { eventId: EVENT.toLowerCase() };
  const query = { event_id: EVENT.toUpperCase() };

  expect(Object.keys(errors)).toEqual(['events[0].costs[0].id']);
  expect((await client.api('getEvent', { path }, 200)).id).toBe(EVENT);
  expect((await client.api('listEvents', { query }, 200)).items).toMatchObject([{ id: EVENT }]);
  expect(
    (await client.control('explain', { path: { id: path.eventId } }, 200)).event.event_id,
  ).toBe(EVENT);

  const adjust = (transaction_id: string): Promise<AnyBody> => {
    const body = {
      transaction_id,
      account_name: 'default',
      asset: 'USD',
      amount: 5,
      reason: 'gift',
    };
    return client.api('adjustWallet', { path: { customerId: customer_id }, body }, 201);
  };
  expect((await adjust(TRANSACTION)).id).toBe(TRANSACTION);
  expect((await adjust(TRANSACTION.toLowerCase())).id).toBe(TRANSACTION);
  const { accounts } = await client.api('getWallet', { path: { customerId: customer_id } }, 200);
  expect(accounts).toMatchObject([{ available: 5 }]);
  const transaction = { customerId: customer_id, transactionId: TRANSACTION.toLowerCase() };
  expect((await client.api('getWalletTransaction', { path: transaction }, 200)).id).toBe(
    TRANSACTION,
  );
});
