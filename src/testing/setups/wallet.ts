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
  const preset = () => ({ transaction_id: nextUuid(), asset: 'USD' });
  const send = (operation: 'adjustWallet' | 'chargeWallet', body: object) =>
    from.send(operation, { key, path, body });

  return {
    key,
    path,
    adjust: (body: object) =>
      send('adjustWallet', { ...preset(), reason: 'external_topup', ...body }),
    charge: (body: object) => send('chargeWallet', { ...preset(), ...body }),
    send,
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
