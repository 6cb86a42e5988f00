import type { AnyBody, TestClient } from '../client.ts';
import { withRecord } from '../customer.ts';
import { freshKey, nextUuid } from '../usage.ts';

/** For tests: a customer in a world of its own, with CREDIT (whole units) and MILLI (three decimals). */
export async function openWallet(from: TestClient) {
  const key = freshKey();
  await from.api('createAsset', { key, body: { code: 'CREDIT', name: 'Credits' } }, 201);
  await from.api('createAsset', { key, body: { code: 'MILLI', name: 'Milli', precision: 3 } }, 201);
  const { id } = await from.api('createCustomer', { key, body: { name: 'Acme' } }, 201);
  const path = { customerId: id };
  const adjustment = (body: object) => ({
    transaction_id: nextUuid(),
    asset: 'USD',
    reason: 'external_topup',
    ...body,
  });
  const call = (operation: 'adjustWallet' | 'chargeWallet', body: object) =>
    from.send(operation, { key, path, body });

  return {
    key,
    path,
    adjust: (body: object) => call('adjustWallet', adjustment(body)),
    charge: (body: object) =>
      call('chargeWallet', { transaction_id: nextUuid(), asset: 'USD', ...body }),
    send: call,
    async available(accountId = 'default:USD'): Promise<number> {
      return (await from.api('getWalletAccount', { key, path: { ...path, accountId } }, 200))
        .available;
    },
    async grants(accountId: string, query = {}): Promise<AnyBody[]> {
      const page = await from.api('listGrants', { key, path: { ...path, accountId }, query }, 200);
      return page.items.map((item: AnyBody) => withRecord(from, item));
    },
  };
}
