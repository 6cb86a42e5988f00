import {
  adjustment,
  aFreshAccount,
  aFreshCustomer,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  foreignKeys,
  type OperationId,
  unique,
  uniqueAssetCode,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { listed, stored } from './shared/events.ts';
import type { Caller } from './shared/one-of-each.ts';

/** Texts that almost equal a name: shorter, longer, in upper case, with a space or a wildcard. */
const _nearly = (name: string): readonly string[] => [
  name.slice(0, -1),
  name.slice(1),
  `${name}0`,
  name.toUpperCase(),
  ` ${name}`,
  `${name.slice(0, 4)}%`,
  `${name.slice(0, -1)}_`,
];

const _cost = (vendor: object) => [{ id: uuid(), amount: 1, ...vendor }];

describe('almost equal external ids and codes', () => {});

describe('UUIDs in upper and mixed case', () => {
  check(
    'X-47',
    { requirement: 'R-CONV-26', level: 'ASSUMED', effect: 'E3', assumes: 'A-310' },
    'event, cost and transaction ids sent or requested in upper and mixed case → the object sent first, with the id as it was sent',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const mixed = (id: string) =>
        [...id].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join('');
      for (const spell of [(id: string) => id, (id: string) => id.toUpperCase(), mixed]) {
        const { id } = await aUsageEvent(customer, 'contract.case', { id: spell(uuid()) });
        const transaction_id = await anAdjustment(customer, { transaction_id: spell(uuid()) });
        for (const other of [id.toLowerCase(), id.toUpperCase(), mixed(id.toLowerCase())]) {
          expect((await stored(other)).id).toBe(id);
          expect((await listed({ event_id: other })).map((item) => item.id)).toEqual([id]);
          const body = {
            customer_id: customer.id,
            events: [usageEvent('contract.case', { id: other })],
          };
          await api('submitEvents', { body: body as never }, 204);
        }
        for (const other of [transaction_id.toLowerCase(), transaction_id.toUpperCase()]) {
          const of = { ...path, transactionId: other };
          expect((await api('getWalletTransaction', { path: of }, 200)).id).toBe(transaction_id);
          const again = { ...adjustment(), transaction_id: other };
          expect((await api('adjustWallet', { path, body: again }, 201)).id).toBe(transaction_id);
        }
        expect(await listed({ event_id: id })).toHaveLength(1);
      }
      expect((await api('getWallet', { path }, 200)).accounts.map((one) => one.available)).toEqual([
        30,
      ]);
    },
  );
});

describe('equal ids and codes of several owners', () => {
  /** Creates objects with the same ids and codes for each caller, and expects that each caller has its own. */
  async function expectOwn(callers: readonly Caller[]): Promise<void> {
    const [name, code] = [unique('shared'), uniqueAssetCode()];
    const [eventId, costId, transactionId] = [uuid(), uuid(), uuid()];
    const made: string[][] = [];
    for (const [index, caller] of callers.entries()) {
      const make = async (operation: OperationId, body: object, path = {}, status = 201) =>
        (await call(operation, { path, body, ...caller }, [status])).body;
      const get = async (operation: OperationId, path: Record<string, string>) =>
        (await call(operation, { path, ...caller }, [200])).body;
      const called = `Contract ${index}`;
      const vendor = await make('createVendor', { name: called, external_id: name });
      const customer = await make('createCustomer', { name: called, external_id: name });
      await make('createAsset', { code, name: called });
      const prices = [aUnitPrice('contract.shared', index + 1)];
      const product = await make('createProduct', {
        name: called,
        code: name,
        prices,
        publish: true,
      });
      const path = { customerId: customer.id };
      await make('createSubscription', { products: [{ code: name }] }, path);
      const costs = [{ id: costId, amount: index + 0.5, vendor_external_id: name }];
      const event = usageEvent('contract.shared', { id: eventId, costs });
      await make('submitEvents', { customer_external_id: name, events: [event] }, {}, 204);
      const moved = {
        transaction_id: transactionId,
        asset: code,
        amount: index + 7,
        reason: 'gift',
      };
      await make('adjustWallet', moved, path);
      const shown = await get('getEvent', { eventId });
      const transaction = await get('getWalletTransaction', { ...path, transactionId });

      expect(shown.customer_id).toBe(customer.id);
      expect(shown.fees.map((fee: { readonly amount: number }) => fee.amount)).toEqual([index + 1]);
      expect(shown.costs).toMatchObject([{ vendor_id: vendor.id, amount: index + 0.5 }]);
      expect(transaction.amount).toBe(index + 7);
      expect((await get('getAsset', { assetCode: code })).name).toBe(called);
      made.push([vendor.id, customer.id, product.id]);
    }
    expect(new Set(made.flat()).size).toBe(3 * callers.length);
  }

  check(
    'X-48',
    { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E3', assumes: 'A-104' },
    'the same external_id, code, event id, cost id and transaction id on the platform and in two connected accounts → each has its own object, billed and shown separately',
    async () => {
      const accounts = [await aFreshAccount(), await aFreshAccount()];
      await useUp('names', () => expectOwn([{}, ...accounts.map(({ id }) => ({ actingFor: id }))]));
    },
  );

  check(
    'X-49',
    { requirement: ['R-AUTH-03', 'R-AUTH-04'], level: 'IMPLIED', effect: 'E3' },
    'the same external_id, code and ids with a key of the other environment and with one of another account → each has its own object',
    async () => {
      const callers = [{}, ...foreignKeys().map((key) => ({ key }))];
      await useUp('names', () => expectOwn(callers));
    },
  );
});
